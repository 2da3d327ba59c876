import { separateWidth } from './separate-characters.ts';

let real: Intl.Segmenter | undefined;

type Cluster = Pick<Intl.SegmentData, 'segment' | 'index' | 'input'>;

interface Clusters extends Iterable<Cluster> {
  /** The cluster around a code unit; undefined outside of the text. */
  containing(at?: number): Cluster | undefined;
}

/**
 * Gives the same grapheme clusters as `Intl.Segmenter`, in whose place it stands in the built
 * program. But the real one, which takes 20 ms to make, is only made for text in which a cluster
 * may have several code points.
 */
export class Graphemes {
  /** The clusters of a text, in order, and by the code units in them. */
  segment(text: string): Clusters {
    if (isSeparate(text)) return new CodePoints(text);
    real ??= new Intl.Segmenter();
    return real.segment(text);
  }
}

/** Whether each code point is a cluster of its own. */
function isSeparate(text: string): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const codePoint = text.codePointAt(index) ?? 0;
    if (codePoint > 0xffff) index += 1;
    if (codePoint < 0x20 ? codePoint === 0x0d : !separateWidth(codePoint)) return false;
  }
  return true;
}

class CodePoints implements Clusters {
  readonly #input: string;

  constructor(input: string) {
    this.#input = input;
  }

  *[Symbol.iterator](): Iterator<Cluster> {
    const input = this.#input;
    let index = 0;
    for (const segment of input) {
      yield { segment, index, input };
      index += segment.length;
    }
  }

  containing(at = 0): Cluster | undefined {
    const input = this.#input;
    const before = input.codePointAt(at - 1) ?? 0;
    const index = before > 0xffff ? at - 1 : at;
    const codePoint = input.codePointAt(index);
    if (codePoint === undefined) return undefined;
    return { segment: String.fromCodePoint(codePoint), index, input };
  }
}
