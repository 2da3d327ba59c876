/**
 * Tables of the code points whose widths can be summed, so that most text needs no segmentation into
 * grapheme clusters.
 */

/** A set of code points, given as hexadecimal ranges such as `41-5a 5f`. */
class CodePoints {
  readonly #text: string;
  /** First code points of the ranges at even places, last ones at odd places; parsed on first use. */
  #bounds: Uint32Array | undefined;

  constructor(ranges: string) {
    this.#text = ranges;
  }

  has(codePoint: number): boolean {
    this.#bounds ??= parseRanges(this.#text);
    const bounds = this.#bounds;
    let low = 0;
    let high = bounds.length / 2 - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      if (codePoint < (bounds[2 * middle] ?? 0)) high = middle - 1;
      else if (codePoint > (bounds[2 * middle + 1] ?? 0)) low = middle + 1;
      else return true;
    }
    return false;
  }
}

function parseRanges(text: string): Uint32Array {
  const ranges = text.trim().split(/\s+/);
  return Uint32Array.from(
    ranges.flatMap((range) => {
      const [first = '', last = first] = range.split('-');
      return [Number.parseInt(first, 16), Number.parseInt(last, 16)];
    }),
  );
}

/** East Asian Width W and F, Unicode 17. */
const wide = new CodePoints(`
1100-115f 231a-231b 2329-232a 23e9-23ec 23f0 23f3 25fd-25fe 2614-2615 2630-2637 2648-2653 267f
268a-268f 2693 26a1 26aa-26ab 26bd-26be 26c4-26c5 26ce 26d4 26ea 26f2-26f3 26f5 26fa 26fd 2705
270a-270b 2728 274c 274e 2753-2755 2757 2795-2797 27b0 27bf 2b1b-2b1c 2b50 2b55 2e80-2e99 2e9b-2ef3
2f00-2fd5 2ff0-303e 3041-3096 3099-30ff 3105-312f 3131-318e 3190-31e5 31ef-321e 3220-3247 3250-a48c
a490-a4c6 a960-a97c ac00-d7a3 f900-faff fe10-fe19 fe30-fe52 fe54-fe66 fe68-fe6b ff01-ff60 ffe0-ffe6
16fe0-16fe4 16ff0-16ff6 17000-18cda 18cff-18d20 18d80-18df2 18e00-19191 191a0-191d2 1aff0-1aff3
1aff5-1affb 1affd-1affe 1b000-1b128 1b132 1b150-1b152 1b155 1b164-1b168 1b170-1b2fb 1d300-1d356
1d360-1d376 1f004 1f0cf 1f18e 1f191-1f19a 1f1ae 1f200-1f202 1f210-1f23b 1f240-1f248 1f250-1f251
1f260-1f265 1f300-1f320 1f32d-1f335 1f337-1f37c 1f37e-1f393 1f3a0-1f3ca 1f3cf-1f3d3 1f3e0-1f3f0
1f3f4 1f3f8-1f43e 1f440 1f442-1f4fc 1f4ff-1f53d 1f54b-1f54e 1f550-1f567 1f57a 1f595-1f596 1f5a4
1f5fb-1f64f 1f680-1f6c5 1f6cc 1f6d0-1f6d2 1f6d5-1f6d9 1f6dc-1f6df 1f6eb-1f6ec 1f6f4-1f6fc 1f7da
1f7e0-1f7eb 1f7f0 1f90c-1f93a 1f93c-1f945 1f947-1f9ff 1fa70-1fa7c 1fa80-1fac6 1fac8 1facc-1fadd
1fadf-1faeb 1faef-1fafa 20000-2fffd 30000-3fffd`);

/**
 * Code points that form no cluster with others of this list in any order, so that the width of a
 * text is the sum of theirs. Missing: marks, controls, joiners, Indic, jamo, flags, skin tones.
 */
const separate = new CodePoints(`
20-7e a0-ac ae-2ff 370-482 48a-590 5be 5d0-5ff 620-64a 660-66f 671-6d5 e01-e30 e32 e3f-e46
e4f-e5b 1e00-200a 2010-2027 202f-205f 2070-20cf 2100-2cee 2d00-2d7e 2e00-3029 3030-3098
309b-3163 3165-a66e ac00-d7a3 f900-fb1d fb1f-fdff fe10-fe1f fe30-fefe ff00-ff9d ffa1-ffef
fffc-ffff 1f000-1f1e5 1f200-1f3fa 1f400-1faff 20000-3fffd`);

/** Marks of Latin, Hebrew, Arabic and Thai, which are drawn into the cell before them. */
const marks = new CodePoints(`
300-36f 591-5bd 64b-65f e31 e34-e3a e47-e4e`);

/** Returns whether a code point takes two cells on a terminal, by itself. */
export function isWide(codePoint: number): boolean {
  return codePoint >= 0x1100 && wide.has(codePoint);
}

/**
 * Returns the cells that a code point adds to any text of such code points; undefined if it may join
 * its neighbours. A line feed takes none, as widths are measured between line feeds.
 */
export function separateWidth(codePoint: number): number | undefined {
  if (codePoint >= 0x20 && codePoint <= 0x7e) return 1;
  if (codePoint >= 0x2190 && codePoint <= 0x2319) return 1;
  if (codePoint >= 0x2500 && codePoint <= 0x25fc) return 1;
  if (codePoint === 0x0a) return 0;
  if (separate.has(codePoint)) return isWide(codePoint) ? 2 : 1;
  return marks.has(codePoint) ? 0 : undefined;
}
