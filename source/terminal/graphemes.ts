import { separateWidth } from './separate-characters.ts';

let real: Intl.Segmenter | undefined;

type Cluster = Pick<Intl.SegmentData, 'segment' | 'index' | 'input'>;

/**
 * Gives the same grapheme clusters as `Intl.Segmenter`, in whose place it stands in the built
 * program. But the real one, which takes 20 ms to make, is only made for text in which a cluster
 * may have several code points.
 */
export class Graphemes {
  /** The clusters of a text, in order. */
  segment(text: string): Iterable<Cluster> {
    if (isSeparate(text)) return codePointsOf(text);
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

function* codePointsOf(input: string): Iterable<Cluster> {
  let index = 0;
  for (const segment of input) {
    yield { segment, index, input };
    index += segment.length;
  }
}
