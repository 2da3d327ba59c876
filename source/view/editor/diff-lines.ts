import type { ChangedRange, DiffLine, DiffRow, SideBySideRow } from '../../editor/diff-rows.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { fitLine, longestCell, sliceLine } from '../text/fit.ts';
import { type Line, type Span, span } from '../text/line.ts';
import type { Style, Token } from '../text/theme.ts';

/** Columns from which both sides have enough room beside each other. */
export const sideBySideFrom = 140;

/** How the rows of a difference are drawn. */
export interface DiffStyle {
  /** Cells of a line number. */
  readonly digits: number;
  /** Cells of the row. */
  readonly width: number;
  /** Cells of the texts that are scrolled out of sight to the left. */
  readonly from: number;
}

/** Both line numbers, a sign and the text: `12    - timeout: 2s`. */
export function unifiedLine(row: DiffRow, style: DiffStyle): Line {
  if (row.kind === 'skipped') return skippedLine(row.count);
  const { digits } = style;
  const numbers = `${numberText(beforeOf(row), digits)} ${numberText(afterOf(row), digits)} `;
  return [span(numbers, 'quiet'), ...signedText(row, style, style.width - numbers.length)];
}

/** The side before to the left, the side after to the right of `vertical`, each cut to its half. */
export function sideBySideLine(row: SideBySideRow, style: DiffStyle, vertical: string): Line {
  if (row.kind === 'skipped') return skippedLine(row.count);
  const { left, right } = halves(style.width);
  return [
    ...half(row.before, beforeOf, style, left),
    span(` ${vertical} `, 'quiet'),
    ...half(row.after, afterOf, style, right),
  ];
}

/** Cells of both sides beside each other, with three between them. */
export function halves(width: number): { readonly left: number; readonly right: number } {
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
  const number = `${numberText(numberOf(line), style.digits)} `;
  const text = signedText(line, style, width - number.length);
  return fitLine([span(number, 'quiet'), ...text], width);
}

function skippedLine(count: number): Line {
  return [span(`-- ${count} equal lines --`, 'quiet')];
}

function numberText(number: number | undefined, digits: number): string {
  return (number === undefined ? '' : String(number)).padStart(digits);
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

/** The sign stays where it is; the text behind it scrolls, with the word for its line end. */
function signedText(line: DiffLine, { from }: DiffStyle, width: number): Line {
  const token = tokens[line.kind];
  const text = textSpans(line, token, from + width);
  const end: Line =
    line.kind === 'same' || line.end === undefined ? [] : [span(` (${line.end})`, 'info')];
  return [span(signs[line.kind], token), ...sliceLine([...text, ...end], from)];
}

/** Safe text as far as `cells` can show it, what changed in it underlined. */
function textSpans(line: DiffLine, token: Token | undefined, cells: number): Line {
  const text = line.text.slice(0, cells * longestCell);
  const spans: Span[] = [];
  let next = 0;
  let column = 0;
  const add = (to: number, style: Style | undefined): void => {
    if (to <= next) return;
    const safe = sanitize(text.slice(next, to), { column });
    column += cellWidth(safe);
    spans.push({ text: safe, token, style });
    next = to;
  };
  for (const { from, to } of line.kind === 'same' ? [] : wholeCharacters(text, line.changed)) {
    add(from, undefined);
    add(to, changedStyle);
  }
  add(text.length, undefined);
  return spans;
}

let segmenter: Intl.Segmenter | undefined;

/** Ranges that cut no character from its accents. */
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
