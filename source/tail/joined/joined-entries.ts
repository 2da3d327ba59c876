import type { Entries, Entry, GapEntry, Inserted, See } from '../arena/entries.ts';
import { type JoinedItem, JoinedMember, type LineTime } from './joined-member.ts';
import { JoinedOrder } from './joined-order.ts';
import type { Sieve } from '../query/prefilter.ts';

/** Entries that are taken in at once of what was left out. */
const revealedAtOnce = 500;

/**
 * Several logs as one, by the times of their lines; the order within a log is never broken, so that
 * lines stand by time as far as each log does. A log that is known less far back than the others
 * cuts these off where its own lines begin: no line that is missing may look as if there were none.
 *
 * Each change of a member is to be told at once, before anything is read.
 */
export class JoinedEntries<Line> implements Entries<Line> {
  readonly #members: readonly JoinedMember<Line>[];
  readonly #order: JoinedOrder;
  /** Entries as they were given out, so that readers can know them again. */
  readonly #given = new WeakMap<Entry<Line>, Entry<Line>>();
  #gaps: readonly GapEntry<Line>[] = [];
  #gapsEpoch = 0;
  #gapsChanged = true;
  #arrived = 0;

  /** @param room entries that are moved at once. */
  constructor(members: readonly Entries<Line>[], timeOf: LineTime<Line>, room?: number) {
    this.#order = new JoinedOrder(room);
    this.#members = members.map((entries, number) => new JoinedMember(number, entries, timeOf));
  }

  get length(): number {
    return this.#order.length;
  }

  get epoch(): number {
    return this.#order.epoch;
  }

  at(index: number): Entry<Line> | undefined {
    return this.slice(index, index + 1)[0];
  }

  seqAt(index: number): number | undefined {
    return index >= 0 && index < this.length ? this.#order.seq(index) : undefined;
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    const found: Entry<Line>[] = [];
    this.#eachRun(from, to, ({ number, entries }, own, index, count) => {
      for (const [at, entry] of entries.slice(own, own + count).entries()) {
        found.push(this.#joined(entry, number, this.#order.seq(index + at)));
      }
    });
    return found;
  }

  indexOf(seq: number): number {
    return this.#order.indexOf(seq);
  }

  get gaps(): readonly GapEntry<Line>[] {
    if (!this.#gapsChanged && this.#gapsEpoch === this.#order.epoch) return this.#gaps;
    this.#gapsChanged = false;
    this.#gapsEpoch = this.#order.epoch;
    const gaps: GapEntry<Line>[] = [];
    for (const { number, entries } of this.#members) {
      for (const gap of entries.gaps) {
        const index = this.#find(number, gap.seq);
        if (index === undefined) continue;
        const joined = this.#joined(gap, number, this.#order.seq(index));
        if (joined.kind === 'gap') gaps.push(joined);
      }
    }
    gaps.sort((left, right) => left.seq - right.seq);
    const isSame =
      gaps.length === this.#gaps.length && gaps.every((gap, at) => gap === this.#gaps[at]);
    if (!isSame) this.#gaps = gaps;
    return this.#gaps;
  }

  scan(from: number, to: number, see: See, sieve?: Sieve): number {
    let characters = 0;
    this.#eachRun(from, to, ({ entries }, own, index, count) => {
      const one: See = (at, text, service) => see(index + at - own, text, service);
      characters += entries.scan(own, own + count, one, sieve);
    });
    return characters;
  }

  /** The member whose beginning cuts the others off; undefined when none does. */
  get beginning(): number | undefined {
    const from = this.#knownFrom();
    if (from === Number.NEGATIVE_INFINITY) return undefined;
    return this.#members.find((member) => member.knownFrom() === from)?.number;
  }

  /** True when entries are left out that may be taken in now or later. */
  get hides(): boolean {
    return this.#members.some(({ hidden }) => hidden > Number.NEGATIVE_INFINITY);
  }

  /** Says whether a member has lines before its first one that are not at hand. */
  lacksOlder(number: number, lacks: boolean): void {
    const member = this.#members[number];
    if (member === undefined || member.lacksOlder === lacks) return;
    member.lacksOlder = lacks;
    this.#cut();
  }

  /**
   * Follows a change of a member.
   * @param runs the lines that were put into it.
   * @param arrived ms since the epoch, for lines that do not tell when they were written.
   * @returns the lines that were put in here.
   */
  changed(number: number, runs: readonly Inserted[], arrived: number): readonly Inserted[] {
    const member = this.#members[number];
    if (member === undefined) return [];
    this.#arrived = arrived;
    if (member.isVoid()) {
      this.#order.removeMember(number);
      this.#gapsChanged = true;
      member.hideAll();
    }
    const gaps = member.changedGaps();
    if (gaps !== undefined) this.#gapsChanged = true;
    for (const { own } of gaps?.went ?? []) {
      const index = this.#find(number, own);
      if (index !== undefined) this.#order.remove(index);
    }
    const below = member.droppedBelow();
    if (below !== undefined) this.#drop(this.#order.lastBelow(number, below) + 1);
    this.#cut();
    return this.#put(member, member.itemsOf(runs, gaps?.came ?? []), this.#knownFrom());
  }

  /**
   * Takes in some of what was left out and need not be any more; to be called until it has nothing.
   * @returns the lines that were put in; undefined when nothing is left to take in.
   */
  reveal(): readonly Inserted[] | undefined {
    const from = this.#knownFrom();
    for (const member of this.#members) {
      const items = member.hiddenFrom(from, revealedAtOnce);
      const [first] = items;
      if (first === undefined) continue;
      member.showFrom(first.own);
      return this.#put(member, items, Number.NEGATIVE_INFINITY);
    }
    return undefined;
  }

  /** Since when all members are known. */
  #knownFrom(): number {
    return Math.max(...this.#members.map((member) => member.knownFrom()));
  }

  #cut(): void {
    const { beginning } = this;
    if (beginning !== undefined) this.#drop(this.#order.firstFrom(this.#knownFrom(), beginning));
  }

  #drop(count: number): void {
    for (let index = 0; index < count; index += 1) {
      const member = this.#members[this.#order.member(index)];
      if (member !== undefined) member.hidden = Math.max(member.hidden, this.#order.own(index));
    }
    if (count === 0) return;
    this.#order.dropFirst(count);
    this.#gapsChanged = true;
  }

  /** Puts entries in but those that would stand first and are from before `from`. */
  #put(
    member: JoinedMember<Line>,
    items: readonly JoinedItem[],
    from: number,
  ): readonly Inserted[] {
    const { number } = member;
    const order = this.#order;
    const runs: { index: number; count: number }[] = [];
    /** The entry goes behind the one before it in its own log, and not past the next one. */
    let least = -1;
    let most = -1;
    let next = Number.NEGATIVE_INFINITY;
    for (const [at, { own, time: told, isGap, until, joinsNewer }] of items.entries()) {
      if (own <= member.hidden) continue;
      if (own > next) {
        least = order.lastBelow(number, own) + 1;
        const isLast = own > member.highest;
        most = isLast ? order.length : order.nextOf(number, least);
        next = most === order.length ? Number.POSITIVE_INFINITY : order.own(most);
      }
      if (own > member.highest) member.highest = own;
      // Nothing comes between a gap and its line, be that by its place or by its time.
      const isAtLine = isGap && most < order.length && order.own(most) === until;
      const line = isGap && items[at + 1]?.own === until ? items[at + 1] : undefined;
      const known = isAtLine ? undefined : (line?.time ?? told);
      const time = known ?? (most === order.length ? this.#arrived : order.time(most));
      if (!isAtLine && least === 0 && time < from) {
        member.hidden = own;
        continue;
      }
      const index = isAtLine ? most : order.placeFor(number, time, least, most);
      order.insert(index, { member: number, own, time }, items.length - at - 1, joinsNewer);
      least = index + 1;
      most += 1;
      const run = runs.at(-1);
      if (isGap) this.#gapsChanged = true;
      else if (run !== undefined && run.index + run.count === index) run.count += 1;
      else runs.push({ index, count: 1 });
    }
    return runs.map(({ index, count }) => ({
      first: order.seq(index),
      last: order.seq(index + count - 1),
      count,
    }));
  }

  /** Index of a member's entry. */
  #find(number: number, own: number): number | undefined {
    const index = this.#order.nextOf(number, this.#order.lastBelow(number, own) + 1);
    return this.#order.own(index) === own ? index : undefined;
  }

  /** Runs of entries of one member: these stand next to each other there too. */
  #eachRun(
    from: number,
    to: number,
    see: (member: JoinedMember<Line>, own: number, index: number, count: number) => void,
  ): void {
    const order = this.#order;
    const next: number[] = [];
    let index = Math.max(0, from);
    const end = Math.min(to, order.length);
    while (index < end) {
      const number = order.member(index);
      let count = 1;
      while (index + count < end && order.member(index + count) === number) count += 1;
      const member = this.#members[number];
      if (member !== undefined) {
        const own = next[number] ?? member.entries.indexOf(order.own(index));
        see(member, own, index, count);
        next[number] = own + count;
      }
      index += count;
    }
  }

  #joined(entry: Entry<Line>, member: number, seq: number): Entry<Line> {
    const given = this.#given.get(entry);
    if (given?.seq === seq) return given;
    const joined = { ...entry, seq, member };
    this.#given.set(entry, joined);
    return joined;
  }
}
