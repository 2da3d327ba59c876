import { bisect } from '../arena/bisect.ts';
import { JoinedChunk } from '../arena/joined-chunk.ts';

/** Between two numbers of entries at the end: room for what comes late. */
const stride = 2 ** 20;

/** Most logs that one order joins. */
export const mostMembers = 8;

/**
 * The entries of several logs in one order: whose each one is, its `seq` in that log (`own`), its
 * time, and a `seq` in this order that rises from entry to entry. It holds numbers only, in columns:
 * 25 bytes an entry.
 */
export class JoinedOrder {
  readonly #room: number;
  #chunks: JoinedChunk[] = [];
  /** Index of each chunk's first entry. */
  #starts: number[] = [];
  #length = 0;
  #epoch = 0;
  /** The lowest and the highest number so far: those of dropped entries are not given again. */
  #lowest = 0;
  #highest = -stride;
  /** The chunk that was read last: readers go from neighbour to neighbour. */
  #near = 0;

  /** @param room entries that one chunk holds. */
  constructor(room = 1024) {
    this.#room = room;
  }

  get length(): number {
    return this.#length;
  }

  /** Grows when entries got other numbers, or were taken out elsewhere than at the beginning. */
  get epoch(): number {
    return this.#epoch;
  }

  seq(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.seqs[index - this.#start] ?? Number.NaN;
  }

  own(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.owns[index - this.#start] ?? Number.NaN;
  }

  time(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.times[index - this.#start] ?? Number.NaN;
  }

  member(index: number): number {
    const chunk = this.#chunkOf(index);
    return chunk?.members[index - this.#start] ?? 0;
  }

  /** Index of the first entry whose `seq` is not lower. */
  indexOf(seq: number): number {
    const number = lastWhere(this.#chunks.length, (at) => (this.#chunks[at]?.seqs[0] ?? 0) <= seq);
    const chunk = this.#chunks[number];
    if (chunk === undefined) return 0;
    const before = lastWhere(chunk.length, (at) => (chunk.seqs[at] ?? 0) < seq);
    return (this.#starts[number] ?? 0) + before + 1;
  }

  /** Index of a member's last entry whose `own` is lower; -1 when there is none. */
  lastBelow(member: number, own: number): number {
    for (let number = this.#chunks.length - 1; number >= 0; number -= 1) {
      const chunk = this.#chunks[number];
      if (chunk === undefined || !chunk.mayHold(member)) continue;
      const first = chunk.members.subarray(0, chunk.length).indexOf(member);
      if (first < 0 || (chunk.owns[first] ?? 0) >= own) continue;
      for (let at = chunk.length - 1; at >= first; at -= 1) {
        if (chunk.members[at] === member && (chunk.owns[at] ?? 0) < own) {
          return (this.#starts[number] ?? 0) + at;
        }
      }
    }
    return -1;
  }

  /** Index of a member's first entry at or behind `index`; the length when there is none. */
  nextOf(member: number, index: number): number {
    let at = index;
    while (at < this.#length) {
      const chunk = this.#chunkOf(at);
      if (chunk === undefined) break;
      if (chunk.mayHold(member)) {
        const found = chunk.members.subarray(0, chunk.length).indexOf(member, at - this.#start);
        if (found >= 0) return this.#start + found;
      }
      at = this.#start + chunk.length;
    }
    return this.#length;
  }

  /**
   * Where a member's entry of that time goes between two indexes: behind all that is not later, but
   * never past an entry of its own log.
   */
  placeFor(member: number, time: number, least: number, most: number): number {
    let index = most;
    while (index > least) {
      const chunk = this.#chunkOf(index - 1);
      if (chunk === undefined) break;
      const from = Math.max(0, least - this.#start);
      if (chunk.earliest > time && !chunk.mayHold(member)) {
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

  /** Index of the first entry that is of a member or not before `time`. */
  firstFrom(time: number, member: number): number {
    let index = 0;
    while (index < this.#length && this.time(index) < time && this.member(index) !== member) {
      index += 1;
    }
    return index;
  }

  /**
   * Puts an entry in.
   * @param more how many are expected to follow it at the same spot.
   * @param joinsNewer when older ones may be put in before it later, instead of newer ones behind.
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
    const chunk = this.#roomAt(index);
    chunk.insert(index - this.#start, seq, entry.member, entry.own, entry.time);
    this.#length += 1;
    this.#count(this.#near + 1);
  }

  remove(index: number): void {
    const chunk = this.#chunkOf(index);
    if (chunk === undefined) return;
    chunk.remove(index - this.#start, 1);
    this.#length -= 1;
    if (chunk.length === 0) this.#chunks.splice(this.#near, 1);
    this.#count(this.#near);
  }

  removeMember(member: number): void {
    this.#epoch += 1;
    for (const chunk of this.#chunks) this.#length -= chunk.removeMember(member);
    this.#chunks = this.#chunks.filter(({ length }) => length > 0);
    this.#count(0);
  }

  /** Drops the oldest entries. */
  dropFirst(count: number): void {
    let left = Math.min(count, this.#length);
    this.#length -= left;
    let whole = 0;
    while (left > 0) {
      const chunk = this.#chunks[whole];
      if (chunk === undefined) break;
      const part = Math.min(left, chunk.length);
      left -= part;
      if (part === chunk.length) whole += 1;
      else chunk.remove(0, part);
    }
    this.#chunks.splice(0, whole);
    this.#count(0);
  }

  get #start(): number {
    return this.#starts[this.#near] ?? 0;
  }

  #chunkOf(index: number): JoinedChunk | undefined {
    const near = this.#chunks[this.#near];
    const offset = index - this.#start;
    if (near !== undefined && offset >= 0 && offset < near.length) return near;
    if (index < 0 || index >= this.#length) return undefined;
    this.#near = lastWhere(this.#starts.length, (at) => (this.#starts[at] ?? 0) <= index);
    return this.#chunks[this.#near];
  }

  /** The chunk that an entry at `index` goes into, which has room then and is the near one. */
  #roomAt(index: number): JoinedChunk {
    const before = this.#chunkOf(Math.max(0, index - 1));
    if (before === undefined) return this.#addChunk(0, new JoinedChunk(this.#room));
    if (before.length < this.#room) return before;
    const at = index - this.#start;
    // At the end of a full chunk nothing has to be moved.
    const split = at === this.#room ? this.#room : this.#room >> 1;
    const rest = this.#addChunk(this.#near + 1, before.split(split));
    if (at >= split) return rest;
    this.#near -= 1;
    return before;
  }

  #addChunk(number: number, chunk: JoinedChunk): JoinedChunk {
    this.#chunks.splice(number, 0, chunk);
    this.#near = number;
    this.#count(number);
    return chunk;
  }

  /** Counts the starts anew from a chunk on. */
  #count(from: number): void {
    this.#starts.length = this.#chunks.length;
    const last = this.#chunks[from - 1];
    let start = last === undefined ? 0 : (this.#starts[from - 1] ?? 0) + last.length;
    for (let number = from; number < this.#chunks.length; number += 1) {
      this.#starts[number] = start;
      start += this.#chunks[number]?.length ?? 0;
    }
  }

  #freeSeq(index: number, more: number, joinsNewer: boolean): number | undefined {
    if (index >= this.#length) return Math.floor(this.#highest) + stride;
    const after = this.seq(index);
    if (index === 0) return Math.min(this.#lowest, Math.floor(after)) - stride * (more + 1);
    const before = this.seq(index - 1);
    const room = after - before;
    // A small part of the room: thousands may come one by one at the same side.
    const step = Math.max(1, Math.floor(room / 1024 / (more + 1)));
    const seq = joinsNewer ? Math.ceil(after) - step * (more + 1) : Math.floor(before) + step;
    if (seq > before && seq < after) return seq;
    const between = before + room / (more + 2);
    return between > before && between < after ? between : undefined;
  }

  /** After so many insertions at one spot that no number is left there. */
  #renumber(): void {
    this.#epoch += 1;
    let seq = Math.ceil(this.#highest);
    for (const chunk of this.#chunks) {
      for (let at = 0; at < chunk.length; at += 1) {
        seq += stride;
        chunk.seqs[at] = seq;
      }
    }
    this.#highest = seq;
  }
}

/** The highest index below `length` for which `holds` is true, of those that come first; else -1. */
function lastWhere(length: number, holds: (index: number) => boolean): number {
  return bisect(length, holds) - 1;
}
