import { findClusterBreak } from '@codemirror/state';

/** The functions that turn grapheme clusters into terminal cells; provided by the renderer. */
export interface GlyphRenderer {
  /** Returns the text drawn for a grapheme cluster: control characters in a visible form. */
  readonly show: (cluster: string) => string;
  /** Returns the cells that drawn text occupies. */
  readonly measure: (shown: string) => number;
}

/** The drawn form of a cluster. */
export interface Glyph {
  readonly text: string;
  readonly cells: number;
}

/** The longest cluster in code units. Longer ones are hostile, and every key would walk them. */
const maxClusterLength = 64;

const maxCachedGlyphs = 4096;

const joiner = 0x200d;

/** Returns true for units that never extend a cluster: Latin, Cyrillic, CJK and Hangul letters. */
function neverExtends(code: number): boolean {
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

/** Returns the end of the cluster that starts at `from`. Most letters need no segmentation. */
export function findClusterEnd(text: string, from: number): number {
  const code = text.charCodeAt(from);
  const next = from + 1;
  if (next >= text.length) return text.length;
  // A control character is never extended.
  if (code < 0x20 || (neverExtends(text.charCodeAt(next)) && !isSurrogate(code))) return next;
  const window = text.slice(from, from + maxClusterLength);
  const end = from + findClusterBreak(window, 0);
  const isCut = end - from === maxClusterLength && end < text.length;
  const isInPair = isCut && /^[\ud800-\udbff][\udc00-\udfff]$/.test(text.slice(end - 1, end + 1));
  return isInPair ? end - 1 : end;
}

/** Returns true when a cluster certainly starts at an offset, judging by the units around it. */
export function isClusterStart(text: string, offset: number): boolean {
  const code = text.charCodeAt(offset);
  const before = text.charCodeAt(offset - 1);
  // A joiner always continues its cluster.
  if (before === joiner) return false;
  if (neverExtends(code)) return true;
  // A surrogate may be the second half of a pair. Flags pair up from the first one of their run.
  if (isSurrogate(code) || isSurrogate(before)) return false;
  return findClusterBreak(text.slice(offset - 1, offset + 1), 0) === 1;
}

/** Returns true for printable ASCII: one cell, drawn as it is unless a mark follows. */
export function isPrintableAscii(code: number): boolean {
  return code >= 0x20 && code < 0x7f;
}

/** Caches the glyph of each cluster. */
export class GlyphCache {
  readonly #drawing: GlyphRenderer;
  readonly #cache = new Map<string, Glyph>();

  constructor(drawing: GlyphRenderer) {
    this.#drawing = drawing;
  }

  get(cluster: string): Glyph {
    let glyph = this.#cache.get(cluster);
    if (glyph === undefined) {
      const shown = this.#drawing.show(cluster);
      glyph = { text: shown, cells: this.#drawing.measure(shown) };
      if (this.#cache.size >= maxCachedGlyphs) this.#cache.clear();
      this.#cache.set(cluster, glyph);
    }
    return glyph;
  }
}
