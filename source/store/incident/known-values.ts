/** Length of the shortest value that is searched for. */
export const shortestValue = 6;

/** Values shorter than this count only as whole words, because they are parts of other words. */
const wordLength = 12;

const wordCharacter = /[\p{L}\p{N}]/u;

/** Searches texts for many values at once, at a cost that does not grow with their number. */
export class KnownValues<T> {
  /** The values by the hash of their first characters, longest first. */
  readonly #values = new Map<number, (readonly [value: string, secret: T])[]>();

  /** Adds a value, once. */
  add(value: string, secret: T): void {
    if (value.length < shortestValue) return;
    const key = hashAt(value, 0);
    const same = [...(this.#values.get(key) ?? []), [value, secret] as const];
    this.#values.set(
      key,
      same.sort(([left], [right]) => right.length - left.length),
    );
  }

  /** Returns the places of the values in a text; the longest of those that begin at one place. */
  find(text: string): readonly { start: number; end: number; secret: T }[] {
    if (this.#values.size === 0) return [];
    const found = [];
    for (let start = 0; start + shortestValue <= text.length; start += 1) {
      const candidates = this.#values.get(hashAt(text, start));
      const match = candidates?.find(
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

/** Returns a hash of the first four code units from a place. */
function hashAt(text: string, at: number): number {
  const first = text.charCodeAt(at) * 31 + text.charCodeAt(at + 1);
  return ((first * 31 + text.charCodeAt(at + 2)) * 31 + text.charCodeAt(at + 3)) | 0;
}
