import { cellWidth } from './cells.ts';
import { Graphemes } from './graphemes.ts';
import { sanitize, type SanitizeOptions } from './sanitize.ts';
import { applySgr, plainText, type TextStyle } from './sgr.ts';

/** A run of sanitised text in one style. */
export interface ColouredSpan {
  readonly text: string;
  readonly style: TextStyle;
  /** Present if the span lies in one of the marked ranges. */
  readonly isMarked?: true;
}

/** Code units of a text; `to` is exclusive. */
type Range = readonly [from: number, to: number];

export interface ColouredOptions extends SanitizeOptions {
  /** Ranges to mark, in order and without overlaps; widened to whole characters. */
  readonly marks?: readonly Range[];
}

const introducer = '\x1b[';
/** Follows an SGR sequence of some terminals. */
const shiftIn = 0x0f;

/**
 * Returns a line from outside as sanitised spans in the colours of its SGR sequences. Blink, inverse,
 * conceal, overline and a text in the colour of its background are ignored, so that a line can
 * neither hide text nor imitate the chrome. Styles end with the line. Sequences outside of `codes`
 * are made visible.
 * @param codes ranges that are not drawn, in order: SGR sequences, and others without effect.
 */
export function sanitizeColoured(
  text: string,
  codes: readonly Range[],
  options: ColouredOptions = {},
): ColouredSpan[] {
  const marks = options.marks ?? noMarks;
  if (marks.length === 0 && codes.length === 0) {
    return [{ text: sanitize(text, options), style: plainText }];
  }
  const spans: ColouredSpan[] = [];
  const bounds = characterBounds(text, marks);
  let column = options.column ?? 0;
  let style: TextStyle = plainText;
  const add = (from: number, to: number, marked: boolean): void => {
    if (from >= to) return;
    const clean = sanitize(text.slice(from, to), { ...options, column });
    column += cellWidth(clean);
    const span = { text: clean, style: permittedStyle(style) };
    spans.push(marked ? { ...span, isMarked: marked } : span);
  };
  let passed = 0;
  const addMarked = (from: number, to: number): void => {
    let at = from;
    while ((bounds[passed]?.[1] ?? infinite) <= at) passed += 1;
    for (let index = passed; at < to; index += 1) {
      const mark = bounds[index];
      if (mark === undefined || mark[0] >= to) break;
      const end = Math.min(mark[1], to);
      add(at, mark[0], false);
      add(Math.max(at, mark[0]), end, true);
      at = end;
    }
    add(at, to, false);
  };
  let at = 0;
  for (const [from, to] of codes) {
    addMarked(at, from);
    const final = text.charCodeAt(to - 1) === shiftIn ? to - 2 : to - 1;
    if (text[final] === 'm' && text.startsWith(introducer, from)) {
      style = applySgr(style, text.slice(from + introducer.length, final));
    }
    at = to;
  }
  addMarked(at, text.length);
  return spans;
}

const noMarks: readonly Range[] = [];
const infinite = Number.POSITIVE_INFINITY;
const graphemes = new Graphemes();

/** Widens ranges to whole characters, as an accent is drawn with its letter. */
function characterBounds(text: string, ranges: readonly Range[]): readonly Range[] {
  const clusters = ranges.length === 0 ? undefined : graphemes.segment(text);
  return ranges.map(([from, to]) => {
    const first = clusters?.containing(from);
    const last = clusters?.containing(to);
    const isWithin = last !== undefined && last.index < to;
    return [first?.index ?? from, isWithin ? last.index + last.segment.length : to];
  });
}

/** Returns the style without the attributes that a line from outside may not set. */
function permittedStyle(style: TextStyle): TextStyle {
  const { blink: _, inverse: __, conceal: ___, overline: ____, ...permitted } = style;
  if (permitted.color === undefined || permitted.color !== permitted.backgroundColor) {
    return permitted;
  }
  return { ...permitted, backgroundColor: undefined };
}
