import { ItemText } from './long-answer.ts';

interface KnownItems<T> {
  readonly texts: readonly unknown[];
  readonly values: readonly T[];
}

/** The items of the last long lists of a resource, by the path of each list in the answer. */
export class DecodedItems<T> {
  readonly #lists = new Map<string, KnownItems<T>>();

  /**
   * Returns a function that finds the value of an item that was sent before, at its index or where
   * an item that came or went has moved it; undefined for another text.
   */
  valuesAt(path: string): (item: ItemText, index: number) => T | undefined {
    const known = this.#lists.get(path);
    let moved = 0;
    return (item, index) => {
      if (known === undefined) return undefined;
      for (const by of [moved, moved - 1, moved + 1]) {
        const before = known.texts[index + by];
        if (!(before instanceof ItemText) || before.json !== item.json) continue;
        moved = by;
        return known.values[index + by];
      }
      return undefined;
    };
  }

  /** Keeps the items of a list with their values for the next answer. */
  keep(path: string, texts: readonly unknown[], values: readonly T[]): void {
    this.#lists.set(path, { texts, values });
  }
}
