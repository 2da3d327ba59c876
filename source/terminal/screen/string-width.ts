import stockWidth, { type Options } from 'string-width';
import { separateWidth } from './separate-characters.ts';

const ascii = /^[\x20-\x7e]*$/;

/** Colours, in the forms that are certainly taken out whole; the rest is left to the slow way. */
// eslint-disable-next-line no-control-regex
const colours = /\x1b\[(?:\d{1,4}(?:;\d{0,4})*)?m/g;

const flag = /^\p{RGI_Emoji_Flag_Sequence}$/v;

/**
 * Cells that text takes on a terminal: what the package `string-width` says, without its costs for
 * text of separate characters. Those are 20 ms for the first `Intl.Segmenter` of a process and as
 * much for its expression of all emoji.
 */
export function stringWidth(text: string, options?: Options): number {
  if (ascii.test(text)) return text.length;
  const width = options === undefined ? simpleWidth(text) : undefined;
  return width ?? stockWidth(text, options);
}

/** Undefined where code points may form clusters that are more or less than their sum. */
function simpleWidth(text: string): number | undefined {
  const shown = text.includes('\x1b') ? text.replaceAll(colours, '') : text;
  let width = 0;
  let afterFlag = false;
  for (let index = 0; index < shown.length; index += 1) {
    const codePoint = shown.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index += 1;
    if (isRegional(codePoint)) {
      width += flag.test(shown.slice(index - 1, index + 3)) ? 2 : 1;
      if (isRegional(shown.codePointAt(index + 1) ?? 0)) index += 2;
      afterFlag = true;
      continue;
    }
    const cells = separateWidth(codePoint);
    // A flag with a mark is a flag no more.
    if (cells === undefined || (cells === 0 && afterFlag)) return undefined;
    afterFlag = false;
    width += cells;
  }
  return width;
}

/** Half of a flag: two make one, where there is such a flag. */
function isRegional(codePoint: number): boolean {
  return codePoint >= 0x1f1e6 && codePoint <= 0x1f1ff;
}
