/**
 * A number for a set of SGR attributes; 0 is plain. Interned: equal styles have equal numbers, which
 * fit 16 bits.
 */
export type CellStyle = number;

/**
 * Colours are numbers: 0 the default, 1 to 16 the named ones, {@link palette} + n of the 256,
 * {@link trueColour} + 0xrrggbb.
 */
interface Attributes {
  readonly foreground: number;
  readonly background: number;
  /** Bits of {@link switches}, in their order. */
  readonly flags: number;
}

const palette = 0x100;
const trueColour = 0x1000000;

/** What SGR switches on, what switches it off again, and whether it is seen on a blank. */
const switches = [
  { on: 1, off: 22, onBlank: false },
  { on: 2, off: 22, onBlank: false },
  { on: 3, off: 23, onBlank: false },
  { on: 4, off: 24, onBlank: true },
  { on: 5, off: 25, onBlank: false },
  { on: 7, off: 27, onBlank: true },
  { on: 8, off: 28, onBlank: false },
  { on: 9, off: 29, onBlank: true },
  { on: 53, off: 55, onBlank: true },
] as const;

/** Beyond it colours are dropped: text from outside could otherwise invent styles without end. */
const capacity = 0x10000 - (1 << switches.length);
const memoCapacity = 20_000;

const plainAttributes: Attributes = { foreground: 0, background: 0, flags: 0 };
const known: Attributes[] = [plainAttributes];
const blanks: CellStyle[] = [0];
const numbers = new Map<string, CellStyle>([['0,0,0', 0]]);
const applied = new Map<string, CellStyle>();
const changes = new Map<number, string>();

function intern({ foreground, background, flags }: Attributes): CellStyle {
  const key = `${foreground},${background},${flags}`;
  const number = numbers.get(key);
  if (number !== undefined) return number;
  if (known.length >= capacity && (foreground !== 0 || background !== 0)) {
    return intern({ ...plainAttributes, flags });
  }
  const added = known.push({ foreground, background, flags }) - 1;
  numbers.set(key, added);
  const seen = switches.some(({ onBlank }, bit) => onBlank && (flags & (1 << bit)) !== 0);
  blanks[added] = seen ? added : intern({ ...plainAttributes, background });
  return added;
}

/** The style of which a blank looks the same as one of `style`: mostly only the background counts. */
export function blankStyle(style: CellStyle): CellStyle {
  return blanks[style] ?? style;
}

/**
 * The style after `CSI parameters m` (ECMA-48 8.3.117, colours as ITU-T T.416 with semicolons or
 * colons). What means nothing to us changes nothing; all kinds of underline are one.
 */
export function applySgrCodes(style: CellStyle, parameters: string): CellStyle {
  const key = `${style};${parameters}`;
  const memo = applied.get(key);
  if (memo !== undefined) return memo;
  const result = intern(afterCodes(known[style] ?? plainAttributes, parameters));
  if (applied.size >= memoCapacity) applied.clear();
  applied.set(key, result);
  return result;
}

function afterCodes(before: Attributes, parameters: string): Attributes {
  let { foreground, background, flags } = before;
  const fields = parameters.split(';');
  for (let index = 0; index < fields.length; index++) {
    const [first = '', ...sub] = (fields[index] ?? '').split(':');
    const code = Number(first);
    if (code === 38 || code === 48 || code === 58) {
      const colons = sub.length > 0;
      const { colour, used } = extendedColour(colons ? sub : fields.slice(index + 1), colons);
      if (!colons) index += used;
      if (colour !== undefined && code === 38) foreground = colour;
      if (colour !== undefined && code === 48) background = colour;
    } else if (code === 0) ({ foreground, background, flags } = plainAttributes);
    else if (code === 39) foreground = 0;
    else if (code === 49) background = 0;
    else if (code >= 30 && code <= 37) foreground = code - 29;
    else if (code >= 90 && code <= 97) foreground = code - 81;
    else if (code >= 40 && code <= 47) background = code - 39;
    else if (code >= 100 && code <= 107) background = code - 91;
    else flags = afterSwitch(flags, code === 4 && sub[0] === '0' ? 24 : code === 21 ? 4 : code);
  }
  return { foreground, background, flags };
}

function afterSwitch(before: number, code: number): number {
  let flags = before;
  switches.forEach(({ on, off }, bit) => {
    if (code === on) flags |= 1 << bit;
    if (code === off) flags &= ~(1 << bit);
  });
  return flags;
}

/** The colour after 38 or 48, and how many of the semicolon fields it took. */
function extendedColour(
  fields: readonly string[],
  colons: boolean,
): { colour: number | undefined; used: number } {
  if (fields[0] === '5') {
    const index = Number(fields[1]);
    return { colour: index >= 0 && index <= 255 ? palette + index : undefined, used: 2 };
  }
  if (fields[0] !== '2') return { colour: undefined, used: 1 };
  const skip = colons && fields.length > 4 ? 2 : 1; // `2::r:g:b` names a colour space.
  const parts = fields.slice(skip, skip + 3).map(Number);
  const valid = parts.length === 3 && parts.every((part) => part >= 0 && part <= 255);
  const [red = 0, green = 0, blue = 0] = parts;
  return { colour: valid ? trueColour + red * 0x10000 + green * 0x100 + blue : undefined, used: 4 };
}

/** The shortest SGR sequence that leads from one style to the other; empty where they are equal. */
export function changeStyle(from: CellStyle, to: CellStyle): string {
  if (from === to) return '';
  const key = from * 0x10000 + to;
  const memo = changes.get(key);
  if (memo !== undefined) return memo;
  const target = known[to] ?? plainAttributes;
  const step = codesBetween(known[from] ?? plainAttributes, target).join(';');
  const anew = to === 0 ? '' : [0, ...codesBetween(plainAttributes, target)].join(';');
  const result = `\x1b[${anew.length < step.length ? anew : step}m`;
  if (changes.size >= memoCapacity) changes.clear();
  changes.set(key, result);
  return result;
}

/** The sequence that leads to a style whatever the terminal's is. */
export function setStyle(to: CellStyle): string {
  return to === 0
    ? '\x1b[m'
    : `\x1b[${[0, ...codesBetween(plainAttributes, known[to] ?? plainAttributes)].join(';')}m`;
}

function codesBetween(from: Attributes, to: Attributes): (number | string)[] {
  const off = new Set<number>();
  switches.forEach((part, bit) => {
    if ((from.flags & ~to.flags & (1 << bit)) !== 0) off.add(part.off);
  });
  const on = switches.filter((part, bit) => {
    const flag = 1 << bit;
    return (to.flags & flag) !== 0 && ((from.flags & flag) === 0 || off.has(part.off));
  });
  const codes: (number | string)[] = [...off, ...on.map((part) => part.on)];
  if (from.foreground !== to.foreground) codes.push(colourCode(to.foreground, 30));
  if (from.background !== to.background) codes.push(colourCode(to.background, 40));
  return codes;
}

/** `base` is 30 for the text's colour and 40 for the background's. */
function colourCode(colour: number, base: number): number | string {
  if (colour === 0) return base + 9;
  if (colour <= 8) return base + colour - 1;
  if (colour <= 16) return base + 60 + colour - 9;
  if (colour < trueColour) return `${base + 8};5;${colour - palette}`;
  const rgb = colour - trueColour;
  return `${base + 8};2;${rgb >> 16};${(rgb >> 8) & 255};${rgb & 255}`;
}
