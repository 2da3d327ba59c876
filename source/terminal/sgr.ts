import { cellWidth } from './cells.ts';
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
export interface Span {
  readonly text: string;
  readonly style: Style;
}

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

const introducer = '\x1b[';
/** What follows the introducer of an SGR sequence. */
const colourCode = /^([\d;:]*)m/;

/**
 * A line from outside with its colour codes honoured, as spans whose texts are sanitised. Of SGR
 * (ECMA-48 8.3.117) the colours and the styles of {@link Style} count; blink, reverse, conceal and
 * a text in the colour of its own background do not, so that a line can neither hide text nor look
 * like our chrome. Styles end with the line. All other sequences are made visible.
 */
export function sanitizeColoured(text: string, options: SanitizeOptions = {}): Span[] {
  if (!text.includes(introducer)) return [{ text: sanitize(text, options), style: plainStyle }];
  const spans: Span[] = [];
  let column = options.column ?? 0;
  let style: Style = plainStyle;
  const add = (piece: string): void => {
    if (piece === '') return;
    const clean = sanitize(piece, { ...options, column });
    column += cellWidth(clean);
    spans.push({ text: clean, style: withoutConcealment(style) });
  };
  const [head = '', ...sequences] = text.split(introducer);
  add(head);
  for (const sequence of sequences) {
    const [code, parameters] = colourCode.exec(sequence) ?? [];
    if (parameters !== undefined) style = applySgr(style, parameters);
    add(code === undefined ? introducer + sequence : sequence.slice(code.length));
  }
  return spans;
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
