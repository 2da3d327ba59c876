import { CodePoints } from './code-points.ts';
import { isWide } from './wide-characters.ts';

/**
 * Code points that form no cluster with others of this list, whatever their order, so that a width
 * is the sum of theirs. Between: marks, controls, joiners, Indic, jamo, flags, skin tones.
 */
const separate = new CodePoints(`
20-7e a0-ac ae-2ff 370-482 48a-590 5be 5d0-5ff 620-64a 660-66f 671-6d5 e01-e30 e32 e3f-e46
e4f-e5b 1e00-200a 2010-2027 202f-205f 2070-20cf 2100-2cee 2d00-2d7e 2e00-3029 3030-3098
309b-3163 3165-a66e ac00-d7a3 f900-fb1d fb1f-fdff fe10-fe1f fe30-fefe ff00-ff9d ffa1-ffef
fffc-ffff 1f000-1f1e5 1f200-1f3fa 1f400-1faff 20000-3fffd`);

/** Marks drawn into the cell before them, whatever that is: Latin, Hebrew, Arabic and Thai ones. */
const marks = new CodePoints(`
300-36f 591-5bd 64b-65f e31 e34-e3a e47-e4e`);

/**
 * Cells of a code point that adds the same to any text of such code points; undefined for one that
 * may join its neighbours. Line feeds, between which widths are measured, take none.
 */
export function separateWidth(codePoint: number): number | undefined {
  if (codePoint >= 0x20 && codePoint <= 0x7e) return 1;
  if (codePoint >= 0x2190 && codePoint <= 0x2319) return 1;
  if (codePoint >= 0x2500 && codePoint <= 0x25fc) return 1;
  if (codePoint === 0x0a) return 0;
  if (separate.has(codePoint)) return isWide(codePoint) ? 2 : 1;
  return marks.has(codePoint) ? 0 : undefined;
}
