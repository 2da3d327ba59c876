import { tokenize } from '@alcalzone/ansi-tokenize';
import {
  applyCellSgr,
  type CellStyle,
  encodeStyleSteps,
} from '../../terminal/screen/cell-style.ts';
import { separateWidth } from '../../terminal/screen/separate-characters.ts';
import { stringWidth } from '../../terminal/screen/string-width.ts';
import { BoundedCache } from './bounded-cache.ts';

/** The characters of a styled text. The arrays are parallel. */
export interface StyledLine {
  readonly values: readonly string[];
  /** Cells of each character; 0 for a combining one. */
  readonly widths: readonly number[];
  readonly styles: readonly CellStyle[];
}

const lines = new BoundedCache<StyledLine>(2000);

const sgr = /\x1b\[([\d;]*)m/y; // eslint-disable-line no-control-regex
const invisible = /^\p{Default_Ignorable_Code_Point}+$/u;

/** Splits a text into the characters that `@alcalzone/ansi-tokenize` finds, without invisible ones. */
export function styledLine(text: string): StyledLine {
  const cached = lines.get(text);
  if (cached !== undefined) return cached;
  const line = parseSimple(text) ?? parseAny(text);
  lines.set(text, line);
  return line;
}

/** Encodes the characters `from` to `to` of a line as text with SGR codes. */
export function lineText(line: StyledLine, from = 0, to = line.values.length): string {
  let text = '';
  let style: CellStyle = 0;
  for (let index = from; index < to; index += 1) {
    const next = line.styles[index] ?? 0;
    text += encodeStyleSteps(style, next) + (line.values[index] ?? '');
    style = next;
  }
  return text + encodeStyleSteps(style, 0);
}

/** Parses text of separate characters and SGR codes; undefined for any other text. */
function parseSimple(text: string): StyledLine | undefined {
  const values: string[] = [];
  const widths: number[] = [];
  const styles: CellStyle[] = [];
  let style: CellStyle = 0;
  for (let index = 0; index < text.length; ) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint === 0x1b) {
      sgr.lastIndex = index;
      const [sequence, parameters = ''] = sgr.exec(text) ?? [];
      if (sequence === undefined) return undefined;
      style = applyCellSgr(style, parameters);
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

function parseAny(text: string): StyledLine {
  const values: string[] = [];
  const styles: CellStyle[] = [];
  let style: CellStyle = 0;
  for (const token of tokenize(text)) {
    if (token.type === 'ansi') {
      sgr.lastIndex = 0;
      const parameters = sgr.exec(token.code)?.[1];
      if (parameters !== undefined) style = applyCellSgr(style, parameters);
    } else if (token.type === 'char' && !invisible.test(token.value)) {
      values.push(token.value);
      styles.push(style);
    }
  }
  return { values, widths: values.map((value) => stringWidth(value)), styles };
}
