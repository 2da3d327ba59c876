import { cellWidth } from './cells.ts';
import { Graphemes } from './graphemes.ts';
import { sanitize, type SanitizeOptions } from './sanitize.ts';

/** How a piece of a line is drawn. Colours are written as chalk and Ink take them. */
interface Style {
  /** `red`, `redBright`, `ansi256(208)` or `#rrggbb`. */
  readonly color?: string;
  readonly backgroundColor?: string;
  readonly bold?: boolean;
  readonly dim?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strikethrough?: boolean;
}

/** A piece of sanitised text in one style. */
export interface SgrSpan {
  readonly text: string;
  readonly style: Style;
  /** Present where what it was made of lies in one of the marked ranges. */
  readonly marked?: true;
}

/** Code units of a text, from an offset up to, not with, another. */
type Range = readonly [from: number, to: number];

export interface ColouredOptions extends SanitizeOptions {
  /** In order, none over another; widened to whole characters. */
  readonly marks?: readonly Range[];
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const introducer = '\x1b[';
/** What follows the introducer of an SGR sequence. */
const colourCode = /^([\d;:]*)m/;
// eslint-disable-next-line no-control-regex
const anyColourCode = /\x1b\[[\d;:]*m/g;

/**
 * A line from outside with its colour codes honoured, as spans whose texts are sanitised. Of SGR
 * (ECMA-48 8.3.117) the colours and the styles of {@link Style} count; blink, reverse, conceal and
 * a text in the colour of its own background do not, so that a line can neither hide text nor look
 * like our chrome. Styles end with the line. All other sequences are made visible.
 */
export function sanitizeColoured(text: string, options: ColouredOptions = {}): SgrSpan[] {
  const marks = options.marks ?? noMarks;
  if (marks.length === 0 && !text.includes(introducer)) {
    return [{ text: sanitize(text, options), style: plainStyle }];
  }
  const spans: SgrSpan[] = [];
  const bounds = characterBounds(text, marks);
  let column = options.column ?? 0;
  let style: Style = plainStyle;
  const add = (from: number, to: number, marked: boolean): void => {
    if (from >= to) return;
    const clean = sanitize(text.slice(from, to), { ...options, column });
    column += cellWidth(clean);
    const span = { text: clean, style: withoutConcealment(style) };
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

const plainStyle: Style = {};

function withoutConcealment(style: Style): Style {
  if (style.color === undefined || style.color !== style.backgroundColor) return style;
  return { ...style, backgroundColor: undefined };
}

/** The style after one SGR sequence; parameters that mean nothing to us change nothing. */
function applySgr(before: Style, parameters: string): Style {
  let style: { -readonly [Key in keyof Style]: Style[Key] } = { ...before };
  const codes = parameters.split(';');
  for (let index = 0; index < codes.length; index++) {
    const [code = '', ...sub] = (codes[index] ?? '').split(':');
    if (code === '38' || code === '48') {
      const colons = sub.length > 0;
      const { colour, used } = extendedColour(colons ? sub : codes.slice(index + 1), colons);
      if (!colons) index += used;
      if (colour !== undefined) style[code === '38' ? 'color' : 'backgroundColor'] = colour;
    } else if (Number(code) === 0) style = {};
    else Object.assign(style, simple(Number(code), sub[0]));
  }
  return style;
}

function simple(code: number, sub: string | undefined): Style {
  if (code >= 30 && code <= 37) return { color: names[code - 30] };
  if (code >= 40 && code <= 47) return { backgroundColor: names[code - 40] };
  if (code >= 90 && code <= 97) return { color: `${names[code - 90]}Bright` };
  if (code >= 100 && code <= 107) return { backgroundColor: `${names[code - 100]}Bright` };
  return single[code === 4 && sub === '0' ? 24 : code] ?? plainStyle;
}

const single: Readonly<Record<number, Style>> = {
  1: { bold: true },
  2: { dim: true },
  3: { italic: true },
  4: { underline: true },
  9: { strikethrough: true },
  21: { underline: true },
  22: { bold: false, dim: false },
  23: { italic: false },
  24: { underline: false },
  29: { strikethrough: false },
  39: { color: undefined },
  49: { backgroundColor: undefined },
};

/**
 * The colour after 38 or 48: `5;n`, `2;r;g;b`, or with colons `2::r:g:b`, where the first field
 * names a colour space (ITU-T T.416). `used` counts the parameters it took.
 */
function extendedColour(
  fields: readonly string[],
  colons: boolean,
): { colour: string | undefined; used: number } {
  if (fields[0] === '5') return { colour: paletteColour(Number(fields[1])), used: 2 };
  if (fields[0] !== '2') return { colour: undefined, used: 1 };
  const skip = colons && fields.length > 4 ? 2 : 1;
  const parts = fields.slice(skip, skip + 3).map(Number);
  const valid = parts.length === 3 && parts.every((part) => part <= 255);
  const hex = parts.map((part) => part.toString(16).padStart(2, '0')).join('');
  return { colour: valid ? `#${hex}` : undefined, used: 4 };
}

function paletteColour(index: number): string | undefined {
  if (!(index <= 255)) return undefined;
  if (index < 8) return names[index];
  if (index < 16) return `${names[index - 8]}Bright`;
  return `ansi256(${index})`;
}
