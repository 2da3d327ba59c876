/** Length of the shortest value that is searched for. */
export const shortestValue = 6;

/** Values shorter than this count only as whole words, because they are parts of other words. */
const wordLength = 12;

const wordCharacter = /[\p{L}\p{N}]/u;

/** Searches texts for many values at once, at a cost that does not grow with their number. */
export class KnownValues<T> {
  /** Marks the hashes of beginnings, which rules out most places of a text. */
  readonly #beginnings = new Uint8Array(65_536);
  /** The values by their first characters, longest first. */
  readonly #values = new Map<string, (readonly [value: string, secret: T])[]>();

  /** Adds a value, once. */
  add(value: string, secret: T): void {
    if (value.length < shortestValue) return;
    const key = value.slice(0, shortestValue);
    const same = [...(this.#values.get(key) ?? []), [value, secret] as const];
    same.sort(([left], [right]) => right.length - left.length);
    this.#values.set(key, same);
    this.#beginnings[hashAt(value, 0)] = 1;
  }

  /** Returns the places of the values in a text; the longest of those that begin at one place. */
  find(text: string): readonly { start: number; end: number; secret: T }[] {
    const found = [];
    for (let start = 0; start + shortestValue <= text.length; start += 1) {
      if (this.#beginnings[hashAt(text, start)] !== 1) continue;
      const candidates = this.#values.get(text.slice(start, start + shortestValue)) ?? [];
      const match = candidates.find(
        ([value]) =>
          text.startsWith(value, start) &&
          (value.length >= wordLength || isWord(text, start, start + value.length)),
      );
      if (match === undefined) continue;
      const [{ length }, secret] = match;
      found.push({ start, end: start + length, secret });
    }
    return found;
  }
}

function isWord(text: string, start: number, end: number): boolean {
  const joins = (at: number): boolean =>
    wordCharacter.test(text[at - 1] ?? '') && wordCharacter.test(text[at] ?? '');
  return !joins(start) && !joins(end);
}

/** Returns a hash in [0, 65536) of the first four code units from a place. */
function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) & 0xffff;
}
