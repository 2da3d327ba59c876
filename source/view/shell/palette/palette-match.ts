import type { PaletteRow } from '../../../store/prompts/palette.ts';

/** What was typed, ready to be looked for. */
export interface PaletteQuery {
  /** In lower case, its words with one space between them. */
  readonly text: string;
  readonly words: readonly string[];
}

/** What can be found: by the words of its name, less well by more words, worst by synonyms. In lower case. */
export interface Findable {
  readonly name: string;
  readonly more: string;
  readonly synonyms: string;
}

/** Code units of what is typed; a longer text is a paste that went astray, and finds nothing. */
const longestQuery = 1024;
const mostWords = 16;

/** Code units of a name that are looked at. */
const longestName = 1024;

/** Undefined for what nothing can be found by. */
export function paletteQuery(typed: string): PaletteQuery | undefined {
  if (typed.length > longestQuery) return undefined;
  const words = typed
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const distinct = [...new Set(words)];
  return distinct.length > mostWords ? undefined : { text: words.join(' '), words: distinct };
}

export function findable(name: string, more = '', synonyms = ''): Findable {
  return {
    name: name.slice(0, longestName).toLowerCase(),
    more: more.slice(0, longestName).toLowerCase(),
    synonyms: synonyms.slice(0, longestName).toLowerCase(),
  };
}

/**
 * How well it fits, 0 the best; undefined when it does not: every word typed has to begin one of
 * its words, in any order.
 */
export function paletteFit(query: PaletteQuery, found: Findable): number | undefined {
  const { text, words } = query;
  const { name, more, synonyms } = found;
  if (name.startsWith(text)) return name.length === text.length ? 0 : 1;
  let inName = true;
  let bySynonym = false;
  for (const word of words) {
    if (inName && beginsWord(name, word)) continue;
    inName = false;
    if (beginsWord(more, word) || beginsWord(name, word)) continue;
    if (!beginsWord(synonyms, word)) return undefined;
    bySynonym = true;
  }
  if (bySynonym) return 5;
  if (!inName) return 4;
  return words.some((word) => name.startsWith(word)) ? 2 : 3;
}

/** Whether one of the words in a text begins so. */
function beginsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !isWordPart(text, at - 1) || !isWordPart(word, 0)) return true;
  }
  return false;
}

const wordPart = /[\p{L}\p{M}\p{N}]/u;

function isWordPart(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code > 127) return wordPart.test(text.charAt(at));
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
}

/** Something that can be found; its row is made when it is. */
export interface PaletteCandidate {
  readonly found: Findable;
  readonly row: () => PaletteRow;
}

/**
 * The `most` candidates that fit best, the best first: by how well, then the kinds as they come,
 * then the shorter name, of which more was typed, then as they come.
 */
export function bestFitting(
  query: PaletteQuery,
  kinds: readonly (readonly PaletteCandidate[])[],
  most: number,
): readonly PaletteCandidate[] {
  const best: { readonly rank: number; readonly candidate: PaletteCandidate }[] = [];
  for (const [kind, candidates] of kinds.entries()) {
    for (const candidate of candidates) {
      const fit = paletteFit(query, candidate.found);
      if (fit === undefined) continue;
      const length = Math.min(candidate.found.name.length, longestName);
      const rank = (fit * kinds.length + kind) * (longestName + 1) + length;
      const last = best.at(-1);
      if (best.length === most && last !== undefined && last.rank <= rank) continue;
      let at = best.length;
      while (at > 0 && (best[at - 1]?.rank ?? 0) > rank) at -= 1;
      best.splice(at, 0, { rank, candidate });
      if (best.length > most) best.pop();
    }
  }
  return best.map(({ candidate }) => candidate);
}
