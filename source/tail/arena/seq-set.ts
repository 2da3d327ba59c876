/** Most numbers in a chunk. */
const chunkSize = 2048;
/** As many in the first chunk: where runs are put in front, all of it is copied with each. */
const firstSize = 256;

/**
 * A sorted set of the `seq` of entries, in chunks: millions of them cost little more than their
 * eight bytes each, and runs are put in anywhere without moving the rest.
 */
export class SeqSet {
  #chunks: number[][] = [];
  /** How many numbers stand before each chunk; counted anew when it is asked for. */
  #starts: number[] | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  at(index: number): number | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    const starts = this.#counted();
    const chunk = countBelow(starts, index + 1) - 1;
    return this.#chunks[chunk]?.[index - (starts[chunk] ?? 0)];
  }

  /** How many numbers are below `seq`. */
  rank(seq: number): number {
    const chunk = this.#chunkOf(seq);
    const part = this.#chunks[chunk];
    return part === undefined ? 0 : (this.#counted()[chunk] ?? 0) + countBelow(part, seq);
  }

  has(seq: number): boolean {
    return this.at(this.rank(seq)) === seq;
  }

  /** Puts in a rising run; the set holds none of it, and nothing between its first and its last. */
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
    if (front !== undefined && front.length >= firstSize && isBelow(first, front[0] ?? first)) {
      this.#chunks.unshift(...inParts([...run], false));
      return;
    }
    const chunk = this.#chunkOf(first);
    const part = this.#chunks[chunk] ?? [];
    const offset = countBelow(part, first);
    const merged = [...part.slice(0, offset), ...run, ...part.slice(offset)];
    this.#chunks.splice(chunk, 1, ...inParts(merged, offset === part.length));
  }

  /** Takes out all numbers below `seq`. */
  dropBelow(seq: number): void {
    if (!isBelow(this.#chunks[0]?.[0], seq)) return;
    const chunk = this.#chunkOf(seq);
    const part = this.#chunks[chunk] ?? [];
    const rest = part.slice(countBelow(part, seq));
    this.#length -= this.rank(seq);
    this.#chunks.splice(0, chunk + 1, ...(rest.length === 0 ? [] : [rest]));
    this.#starts = undefined;
  }

  clear(): void {
    this.#chunks = [];
    this.#starts = undefined;
    this.#length = 0;
  }

  /** The last chunk that begins at or below `seq`, else the first. */
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

  #counted(): readonly number[] {
    if (this.#starts !== undefined) return this.#starts;
    let start = 0;
    this.#starts = this.#chunks.map((part) => {
      start += part.length;
      return start - part.length;
    });
    return this.#starts;
  }
}

/** Full parts where more will follow at the end, else equal ones: no sliver is split again at once. */
function inParts(seqs: number[], grows: boolean): number[][] {
  if (seqs.length <= chunkSize) return [seqs];
  const equal = Math.ceil(seqs.length / Math.ceil(seqs.length / chunkSize));
  const size = grows ? chunkSize : equal;
  const parts: number[][] = [];
  for (let from = 0; from < seqs.length; from += size) parts.push(seqs.slice(from, from + size));
  return parts;
}

function isBelow(seq: number | undefined, other: number): boolean {
  return seq !== undefined && seq < other;
}

/** How many of the rising numbers are below one. */
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
