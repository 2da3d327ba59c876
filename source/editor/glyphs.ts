import { findClusterBreak } from '@codemirror/state';

/** How characters come to be cells of a screen; handed in by whoever draws. */
export interface Drawing {
  /** What stands on the screen for a grapheme cluster: control characters in a visible form. */
  readonly show: (cluster: string) => string;
  /** The cells that such shown text takes. */
  readonly measure: (shown: string) => number;
}

/** A cluster as it is drawn. */
export interface Glyph {
  readonly shown: string;
  readonly cells: number;
}

/** Code units of one cluster, at most: longer ones are hostile, and would be walked for every key. */
const longestCluster = 64;

const mostRemembered = 4096;

const joiner = 0x200d;

/** Whether a code unit never extends a cluster: Latin, Cyrillic, CJK and Hangul letters. */
function begins(code: number): boolean {
  return (
    code < 0x300 ||
    (code >= 0x370 && code < 0x483) ||
    (code >= 0x3400 && code < 0xa000) ||
    (code >= 0xac00 && code < 0xd7a4)
  );
}

function isSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xe000;
}

/** Where the cluster that begins at `from` ends. For most letters, that takes one look. */
export function clusterEnd(text: string, from: number): number {
  const code = text.charCodeAt(from);
  const next = from + 1;
  if (next >= text.length) return text.length;
  // Nothing extends a control character.
  if (code < 0x20 || (begins(text.charCodeAt(next)) && !isSurrogate(code))) return next;
  const near = text.slice(from, from + longestCluster);
  const end = from + findClusterBreak(near, 0);
  const isCut = end - from === longestCluster && end < text.length;
  const isInPair = isCut && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return isInPair ? end - 1 : end;
}

/** Whether a cluster surely begins at an offset, by a look at what stands there and before. */
export function isClusterStart(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  // A joiner takes in whatever follows it.
  if (before === joiner) return false;
  if (begins(code)) return true;
  // Surrogates may be halves, or flags, which pair up from their first one on.
  if (isSurrogate(code) || isSurrogate(before)) return false;
  return findClusterBreak(text.slice(offset - 1, offset + 1), 0) === 1;
}

/** Whether a code unit is, without what might follow it, one cell that shows itself. */
export function isPlain(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** The glyphs of clusters, each asked for once. */
export class EditorGlyphs {
  readonly #drawing: Drawing;
  readonly #known = new Map<string, Glyph>();

  constructor(drawing: Drawing) {
    this.#drawing = drawing;
  }

  of(cluster: string): Glyph {
    let glyph = this.#known.get(cluster);
    if (glyph === undefined) {
      const shown = this.#drawing.show(cluster);
      glyph = { shown, cells: this.#drawing.measure(shown) };
      if (this.#known.size >= mostRemembered) this.#known.clear();
      this.#known.set(cluster, glyph);
    }
    return glyph;
  }
}
