/**
 * Reads and writes SGR, the control sequence that sets the colours and attributes of text
 * (ECMA-48 8.3.117; colours as ITU-T T.416, with semicolons or colons).
 */

/** Colours and attributes of text. An absent property leaves the choice to a style below. */
export interface TextStyle {
  /** `red`, `redBright`, `ansi256(208)` or `#rrggbb`; undefined is the terminal's own colour. */
  readonly color?: string | undefined;
  readonly backgroundColor?: string | undefined;
  readonly bold?: boolean | undefined;
  readonly dim?: boolean | undefined;
  readonly italic?: boolean | undefined;
  /** Any kind of underline. */
  readonly underline?: boolean | undefined;
  readonly blink?: boolean | undefined;
  readonly inverse?: boolean | undefined;
  readonly conceal?: boolean | undefined;
  readonly strikethrough?: boolean | undefined;
  readonly overline?: boolean | undefined;
}

/** Each attribute with the codes that set and clear it, and whether a blank shows it. */
export const attributes = [
  { name: 'bold', on: 1, off: 22, onBlank: false },
  { name: 'dim', on: 2, off: 22, onBlank: false },
  { name: 'italic', on: 3, off: 23, onBlank: false },
  { name: 'underline', on: 4, off: 24, onBlank: true },
  { name: 'blink', on: 5, off: 25, onBlank: false },
  { name: 'inverse', on: 7, off: 27, onBlank: true },
  { name: 'conceal', on: 8, off: 28, onBlank: false },
  { name: 'strikethrough', on: 9, off: 29, onBlank: true },
  { name: 'overline', on: 53, off: 55, onBlank: true },
] as const;

/** The colours that every terminal with colours has, in the order of their codes. */
export const colourNames = [
  'black',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
  'white',
] as const;

export const plainText: TextStyle = {};

/**
 * Returns the style after `CSI parameters m`. Unknown parameters change nothing. A parameter that
 * clears an attribute sets it to false, and one that ends a colour sets that to undefined; a reset
 * leaves no property at all.
 */
export function applySgr(before: TextStyle, parameters: string): TextStyle {
  let style: { -readonly [Key in keyof TextStyle]: TextStyle[Key] } = { ...before };
  const fields = parameters.split(';');
  for (let index = 0; index < fields.length; index++) {
    const [first = '', ...sub] = (fields[index] ?? '').split(':');
    const code = Number(first);
    if (code === 38 || code === 48 || code === 58) {
      const hasColons = sub.length > 0;
      const { colour, used } = extendedColour(hasColons ? sub : fields.slice(index + 1), hasColons);
      if (!hasColons) index += used;
      // 58 is the colour of underlines, which are drawn in the colour of their text here.
      if (colour !== undefined && code !== 58) {
        style[code === 38 ? 'color' : 'backgroundColor'] = colour;
      }
    } else if (code === 0) style = {};
    else Object.assign(style, simpleChange(code, sub[0]));
  }
  return style;
}

function simpleChange(code: number, sub: string | undefined): TextStyle | undefined {
  if (code >= 30 && code <= 37) return { color: colourNames[code - 30] };
  if (code >= 40 && code <= 47) return { backgroundColor: colourNames[code - 40] };
  if (code >= 90 && code <= 97) return { color: `${colourNames[code - 90]}Bright` };
  if (code >= 100 && code <= 107) return { backgroundColor: `${colourNames[code - 100]}Bright` };
  return changes.get(code === 4 && sub === '0' ? 24 : code);
}

const changes: ReadonlyMap<number, TextStyle> = changesByCode();

function changesByCode(): Map<number, TextStyle> {
  const byCode = new Map<number, TextStyle>([
    [21, { underline: true }],
    [39, { color: undefined }],
    [49, { backgroundColor: undefined }],
  ]);
  for (const { name, on, off } of attributes) {
    byCode.set(on, { [name]: true });
    byCode.set(off, { ...byCode.get(off), [name]: false });
  }
  return byCode;
}

/**
 * Returns the colour after 38 or 48: `5;n`, `2;r;g;b`, or with colons `2::r:g:b`, whose first field
 * names a colour space. `used` is the number of semicolon fields that belong to it.
 */
function extendedColour(
  fields: readonly string[],
  hasColons: boolean,
): { colour: string | undefined; used: number } {
  if (fields[0] === '5') return { colour: paletteColour(Number(fields[1])), used: 2 };
  if (fields[0] !== '2') return { colour: undefined, used: 1 };
  const skip = hasColons && fields.length > 4 ? 2 : 1;
  const parts = fields.slice(skip, skip + 3).map(Number);
  const isValid = parts.length === 3 && parts.every((part) => part >= 0 && part <= 255);
  const hex = parts.map((part) => part.toString(16).padStart(2, '0')).join('');
  return { colour: isValid ? `#${hex}` : undefined, used: 4 };
}

/** The first 16 colours of the palette are the named ones. */
function paletteColour(index: number): string | undefined {
  if (!(index >= 0 && index <= 255)) return undefined;
  if (index < 8) return colourNames[index];
  if (index < 16) return `${colourNames[index - 8]}Bright`;
  return `ansi256(${index})`;
}

/** Returns the parameters that lead from one style to another, one string for each change. */
export function encodeSgr(from: TextStyle, to: TextStyle): readonly string[] {
  const off = new Set<number>();
  for (const { name, off: code } of attributes) {
    if (from[name] === true && to[name] !== true) off.add(code);
  }
  const on = attributes.filter(
    ({ name, off: code }) => to[name] === true && (from[name] !== true || off.has(code)),
  );
  const codes = [...off, ...on.map((attribute) => attribute.on)].map(String);
  if (from.color !== to.color) codes.push(colourCode(to.color, 30));
  if (from.backgroundColor !== to.backgroundColor) codes.push(colourCode(to.backgroundColor, 40));
  return codes;
}

/** @param base 30 for the colour of text, 40 for that of the background. */
function colourCode(colour: string | undefined, base: number): string {
  if (colour === undefined) return String(base + 9);
  const [, red, green, blue] = /^#(..)(..)(..)$/.exec(colour) ?? [];
  if (red !== undefined) {
    const parts = [red, green, blue].map((part = '0') => Number.parseInt(part, 16));
    return `${base + 8};2;${parts.join(';')}`;
  }
  const [, index] = /^ansi256\((\d+)\)$/.exec(colour) ?? [];
  if (index !== undefined) return `${base + 8};5;${index}`;
  const isBright = colour.endsWith('Bright');
  const name = isBright ? colour.slice(0, -'Bright'.length) : colour;
  return String(base + (isBright ? 60 : 0) + colourNames.findIndex((each) => each === name));
}
