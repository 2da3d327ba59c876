import { separateWidth } from './separate-characters.ts';

let real: Intl.Segmenter | undefined;

type Cluster = Pick<Intl.SegmentData, 'segment' | 'index' | 'input'>;

interface Clusters extends Iterable<Cluster> {
  /** Returns the cluster around a code unit; undefined outside of the text. */
  containing(at?: number): Cluster | undefined;
}

/**
 * Splits text into the same grapheme clusters as `Intl.Segmenter`, which it replaces in the built
 * program. A real segmenter takes 20 ms to create, so it is created only for text in which a cluster
 * may have several code points.
 */
export class Graphemes {
  /** Returns the clusters of a text, in order. */
  segment(text: string): Clusters {
    if (isSeparate(text)) return new CodePoints(text);
    real ??= new Intl.Segmenter();
    return real.segment(text);
  }
}

/** Returns whether each code point is a cluster of its own. */
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
