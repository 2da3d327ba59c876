import {
  type AnsiCode,
  ansiCodesToString,
  diffAnsiCodes,
  reduceAnsiCodesIncremental,
  styledCharsFromTokens,
  tokenize,
} from '@alcalzone/ansi-tokenize';
import { separateWidth } from '../../terminal/screen/separate-characters.ts';
import { stringWidth } from '../../terminal/screen/string-width.ts';
import { BoundedCache } from './bounded-cache.ts';

/** A line of styled text, taken apart: the same index in each array speaks of the same character. */
export interface StyledLine {
  readonly values: readonly string[];
  /** Cells of each character; 0 for one that only joins others. */
  readonly widths: readonly number[];
  /** Style of each character, as {@link styleChange} knows it. */
  readonly styles: readonly number[];
}

/** The style of text without any. */
export const plainStyle = 0;

const stylesByKey = new Map<string, number>([['', plainStyle]]);
const codesOfStyle: (readonly AnsiCode[])[] = [[]];
const changes = new Map<number, string>();
const sequenceCodes = new BoundedCache<readonly AnsiCode[]>(1000);
const lines = new BoundedCache<StyledLine>(2000);

// eslint-disable-next-line no-control-regex
const colour = /\x1b\[[\d;]*m/y;
const invisible = /^\p{Default_Ignorable_Code_Point}+$/u;

/** Styles that a program shows at once are few; colours of a log may bring any number of them. */
const mostStyles = 5000;

/** Takes a line apart as `@alcalzone/ansi-tokenize` does, without its invisible characters. */
export function styledLine(text: string): StyledLine {
  const known = lines.get(text);
  if (known !== undefined) return known;
  const line = readSimple(text) ?? readAny(text);
  lines.set(text, line);
  return line;
}

/** What switches a terminal from one style to another: the codes to end, then those to begin. */
export function styleChange(from: number, to: number): string {
  if (from === to) return '';
  const key = from * 2 ** 26 + to;
  let change = changes.get(key);
  if (change === undefined) {
    const next = codesOfStyle[to] ?? [];
    change = ansiCodesToString(
      from === plainStyle ? [...next] : diffAnsiCodes([...(codesOfStyle[from] ?? [])], [...next]),
    );
    changes.set(key, change);
  }
  return change;
}

/** The line as text again, from its character `from` on, up to `to`. */
export function lineText(line: StyledLine, from = 0, to = line.values.length): string {
  let text = '';
  let style = plainStyle;
  for (let index = from; index < to; index += 1) {
    const next = line.styles[index] ?? plainStyle;
    text += styleChange(style, next) + (line.values[index] ?? '');
    style = next;
  }
  return text + styleChange(style, plainStyle);
}

/** Drops what was learnt of styles, once there are too many. No line may be in use meanwhile. */
export function forgetStyles(): boolean {
  if (codesOfStyle.length < mostStyles) return false;
  stylesByKey.clear();
  stylesByKey.set('', plainStyle);
  codesOfStyle.length = 1;
  changes.clear();
  lines.clear();
  return true;
}

/** Text of separate characters with colours between; undefined where there is anything else. */
function readSimple(text: string): StyledLine | undefined {
  const values: string[] = [];
  const widths: number[] = [];
  const styles: number[] = [];
  let codes: readonly AnsiCode[] = [];
  let style = plainStyle;
  for (let index = 0; index < text.length; ) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint === 0x1b) {
      colour.lastIndex = index;
      const sequence = colour.exec(text)?.[0];
      if (sequence === undefined) return undefined;
      codes = reduceAnsiCodesIncremental([...codes], [...codesIn(sequence)]);
      style = styleOf(codes);
      index += sequence.length;
      continue;
    }
    const width = codePoint === 0x0a ? 0 : separateWidth(codePoint);
    if (width === undefined || (width === 0 && codePoint !== 0x0a)) return undefined;
    const value = String.fromCodePoint(codePoint);
    values.push(value);
    widths.push(width);
    styles.push(style);
    index += value.length;
  }
  return { values, widths, styles };
}

function readAny(text: string): StyledLine {
  const characters = styledCharsFromTokens(tokenize(text)).filter(
    ({ value }) => !invisible.test(value),
  );
  return {
    values: characters.map(({ value }) => value),
    widths: characters.map(({ value }) => stringWidth(value)),
    styles: characters.map((character) => styleOf(character.styles)),
  };
}

function codesIn(sequence: string): readonly AnsiCode[] {
  let codes = sequenceCodes.get(sequence);
  if (codes === undefined) {
    codes = tokenize(sequence).filter((token) => token.type === 'ansi');
    sequenceCodes.set(sequence, codes);
  }
  return codes;
}

function styleOf(codes: readonly AnsiCode[]): number {
  if (codes.length === 0) return plainStyle;
  const key = codes.map(({ code, endCode }) => `${code}\0${endCode}`).join('\0');
  let style = stylesByKey.get(key);
  if (style === undefined) {
    style = codesOfStyle.push(codes) - 1;
    stylesByKey.set(key, style);
  }
  return style;
}
