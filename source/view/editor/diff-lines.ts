import type { ChangedRange, DiffLine, DiffRow, SideBySideRow } from '../../editor/diff-rows.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { fitLine, longestCell, scrolledLine } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Style, Token } from '../text/theme.ts';

/** Least width at which the sides are drawn side by side, in columns. */
export const sideBySideMinWidth = 140;

/** Measures for drawing the rows of a difference. */
export interface DiffStyle {
  /** Width of a line number, in cells. */
  readonly numberWidth: number;
  /** Width of the row, in cells. */
  readonly width: number;
  /** Horizontal scroll position of the texts, in cells. */
  readonly scrollLeft: number;
}

/** Returns a row with both line numbers, a sign and the text: `12    - timeout: 2s`. */
export function unifiedLine(row: DiffRow, style: DiffStyle): Line {
  if (row.kind === 'skipped') return skippedLine(row.count);
  const { numberWidth } = style;
  const numbers = `${numberText(beforeOf(row), numberWidth)} ${numberText(afterOf(row), numberWidth)} `;
  return [span(numbers, 'quiet'), ...signedText(row, style, style.width - numbers.length)];
}

/** Returns a row with the old text left and the new text right of `divider`, each cut to fit. */
export function sideBySideLine(row: SideBySideRow, style: DiffStyle, divider: string): Line {
  if (row.kind === 'skipped') return skippedLine(row.count);
  const { left, right } = sideWidths(style.width);
  return [
    ...half(row.before, beforeOf, style, left),
    span(` ${divider} `, 'quiet'),
    ...half(row.after, afterOf, style, right),
  ];
}

/** Splits a row into the widths of both sides, with three cells between them. */
export function sideWidths(width: number): { readonly left: number; readonly right: number } {
  const left = Math.floor((width - 3) / 2);
  return { left, right: width - 3 - left };
}

function half(
  line: DiffLine | undefined,
  numberOf: (line: DiffLine) => number | undefined,
  style: DiffStyle,
  width: number,
): Line {
  if (line === undefined) return fitLine([], width);
  const number = `${numberText(numberOf(line), style.numberWidth)} `;
  const text = signedText(line, style, width - number.length);
  return fitLine([span(number, 'quiet'), ...text], width);
}

function skippedLine(count: number): Line {
  return [span(`-- ${count} equal lines --`, 'quiet')];
}

function numberText(number: number | undefined, width: number): string {
  return (number === undefined ? '' : String(number)).padStart(width);
}

function beforeOf(line: DiffLine): number | undefined {
  return line.kind === 'added' ? undefined : line.beforeLine;
}

function afterOf(line: DiffLine): number | undefined {
  return line.kind === 'removed' ? undefined : line.afterLine;
}

const signs = { same: '  ', removed: '- ', added: '+ ' } as const;
const tokens = { same: undefined, removed: 'bad', added: 'good' } as const;
const changedStyle: Style = { underline: true };

/** Returns the fixed sign, then the scrolled text with the name of its line end. */
function signedText(line: DiffLine, { scrollLeft }: DiffStyle, width: number): Line {
  const token = tokens[line.kind];
  const text = textSpans(line, token, scrollLeft + width);
  const end: Line =
    line.kind === 'same' || line.end === undefined ? [] : [span(` (${line.end})`, 'info')];
  return [span(signs[line.kind], token), ...scrolledLine([...text, ...end], scrollLeft)];
}

/** Sanitises enough text to fill `cells` cells, and underlines the changed ranges. */
function textSpans(line: DiffLine, token: Token | undefined, cells: number): Line {
  const text = line.text.slice(0, cells * longestCell);
  const spans: Span[] = [];
  let end = 0;
  let column = 0;
  const add = (to: number, style: Style | undefined): void => {
    if (to <= end) return;
    const shown = sanitize(text.slice(end, to), { column });
    column += cellWidth(shown);
    spans.push({ text: shown, token, style });
    end = to;
  };
  for (const { from, to } of line.kind === 'same' ? [] : wholeCharacters(text, line.changed)) {
    add(from, undefined);
    add(to, changedStyle);
  }
  add(text.length, undefined);
  return spans;
}

let segmenter: Intl.Segmenter | undefined;

/** Extends ranges to whole grapheme clusters. */
function wholeCharacters(text: string, ranges: readonly ChangedRange[]): readonly ChangedRange[] {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  const segments = segmenter.segment(text);
  return ranges.map(({ from, to }) => {
    const last = segments.containing(to - 1);
    return {
      from: segments.containing(from)?.index ?? from,
      to: last === undefined ? Math.min(to, text.length) : last.index + last.segment.length,
    };
  });
}
