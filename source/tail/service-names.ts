/** Numbers the names of services, so that a stored line needs one byte for its service. */
export class ServiceNames {
  readonly #names: string[] = [];
  readonly #codes = new Map<string, number>();

  /** The names in order of first appearance. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** Returns the number of a name; {@link unlisted} when the numbers have run out. */
  code(name: string | undefined): number {
    if (name === undefined) return unnamed;
    const existing = this.#codes.get(name);
    if (existing !== undefined) return existing;
    if (this.#names.length >= maxNames) return unlisted;
    this.#names.push(name);
    this.#codes.set(name, this.#names.length);
    return this.#names.length;
  }

  /** Returns the name of a number; undefined for {@link unnamed} and {@link unlisted}. */
  name(code: number): string | undefined {
    return this.#names[code - 1];
  }
}

const maxNames = 250;

/** The name is not numbered and must be read from the line. */
export const unlisted = 0;

/** The line names no service. */
const unnamed = 255;
