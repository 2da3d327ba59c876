/** Masked lines of one generation at most, and their characters. */
const maxEntries = 2048;
const maxCharacters = 500_000;

/** Remembers values by text, those used last; at most 4,096 texts with 1 M characters. */
export class SignatureCache<Value> {
  #recent = new Map<string, Value>();
  #older = new Map<string, Value>();
  #characters = 0;

  get(text: string): Value | undefined {
    const found = this.#recent.get(text);
    if (found !== undefined) return found;
    const older = this.#older.get(text);
    if (older !== undefined) this.set(text, older);
    return older;
  }

  set(text: string, value: Value): void {
    this.#recent.set(text, value);
    this.#characters += text.length;
    if (this.#recent.size < maxEntries && this.#characters < maxCharacters) return;
    this.#older = this.#recent;
    this.#recent = new Map();
    this.#characters = 0;
  }
}
