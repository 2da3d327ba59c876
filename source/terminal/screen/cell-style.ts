import { applySgr, attributes, encodeSgr, plainText, type TextStyle } from './sgr.ts';

/** Number of an interned text style, in 16 bits; 0 is plain. Equal styles have equal numbers. */
export type CellStyle = number;

/** A run of sanitised text in one style. */
export interface StyledSpan {
  readonly text: string;
  readonly style: CellStyle;
}

/** A row of text, from its first cell on. */
export type StyledRow = readonly StyledSpan[];

/** Largest number of styles. Text from outside may have any number, so later ones lose their colours. */
const capacity = 0x10000 - (1 << attributes.length);
const memoCapacity = 20_000;

const styles: TextStyle[] = [plainText];
const blanks: CellStyle[] = [0];
const numbers = new Map<string, CellStyle>([['0,,', 0]]);
const applied = new Map<string, CellStyle>();
const changes = new Map<number, string>();
const steps = new Map<number, string>();

/** Returns the number of a style. */
export function internStyle(style: TextStyle): CellStyle {
  const { color, backgroundColor } = style;
  const flags = flagsOf(style);
  const key = `${flags},${color ?? ''},${backgroundColor ?? ''}`;
  const number = numbers.get(key);
  if (number !== undefined) return number;
  if (styles.length >= capacity && (color !== undefined || backgroundColor !== undefined)) {
    return internStyle({ ...style, color: undefined, backgroundColor: undefined });
  }
  const added = styles.push(style) - 1;
  numbers.set(key, added);
  const isSeen = attributes.some(({ name, onBlank }) => onBlank && style[name] === true);
  blanks[added] = isSeen ? added : internStyle({ backgroundColor });
  return added;
}

/** One bit for each attribute that is set. */
function flagsOf(style: TextStyle): number {
  let flags = 0;
  for (let bit = 0; bit < attributes.length; bit++) {
    const name = attributes[bit]?.name;
    if (name !== undefined && style[name] === true) flags |= 1 << bit;
  }
  return flags;
}

/** Returns the simplest style in which a blank looks as in `style`: mostly the background alone. */
export function blankStyle(style: CellStyle): CellStyle {
  return blanks[style] ?? style;
}

/** Returns the style with those colours of `below` that it has not itself. */
export function styleOver(style: CellStyle, below: TextStyle): CellStyle {
  const {
    color = below.color,
    backgroundColor = below.backgroundColor,
    ...rest
  } = styles[style] ?? plainText;
  return internStyle({ ...rest, color, backgroundColor });
}

/** Returns the style after `CSI parameters m`. */
export function applyCellSgr(style: CellStyle, parameters: string): CellStyle {
  const key = `${style};${parameters}`;
  const memo = applied.get(key);
  if (memo !== undefined) return memo;
  const result = internStyle(applySgr(styles[style] ?? plainText, parameters));
  if (applied.size >= memoCapacity) applied.clear();
  applied.set(key, result);
  return result;
}

/** Returns the shortest SGR sequence that leads from one style to the other; empty if equal. */
export function encodeStyleChange(from: CellStyle, to: CellStyle): string {
  if (from === to) return '';
  const key = from * 0x10000 + to;
  const memo = changes.get(key);
  if (memo !== undefined) return memo;
  const target = styles[to] ?? plainText;
  const step = encodeSgr(styles[from] ?? plainText, target).join(';');
  const reset = to === 0 ? '' : ['0', ...encodeSgr(plainText, target)].join(';');
  const result = `\x1b[${reset.length < step.length ? reset : step}m`;
  if (changes.size >= memoCapacity) changes.clear();
  changes.set(key, result);
  return result;
}

/** Returns the sequence that sets a style whatever the current one is. */
export function encodeStyle(to: CellStyle): string {
  return to === 0
    ? '\x1b[m'
    : `\x1b[${['0', ...encodeSgr(plainText, styles[to] ?? plainText)].join(';')}m`;
}

/**
 * Returns the sequences that lead from one style to the other, one for each attribute and without a
 * reset, so that Ink's transforms may wrap the text in styles of their own.
 */
export function encodeStyleSteps(from: CellStyle, to: CellStyle): string {
  if (from === to) return '';
  const key = from * 0x10000 + to;
  const memo = steps.get(key);
  if (memo !== undefined) return memo;
  const codes = encodeSgr(styles[from] ?? plainText, styles[to] ?? plainText);
  const result = codes.map((code) => `\x1b[${code}m`).join('');
  if (steps.size >= memoCapacity) steps.clear();
  steps.set(key, result);
  return result;
}

/** Returns a row as text with SGR, for Ink. */
export function encodeRow(row: StyledRow): string {
  return row
    .map(({ text, style }) =>
      style === 0 || text === '' ? text : `${encodeStyleSteps(0, style)}${text}\x1b[0m`,
    )
    .join('');
}
