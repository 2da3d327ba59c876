import stockWidth, { type Options } from 'string-width';
import { separateWidth } from './separate-characters.ts';

const ascii = /^[\x20-\x7e]*$/;

/** Colours in the forms that are certainly removed whole; other forms take the slow path. */
// eslint-disable-next-line no-control-regex
const colours = /\x1b\[(?:\d{1,4}(?:;\d{0,4})*)?m/g;

const flag = /^\p{RGI_Emoji_Flag_Sequence}$/v;

/**
 * Returns the cells that text takes on a terminal, as the package `string-width` does, but faster for
 * text of separate characters: the first `Intl.Segmenter` of a process costs 20 ms, and the package's
 * expression of all emoji as much.
 */
export function stringWidth(text: string, options?: Options): number {
  if (ascii.test(text)) return text.length;
  const width = options === undefined ? simpleWidth(text) : undefined;
  return width ?? stockWidth(text, options);
}

/** Returns undefined if the width may differ from the sum of the code points' widths. */
function simpleWidth(text: string): number | undefined {
  const shown = text.includes('\x1b') ? text.replaceAll(colours, '') : text;
  let width = 0;
  let isAfterFlag = false;
  for (let index = 0; index < shown.length; index += 1) {
    const codePoint = shown.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index += 1;
    if (isRegional(codePoint)) {
      width += flag.test(shown.slice(index - 1, index + 3)) ? 2 : 1;
      if (isRegional(shown.codePointAt(index + 1) ?? 0)) index += 2;
      isAfterFlag = true;
      continue;
    }
    const cells = separateWidth(codePoint);
    // A mark after a flag changes its width.
    if (cells === undefined || (cells === 0 && isAfterFlag)) return undefined;
    isAfterFlag = false;
    width += cells;
  }
  return width;
}

/** Returns whether a code point is half of a flag. */
function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
