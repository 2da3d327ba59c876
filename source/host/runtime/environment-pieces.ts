/** Most characters kept of an entry that goes on in the next piece: an id of a run is shorter. */
const longestKept = 1024;

/**
 * Collects the values of one variable from an environment that comes piece by piece, as in
 * /proc/PID/environ: `NAME=value` entries, each ended by a NUL. Keeps no more than one piece, as a
 * service decides how long the environments of its processes are.
 */
export class EnvironmentPieces {
  readonly #prefix: string;
  readonly #values = new Set<string>();
  #rest = '';
  #isEmpty = true;

  constructor(variable: string) {
    this.#prefix = `${variable}=`;
  }

  /** Whether nothing has come. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  add(piece: string): void {
    if (piece !== '') this.#isEmpty = false;
    const entries = `${this.#rest}${piece}`.split('\0');
    this.#rest = entries.pop()?.slice(0, longestKept) ?? '';
    for (const entry of entries) this.#see(entry);
  }

  /** Returns each value once, with that of an entry that has no end yet. */
  values(): ReadonlySet<string> {
    this.#see(this.#rest);
    return this.#values;
  }

  #see(entry: string): void {
    if (entry.startsWith(this.#prefix)) this.#values.add(entry.slice(this.#prefix.length));
  }
}
