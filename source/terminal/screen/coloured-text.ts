import { cellWidth } from './cells.ts';
import { Graphemes } from './graphemes.ts';
import { sanitize, type SanitizeOptions } from './sanitize.ts';
import { applySgr, plainText, type TextStyle } from './sgr.ts';

/** A piece of sanitised text in one style. */
export interface SgrSpan {
  readonly text: string;
  readonly style: TextStyle;
  /** Present where what it was made of lies in one of the marked ranges. */
  readonly marked?: true;
}

/** Code units of a text, from an offset up to, not with, another. */
type Range = readonly [from: number, to: number];

export interface ColouredOptions extends SanitizeOptions {
  /** In order, none over another; widened to whole characters. */
  readonly marks?: readonly Range[];
}

const introducer = '\x1b[';
/** What follows the introducer of an SGR sequence. */
const colourCode = /^([\d;:]*)m/;
// eslint-disable-next-line no-control-regex
const anyColourCode = /\x1b\[[\d;:]*m/g;

/**
 * A line from outside with its colour codes honoured, as spans whose texts are sanitised. Of SGR
 * (ECMA-48 8.3.117) the colours and the styles of {@link TextStyle} count; blink, reverse, conceal and
 * a text in the colour of its own background do not, so that a line can neither hide text nor look
 * like our chrome. Styles end with the line. All other sequences are made visible.
 */
export function sanitizeColoured(text: string, options: ColouredOptions = {}): SgrSpan[] {
  const marks = options.marks ?? noMarks;
  if (marks.length === 0 && !text.includes(introducer)) {
    return [{ text: sanitize(text, options), style: plainText }];
  }
  const spans: SgrSpan[] = [];
  const bounds = characterBounds(text, marks);
  let column = options.column ?? 0;
  let style: TextStyle = plainText;
  const add = (from: number, to: number, marked: boolean): void => {
    if (from >= to) return;
    const clean = sanitize(text.slice(from, to), { ...options, column });
    column += cellWidth(clean);
    const span = { text: clean, style: permittedStyle(style) };
    spans.push(marked ? { ...span, marked } : span);
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
  for (const [index, piece] of text.split(introducer).entries()) {
    const start = index === 0 ? 0 : at - introducer.length;
    const [code, parameters] = index === 0 ? [] : (colourCode.exec(piece) ?? []);
    if (parameters !== undefined) style = applySgr(style, parameters);
    addMarked(code === undefined ? start : at + code.length, at + piece.length);
    at += piece.length + introducer.length;
  }
  return spans;
}

/** A line may be nothing but colour codes: of that, so many times what is asked for is looked at. */
const mostCodes = 8;

/** The beginning of a line with so many code units at most beside its colour codes. */
export function colouredHead(text: string, units: number): string {
  const head = text.slice(0, units);
  if (head.length === text.length || !head.includes(introducer)) return head;
  const looked = text.slice(0, units * mostCodes);
  let left = units;
  let at = 0;
  for (const found of looked.matchAll(anyColourCode)) {
    const plain = found.index - at;
    if (plain >= left) break;
    left -= plain;
    at = found.index + found[0].length;
  }
  return looked.slice(0, at + left);
}

const noMarks: readonly Range[] = [];
const infinite = Number.POSITIVE_INFINITY;
const graphemes = new Graphemes();

/** The ranges widened to whole characters: an accent is drawn with its letter. */
function characterBounds(text: string, ranges: readonly Range[]): readonly Range[] {
  const clusters = ranges.length === 0 ? undefined : graphemes.segment(text);
  return ranges.map(([from, to]) => {
    const first = clusters?.containing(from);
    const last = clusters?.containing(to);
    const isWithin = last !== undefined && last.index < to;
    return [first?.index ?? from, isWithin ? last.index + last.segment.length : to];
  });
}

/** The style without the attributes that a line from outside may not have. */
function permittedStyle(style: TextStyle): TextStyle {
  const { blink: _, inverse: __, conceal: ___, overline: ____, ...permitted } = style;
  if (permitted.color === undefined || permitted.color !== permitted.backgroundColor) {
    return permitted;
  }
  return { ...permitted, backgroundColor: undefined };
}
