/**
 * The names of the services whose lines were seen, each with a small number, so that a line needs
 * one byte for it.
 */
export class ServiceNames {
  readonly #names: string[] = [];
  readonly #codes = new Map<string, number>();

  /** In the order in which they came. */
  get names(): readonly string[] {
    return this.#names;
  }

  /** The number of a name; of one too many it is {@link unlisted}. */
  code(name: string | undefined): number {
    if (name === undefined) return unnamed;
    const known = this.#codes.get(name);
    if (known !== undefined) return known;
    if (this.#names.length >= mostNames) return unlisted;
    this.#names.push(name);
    this.#codes.set(name, this.#names.length);
    return this.#names.length;
  }

  /** Undefined for what is {@link unnamed}, and for {@link unlisted}. */
  name(code: number): string | undefined {
    return this.#names[code - 1];
  }
}

const mostNames = 250;

/** The name has to be looked up in the line. */
export const unlisted = 0;

/** The line names no service. */
const unnamed = 255;
