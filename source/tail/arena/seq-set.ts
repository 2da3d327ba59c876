/** The capacity of a chunk. */
const chunkSize = 2048;
/** The capacity of the first chunk, which is copied whenever a run is added in front. */
const firstChunkSize = 256;

/**
 * A sorted set of entries' `seq` numbers in chunks. It takes about eight bytes per number, and a
 * run can be added anywhere without moving the rest.
 */
export class SeqSet {
  #chunks: number[][] = [];
  /** The count of numbers before each chunk; computed on demand. */
  #starts: number[] | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const starts = this.#chunkStarts();
    const chunk = countBelow(starts, index + 1) - 1;
    return this.#chunks[chunk]?.[index - (starts[chunk] ?? 0)];
  }

  /** Returns the count of numbers below `seq`. */
  rank(seq: number): number {
    const chunk = this.#chunkOf(seq);
    const part = this.#chunks[chunk];
    return part === undefined ? 0 : (this.#chunkStarts()[chunk] ?? 0) + countBelow(part, seq);
  }

  has(seq: number): boolean {
    return this.at(this.rank(seq)) === seq;
  }

  /** Adds a rising run. The set must contain no number between the run's first and last. */
  add(run: readonly number[]): void {
    const [first] = run;
    if (first === undefined) return;
    this.#length += run.length;
    const last = this.#chunks.at(-1);
    if (
      last !== undefined &&
      last.length + run.length <= chunkSize &&
      isBelow(last.at(-1), first)
    ) {
      for (const seq of run) last.push(seq);
      return;
    }
    this.#starts = undefined;
    const front = this.#chunks[0];
    if (
      front !== undefined &&
      front.length >= firstChunkSize &&
      isBelow(first, front[0] ?? first)
    ) {
      this.#chunks.unshift(...toChunks([...run], false));
      return;
    }
    const chunk = this.#chunkOf(first);
    const part = this.#chunks[chunk] ?? [];
    const offset = countBelow(part, first);
    const merged = [...part.slice(0, offset), ...run, ...part.slice(offset)];
    this.#chunks.splice(chunk, 1, ...toChunks(merged, offset === part.length));
  }

  /** Removes all numbers below `seq`. */
  dropBelow(seq: number): void {
    if (!isBelow(this.#chunks[0]?.[0], seq)) return;
    const chunk = this.#chunkOf(seq);
    const part = this.#chunks[chunk] ?? [];
    const rest = part.slice(countBelow(part, seq));
    this.#length -= this.rank(seq);
    this.#chunks.splice(0, chunk + 1, ...(rest.length === 0 ? [] : [rest]));
    this.#starts = undefined;
  }

  /** Removes all numbers from one to another. Returns how many these were. */
  dropRange(first: number, last: number): number {
    const from = this.rank(first);
    const count = this.rank(last) + (this.has(last) ? 1 : 0) - from;
    if (count <= 0) return 0;
    const chunk = this.#chunkOf(first);
    const parts = this.#chunks.slice(chunk, this.#chunkOf(last) + 1);
    const rest = parts.map((part) => part.filter((seq) => seq < first || seq > last));
    this.#chunks.splice(chunk, parts.length, ...rest.filter(({ length }) => length > 0));
    this.#length -= count;
    this.#starts = undefined;
    return count;
  }

  clear(): void {
    this.#chunks = [];
    this.#starts = undefined;
    this.#length = 0;
  }

  /** Returns the index of the last chunk that starts at or below `seq`, or else 0. */
  #chunkOf(seq: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.[0] ?? 0) <= seq) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }

  #chunkStarts(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    let start = 0;
    this.#starts = this.#chunks.map((part) => {
      start += part.length;
      return start - part.length;
    });
    return this.#starts;
  }
}

/**
 * Splits numbers into chunks: full ones if more follow at the end, else equal ones, so that no
 * chunk is tiny or split again at once.
 */
function toChunks(seqs: number[], growsAtEnd: boolean): number[][] {
  if (seqs.length <= chunkSize) return [seqs];
  const equal = Math.ceil(seqs.length / Math.ceil(seqs.length / chunkSize));
  const size = growsAtEnd ? chunkSize : equal;
  const parts: number[][] = [];
  for (let from = 0; from < seqs.length; from += size) parts.push(seqs.slice(from, from + size));
  return parts;
}

function isBelow(seq: number | undefined, other: number): boolean {
  return seq !== undefined && seq < other;
}

/** Returns the count of rising numbers below `seq`. */
function countBelow(seqs: readonly number[], seq: number): number {
  let low = 0;
  let high = seqs.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((seqs[middle] ?? 0) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
