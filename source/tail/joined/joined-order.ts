import { bisect } from '../arena/bisect.ts';

/** The distance of two `seq` numbers at the end, which leaves room for late entries. */
const seqDistance = 2 ** 20;

/** The largest number of logs in one order. */
export const maxMembers = 8;

/**
 * The entries of several logs in one order. For each entry it stores its member, its `seq` in that
 * member's log, its time, and a rising `seq` in this order, in columns of 25 bytes an entry.
 */
export class JoinedOrder {
  readonly #chunkCapacity: number;
  #chunks: JoinedChunk[] = [];
  /** The index of each chunk's first entry. */
  #starts: number[] = [];
  #length = 0;
  #epoch = 0;
  /** The lowest and highest number so far; numbers of dropped entries are never reused. */
  #lowest = 0;
  #highest = -seqDistance;
  /** The chunk that was read last, since readers move between neighbours. */
  #nearChunk = 0;

  /** @param room capacity of a chunk in entries. */
  constructor(room = 1024) {
    this.#chunkCapacity = room;
  }

  get length(): number {
    return this.#length;
  }

  /** Increases when entries are renumbered, or removed elsewhere than at the start. */
  get epoch(): number {
    return this.#epoch;
  }

  seq(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.seqs[index - this.#start] ?? Number.NaN;
  }

  memberSeq(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.memberSeqs[index - this.#start] ?? Number.NaN;
  }

  time(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.times[index - this.#start] ?? Number.NaN;
  }

  member(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.members[index - this.#start] ?? 0;
  }

  /** Returns the index of the first entry whose `seq` is not lower. */
  indexOf(seq: number): number {
    const number = lastWhere(this.#chunks.length, (at) => (this.#chunks[at]?.seqs[0] ?? 0) <= seq);
    const chunk = this.#chunks[number];
    if (chunk === undefined) return 0;
    const before = lastWhere(chunk.length, (at) => (chunk.seqs[at] ?? 0) < seq);
    return (this.#starts[number] ?? 0) + before + 1;
  }

  /**
   * Returns the index of a member's last entry below a `seq` of its own log; -1 when there is none.
   */
  lastBelow(member: number, own: number): number {
    for (let number = this.#chunks.length - 1; number >= 0; number -= 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined || !chunk.mayContain(member)) continue;
      const first = chunk.members.subarray(0, chunk.length).indexOf(member);
      if (first < 0 || (chunk.memberSeqs[first] ?? 0) >= own) continue;
      for (let at = chunk.length - 1; at >= first; at -= 1) {
        if (chunk.members[at] === member && (chunk.memberSeqs[at] ?? 0) < own) {
          return (this.#starts[number] ?? 0) + at;
        }
      }
    }
    return -1;
  }

  /**
   * Returns the index of a member's first entry at or after `index`; the length when there is none.
   */
  nextIndexOf(member: number, index: number): number {
    let at = index;
    while (at < this.#length) {
      const chunk = this.#chunkOf(at);
      if (chunk === undefined) break;
      if (chunk.mayContain(member)) {
        const found = chunk.members.subarray(0, chunk.length).indexOf(member, at - this.#start);
        if (found >= 0) return this.#start + found;
      }
      at = this.#start + chunk.length;
    }
    return this.#length;
  }

  /**
   * Returns the index between `least` and `most` at which to insert a member's entry: after all
   * entries that are not later, but never past one of its own log.
   */
  insertionIndex(member: number, time: number, least: number, most: number): number {
    let index = most;
    while (index > least) {
      const chunk = this.#chunkOf(index - 1);
      if (chunk === undefined) break;
      const from = Math.max(0, least - this.#start);
      if (chunk.earliest > time && !chunk.mayContain(member)) {
        index = this.#start + from;
        continue;
      }
      let at = index - this.#start;
      while (at > from) {
        if ((chunk.times[at - 1] ?? 0) <= time || chunk.members[at - 1] === member) {
          return this.#start + at;
        }
        at -= 1;
      }
      index = this.#start + at;
    }
    return index;
  }

  /** Returns the index of the first entry that belongs to a member or is not before `time`. */
  firstFrom(time: number, member: number): number {
    let index = 0;
    while (index < this.#length && this.time(index) < time && this.member(index) !== member) {
      index += 1;
    }
    return index;
  }

  /**
   * Inserts an entry.
   *
   * @param more entries expected to follow at the same spot.
   *
   * @param joinsNewer true when older entries may be inserted before it later, instead of newer
   * ones after it.
   */
  insert(
    index: number,
    entry: { readonly member: number; readonly own: number; readonly time: number },
    more: number,
    joinsNewer: boolean,
  ): void {
    let seq = this.#freeSeq(index, more, joinsNewer);
    if (seq === undefined) {
      this.#renumber();
      seq = this.#freeSeq(index, more, joinsNewer) ?? 0;
    }
    this.#lowest = Math.min(this.#lowest, seq);
    this.#highest = Math.max(this.#highest, seq);
    const chunk = this.#chunkForInsert(index);
    chunk.insert(index - this.#start, seq, entry.member, entry.own, entry.time);
    this.#length += 1;
    this.#updateStarts(this.#nearChunk + 1);
  }

  remove(index: number): void {
    const chunk = this.#chunkOf(index);
    if (chunk === undefined) return;
    chunk.remove(index - this.#start, 1);
    this.#length -= 1;
    if (chunk.length === 0) this.#chunks.splice(this.#nearChunk, 1);
    this.#updateStarts(this.#nearChunk);
  }

  removeMember(member: number): void {
    this.#epoch += 1;
    this.removeRange(member, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY);
  }

  /**
   * Removes the entries of a member from one `seq` of its own log to another.
   * @returns the runs that were removed, by their `seq` here.
   */
  removeRange(member: number, first: number, last: number): readonly SeqRange[] {
    const runs: SeqRange[] = [];
    const end = this.nextIndexOf(member, this.lastBelow(member, last) + 1);
    if (this.#chunkOf(Math.min(end, this.#length - 1)) === undefined) return runs;
    for (let number = this.#nearChunk; number >= 0; number -= 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined || !chunk.mayContain(member)) continue;
      const { length } = chunk;
      const at = chunk.members.subarray(0, length).indexOf(member);
      const isStart = at >= 0 && (chunk.memberSeqs[at] ?? 0) < first;
      runs.push(...chunk.removeRange(member, first, last));
      this.#length -= length - chunk.length;
      if (isStart) break;
    }
    if (runs.length === 0) return runs;
    this.#chunks = this.#chunks.filter(({ length }) => length > 0);
    this.#updateStarts(0);
    return runs;
  }

  /** Drops the oldest entries. */
  dropFirst(count: number): void {
    let remaining = Math.min(count, this.#length);
    this.#length -= remaining;
    let whole = 0;
    while (remaining > 0) {
      const chunk = this.#chunks[whole];
      if (chunk === undefined) break;
      const part = Math.min(remaining, chunk.length);
      remaining -= part;
      if (part === chunk.length) whole += 1;
      else chunk.remove(0, part);
    }
    this.#chunks.splice(0, whole);
    this.#updateStarts(0);
  }

  get #start(): number {
    return this.#starts[this.#nearChunk] ?? 0;
  }

  #chunkOf(index: number): JoinedChunk | undefined {
    const nearChunk = this.#chunks[this.#nearChunk];
    const offset = index - this.#start;
    if (nearChunk !== undefined && offset >= 0 && offset < nearChunk.length) return nearChunk;
    if (index < 0 || index >= this.#length) return undefined;
    this.#nearChunk = lastWhere(this.#starts.length, (at) => (this.#starts[at] ?? 0) <= index);
    return this.#chunks[this.#nearChunk];
  }

  /**
   * Returns the chunk for an entry at `index`, after making room in it, and makes it the near one.
   */
  #chunkForInsert(index: number): JoinedChunk {
    const before = this.#chunkOf(Math.max(0, index - 1));
    if (before === undefined) return this.#addChunk(0, new JoinedChunk(this.#chunkCapacity));
    if (before.length < this.#chunkCapacity) return before;
    const at = index - this.#start;
    // At the end of a full chunk no entry has to move.
    const split = at === this.#chunkCapacity ? this.#chunkCapacity : this.#chunkCapacity >> 1;
    const rest = this.#addChunk(this.#nearChunk + 1, before.split(split));
    if (at >= split) return rest;
    this.#nearChunk -= 1;
    return before;
  }

  #addChunk(number: number, chunk: JoinedChunk): JoinedChunk {
    this.#chunks.splice(number, 0, chunk);
    this.#nearChunk = number;
    this.#updateStarts(number);
    return chunk;
  }

  /** Recomputes the starts from a chunk on. */
  #updateStarts(from: number): void {
    this.#starts.length = this.#chunks.length;
    const last = this.#chunks[from - 1];
    let start = last === undefined ? 0 : (this.#starts[from - 1] ?? 0) + last.length;
    for (let number = from; number < this.#chunks.length; number += 1) {
      this.#starts[number] = start;
      start += this.#chunks[number]?.length ?? 0;
    }
  }

  #freeSeq(index: number, more: number, joinsNewer: boolean): number | undefined {
    if (index >= this.#length) return Math.floor(this.#highest) + seqDistance;
    const after = this.seq(index);
    if (index === 0) return Math.min(this.#lowest, Math.floor(after)) - seqDistance * (more + 1);
    const before = this.seq(index - 1);
    const room = after - before;
    // Only a small share of the free range, since thousands may come one by one on the same side.
    const step = Math.max(1, Math.floor(room / 1024 / (more + 1)));
    const seq = joinsNewer ? Math.ceil(after) - step * (more + 1) : Math.floor(before) + step;
    if (seq > before && seq < after) return seq;
    const between = before + room / (more + 2);
    return between > before && between < after ? between : undefined;
  }

  /** Renumbers all entries once no number is left between two of them. */
  #renumber(): void {
    this.#epoch += 1;
    let seq = Math.ceil(this.#highest);
    for (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.length; at += 1) {
        seq += seqDistance;
        chunk.seqs[at] = seq;
      }
    }
    this.#highest = seq;
  }
}

/** Returns the highest leading index below `length` for which `holds` is true; -1 for none. */
function lastWhere(length: number, holds: (index: number) => boolean): number {
  return bisect(length, holds) - 1;
}

/** Neighbouring entries by `seq`, both ends included. */
interface SeqRange {
  readonly first: number;
  readonly last: number;
}

/** The columns of consecutive entries of a {@link JoinedOrder}. */
class JoinedChunk {
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
