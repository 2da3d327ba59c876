/** Searches texts for many values at once, at a cost that does not grow with their number. */

export interface ValueMatch {
  readonly start: number;
  readonly end: number;
  readonly value: string;
}

/** Length of the shortest value that can be searched for. */
export const shortestValue = 6;

/** Values shorter than this count only as whole words, because they are parts of other words. */
const wordLength = 12;

const wordCharacter = /[\p{L}\p{N}]/u;

export interface KnownValues {
  add(value: string): void;
  /** Returns the places of the values in a text; the longest of those that begin at one place. */
  find(text: string): readonly ValueMatch[];
}

/** Returns an empty set of values. A filter of hashed beginnings rules out most places of a text. */
export function createKnownValues(): KnownValues {
  const beginnings = new Uint8Array(65_536);
  /** The values by their first characters, longest first. */
  const values = new Map<string, string[]>();

  return {
    add(value) {
      if (value.length < shortestValue) return;
      const key = value.slice(0, shortestValue);
      const same = values.get(key) ?? [];
      if (same.includes(value)) return;
      values.set(
        key,
        [...same, value].sort((left, right) => right.length - left.length),
      );
      beginnings[hashAt(value, 0)] = 1;
    },
    find(text) {
      if (values.size === 0) return [];
      const found: ValueMatch[] = [];
      for (let at = 0; at + shortestValue <= text.length; at += 1) {
        if (beginnings[hashAt(text, at)] !== 1) continue;
        const candidates = values.get(text.slice(at, at + shortestValue)) ?? [];
        const value = candidates.find(
          (one) => text.startsWith(one, at) && (one.length >= wordLength || isWord(text, at, one)),
        );
        if (value !== undefined) found.push({ start: at, end: at + value.length, value });
      }
      return found;
    },
  };
}

function isWord(text: string, at: number, value: string): boolean {
  const joins = (first: string | undefined, second: string | undefined): boolean =>
    wordCharacter.test(first ?? '') && wordCharacter.test(second ?? '');
  const end = at + value.length;
  return !joins(text[at - 1], value[0]) && !joins(value.at(-1), text[end]);
}

/** Returns a hash in [0, 65536) of the first four code units from a place. */
function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) & 0xffff;
}
