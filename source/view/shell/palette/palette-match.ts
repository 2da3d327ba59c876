import type { PaletteRow } from '../../../store/prompts/palette.ts';

/** A parsed search text of the palette. */
export interface PaletteQuery {
  /** Search text in lower case, with single spaces between words. */
  readonly text: string;
  readonly words: readonly string[];
}

/** Searchable text in lower case: words of the name rank first, then `more`, then synonyms. */
export interface Searchable {
  readonly name: string;
  readonly more: string;
  readonly synonyms: string;
}

/** Maximum code units of a search text; a longer one is an accidental paste and finds nothing. */
const longestQuery = 1024;
const maxWords = 16;

/** Maximum code units of a name that are searched. */
const longestName = 1024;

/** Parses a search text; undefined when it is too long or has too many words. */
export function paletteQuery(typed: string): PaletteQuery | undefined {
  if (typed.length > longestQuery) return undefined;
  const words = typed
    .toLowerCase()
    .split(/\s+/u)
    .filter((word) => word !== '');
  const distinct = [...new Set(words)];
  return distinct.length > maxWords ? undefined : { text: words.join(' '), words: distinct };
}

export function toSearchable(name: string, more = '', synonyms = ''): Searchable {
  return {
    name: name.slice(0, longestName).toLowerCase(),
    more: more.slice(0, longestName).toLowerCase(),
    synonyms: synonyms.slice(0, longestName).toLowerCase(),
  };
}

/**
 * Ranks a match from 0 (best) to 5; undefined for no match. Every word of the query must begin a
 * word of the text, in any order.
 */
export function rankMatch(query: PaletteQuery, item: Searchable): number | undefined {
  const { text, words } = query;
  const { name, more, synonyms } = item;
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

/** Returns true when a word of the text begins with `word`. */
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

/** A searchable item; its row is created only for a match. */
export interface PaletteCandidate {
  readonly searchable: Searchable;
  readonly row: () => PaletteRow;
}

/**
 * Returns the `most` best candidates, best first: by rank, then by kind, then by length of the name,
 * then in the given order.
 */
export function bestMatches(
  query: PaletteQuery,
  kinds: readonly (readonly PaletteCandidate[])[],
  most: number,
): readonly PaletteCandidate[] {
  const best: { readonly rank: number; readonly candidate: PaletteCandidate }[] = [];
  for (const [kind, candidates] of kinds.entries()) {
    for (const candidate of candidates) {
      const matchRank = rankMatch(query, candidate.searchable);
      if (matchRank === undefined) continue;
      const length = Math.min(candidate.searchable.name.length, longestName);
      const rank = (matchRank * kinds.length + kind) * (longestName + 1) + length;
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
