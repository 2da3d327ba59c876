/** Neighbouring entries by `seq`, both ends included. */
export interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** The columns of consecutive entries of a {@link JoinedOrder}. */
export class JoinedChunk {
  readonly seqs: Float64Array;
  readonly memberSeqs: Float64Array;
  readonly times: Float64Array;
  readonly members: Uint8Array;
  length = 0;
  /** A lower bound of the entries' times; removed entries may have set it. */
  earliest = Number.POSITIVE_INFINITY;
  /** A bit for each member that may have entries in this chunk. */
  #present = 0;

  /** @param capacity number of entries. */
  constructor(capacity: number) {
    this.seqs = new Float64Array(capacity);
    this.memberSeqs = new Float64Array(capacity);
    this.times = new Float64Array(capacity);
    this.members = new Uint8Array(capacity);
  }

  mayContain(member: number): boolean {
    return (this.#present & (1 << member)) !== 0;
  }

  insert(at: number, seq: number, member: number, own: number, time: number): void {
    if (at < this.length) this.#move(at, at + 1);
    this.seqs[at] = seq;
    this.memberSeqs[at] = own;
    this.times[at] = time;
    this.members[at] = member;
    this.length += 1;
    this.earliest = Math.min(this.earliest, time);
    this.#present |= 1 << member;
  }

  /** Removes `count` entries from index `at` on. */
  remove(at: number, count: number): void {
    this.#move(at + count, at);
    this.length -= count;
  }

  /** Moves the entries from index `at` on into a new chunk. */
  split(at: number): JoinedChunk {
    const rest = new JoinedChunk(this.seqs.length);
    rest.seqs.set(this.seqs.subarray(at, this.length));
    rest.memberSeqs.set(this.memberSeqs.subarray(at, this.length));
    rest.times.set(this.times.subarray(at, this.length));
    rest.members.set(this.members.subarray(at, this.length));
    rest.length = this.length - at;
    this.length = at;
    rest.#updateBounds();
    this.#updateBounds();
    return rest;
  }

  /**
   * Removes the entries of a member from one `seq` of its own to another.
   * @returns the `seq` of the first and the last entry of each run.
   */
  removeRange(member: number, first: number, last: number): readonly SeqRange[] {
    const runs: { first: number; last: number }[] = [];
    let remaining = 0;
    let isRun = false;
    for (let at = 0; at < this.length; at += 1) {
      const own = this.memberSeqs[at] ?? 0;
      const seq = this.seqs[at] ?? 0;
      const run = isRun ? runs.at(-1) : undefined;
      isRun = this.members[at] === member && first <= own && own <= last;
      if (isRun && run !== undefined) run.last = seq;
      else if (isRun) runs.push({ first: seq, last: seq });
      if (isRun) continue;
      this.seqs[remaining] = seq;
      this.memberSeqs[remaining] = own;
      this.times[remaining] = this.times[at] ?? 0;
      this.members[remaining] = this.members[at] ?? 0;
      remaining += 1;
    }
    this.length = remaining;
    if (runs.length > 0) this.#updateBounds();
    return runs;
  }

  #updateBounds(): void {
    this.earliest = Number.POSITIVE_INFINITY;
    this.#present = 0;
    for (let at = 0; at < this.length; at += 1) {
      this.earliest = Math.min(this.earliest, this.times[at] ?? 0);
      this.#present |= 1 << (this.members[at] ?? 0);
    }
  }

  #move(from: number, to: number): void {
    this.seqs.copyWithin(to, from, this.length);
    this.memberSeqs.copyWithin(to, from, this.length);
    this.times.copyWithin(to, from, this.length);
    this.members.copyWithin(to, from, this.length);
  }
}
