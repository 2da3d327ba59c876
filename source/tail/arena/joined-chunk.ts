/** Columns of some entries of a {@link JoinedOrder} that stand next to each other. */
export class JoinedChunk {
  readonly seqs: Float64Array;
  readonly owns: Float64Array;
  readonly times: Float64Array;
  readonly members: Uint8Array;
  length = 0;
  /** No entry is earlier; entries that went may have been. */
  earliest = Number.POSITIVE_INFINITY;
  /** A bit for each member that may have entries here. */
  #present = 0;

  /** @param room for so many entries. */
  constructor(room: number) {
    this.seqs = new Float64Array(room);
    this.owns = new Float64Array(room);
    this.times = new Float64Array(room);
    this.members = new Uint8Array(room);
  }

  mayHold(member: number): boolean {
    return (this.#present & (1 << member)) !== 0;
  }

  insert(at: number, seq: number, member: number, own: number, time: number): void {
    if (at < this.length) this.#move(at, at + 1);
    this.seqs[at] = seq;
    this.owns[at] = own;
    this.times[at] = time;
    this.members[at] = member;
    this.length += 1;
    this.earliest = Math.min(this.earliest, time);
    this.#present |= 1 << member;
  }

  /** Takes `count` entries out from `at` on. */
  remove(at: number, count: number): void {
    this.#move(at + count, at);
    this.length -= count;
  }

  /** Moves the entries from `at` on into a new chunk. */
  split(at: number): JoinedChunk {
    const rest = new JoinedChunk(this.seqs.length);
    rest.seqs.set(this.seqs.subarray(at, this.length));
    rest.owns.set(this.owns.subarray(at, this.length));
    rest.times.set(this.times.subarray(at, this.length));
    rest.members.set(this.members.subarray(at, this.length));
    rest.length = this.length - at;
    this.length = at;
    rest.#measure();
    this.#measure();
    return rest;
  }

  /** Takes all entries of a member out; gives how many there were. */
  removeMember(member: number): number {
    let kept = 0;
    for (let at = 0; at < this.length; at += 1) {
      if (this.members[at] === member) continue;
      this.seqs[kept] = this.seqs[at] ?? 0;
      this.owns[kept] = this.owns[at] ?? 0;
      this.times[kept] = this.times[at] ?? 0;
      this.members[kept] = this.members[at] ?? 0;
      kept += 1;
    }
    const removed = this.length - kept;
    this.length = kept;
    this.#present &= ~(1 << member);
    return removed;
  }

  #measure(): void {
    this.earliest = Number.POSITIVE_INFINITY;
    this.#present = 0;
    for (let at = 0; at < this.length; at += 1) {
      this.earliest = Math.min(this.earliest, this.times[at] ?? 0);
      this.#present |= 1 << (this.members[at] ?? 0);
    }
  }

  #move(from: number, to: number): void {
    this.seqs.copyWithin(to, from, this.length);
    this.owns.copyWithin(to, from, this.length);
    this.times.copyWithin(to, from, this.length);
    this.members.copyWithin(to, from, this.length);
  }
}
