import type {
  DroppedRun,
  Entries,
  Entry,
  GapEntry,
  InsertedRun,
  LineVisitor,
} from '../arena/entries.ts';
import { type JoinedItem, JoinedMember, type LineTime } from './joined-member.ts';
import { JoinedOrder } from './joined-order.ts';
import type { Prefilter } from '../query/prefilter.ts';
import type { Shown } from '../arena/trim.ts';

/** Entries that one call of `reveal` shows. */
const revealBatch = 500;

/**
 * Joins several logs by the times of their lines. The order within each log is preserved, so lines
 * are sorted by time as far as each log is. A log with unknown older lines hides the earlier
 * entries of the others, so that its missing lines do not look absent.
 *
 * Each change of a member must be applied before the next read.
 */
export class JoinedEntries<Line> implements Entries<Line> {
  readonly #members: readonly JoinedMember<Line>[];
  readonly #order: JoinedOrder;
  /** The joined form of each entry, so that readers get the same object again. */
  readonly #joinedEntries = new WeakMap<Entry<Line>, Entry<Line>>();
  #gaps: readonly GapEntry<Line>[] = [];
  #gapsEpoch = 0;
  #areGapsChanged = true;
  #arrived = 0;
  #dropped: DroppedRun[] = [];

  /** @param room capacity of a chunk in entries. */
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

  memberAt(index: number): number {
    return this.#order.member(index);
  }

  slice(from: number, to: number): readonly Entry<Line>[] {
    const result: Entry<Line>[] = [];
    this.#forEachRun(from, to, ({ number, entries }, own, index, count) => {
      for (const [at, entry] of entries.slice(own, own + count).entries()) {
        result.push(this.#toJoined(entry, number, this.#order.seq(index + at)));
      }
    });
    return result;
  }

  indexOf(seq: number): number {
    return this.#order.indexOf(seq);
  }

  get gaps(): readonly GapEntry<Line>[] {
    if (!this.#areGapsChanged && this.#gapsEpoch === this.#order.epoch) return this.#gaps;
    this.#areGapsChanged = false;
    this.#gapsEpoch = this.#order.epoch;
    const gaps: GapEntry<Line>[] = [];
    for (const { number, entries } of this.#members) {
      for (const gap of entries.gaps) {
        const index = this.#indexOf(number, gap.seq);
        if (index === undefined) continue;
        const joined = this.#toJoined(gap, number, this.#order.seq(index));
        if (joined.kind === 'gap') gaps.push(joined);
      }
    }
    gaps.sort((left, right) => left.seq - right.seq);
    const isSame =
      gaps.length === this.#gaps.length && gaps.every((gap, at) => gap === this.#gaps[at]);
    if (!isSame) this.#gaps = gaps;
    return this.#gaps;
  }

  scan(from: number, to: number, visit: LineVisitor, prefilter?: Prefilter): number {
    let characters = 0;
    this.#forEachRun(from, to, ({ entries }, own, index, count) => {
      const visitOne: LineVisitor = (at, text, service) => visit(index + at - own, text, service);
      characters += entries.scan(own, own + count, visitOne, prefilter);
    });
    return characters;
  }

  /** The member whose start hides older entries of the others; undefined when none does. */
  get beginning(): number | undefined {
    const from = this.#knownFrom();
    if (from === Number.NEGATIVE_INFINITY) return undefined;
    return this.#members.find((member) => member.completeFrom() === from)?.number;
  }

  /** True when entries are hidden that may be shown now or later. */
  get hides(): boolean {
    return this.#members.some(({ hiddenUpTo }) => hiddenUpTo > Number.NEGATIVE_INFINITY);
  }

  /**
   * Returns what a paused reader shows of a member, by the `seq` of its own log, with its last line before
   * that, or else its first one: without it, the lines of the other logs would be hidden.
   */
  shownOf(number: number, shown: Shown): Shown {
    const order = this.#order;
    const nowhere = Number.NEGATIVE_INFINITY;
    const others = new Set<number>();
    for (const seq of shown.others) {
      const index = order.indexOf(seq);
      if (order.member(index) === number) others.add(order.memberSeq(index));
    }
    const [first = shown.from] = shown.others;
    const before = this.#ownUpTo(number, Math.min(first, shown.from));
    const hidden = this.#members[number]?.hiddenUpTo ?? nowhere;
    const oldest = hidden > nowhere ? hidden : order.memberSeq(order.nextIndexOf(number, 0));
    others.add(before ?? oldest);
    return {
      from: this.#ownUpTo(number, shown.from) ?? nowhere,
      to: this.#ownUpTo(number, shown.to) ?? nowhere,
      others,
    };
  }

  /** Returns the own `seq` of a member's last entry up to one of the joined log. */
  #ownUpTo(number: number, seq: number): number | undefined {
    const order = this.#order;
    const next = order.nextIndexOf(number, order.indexOf(seq));
    if (order.seq(next) === seq) return order.memberSeq(next);
    const last = order.lastBelow(
      number,
      next < this.length ? order.memberSeq(next) : Number.POSITIVE_INFINITY,
    );
    return last < 0 ? undefined : order.memberSeq(last);
  }

  /** Returns the lines that were dropped behind others since the last call. */
  takeDropped(): readonly DroppedRun[] {
    const dropped = this.#dropped;
    if (dropped.length > 0) this.#dropped = [];
    return dropped;
  }

  /** Sets whether a member has older lines that are not loaded. */
  setLacksOlder(number: number, lacks: boolean): void {
    if (this.#members[number]?.setLacksOlder(lacks) === true) this.#hideBeforeStart();
  }

  /**
   * Applies a change of a member.
   *
   * @param runs the lines that were inserted into the member.
   *
   * @param arrived time in ms since the epoch for lines without a time.
   *
   * @param dropped lines that the member has dropped behind others.
   *
   * @returns the lines that were inserted here.
   */
  applyChange(
    number: number,
    runs: readonly InsertedRun[],
    arrived: number,
    dropped: readonly DroppedRun[] = [],
  ): readonly InsertedRun[] {
    const member = this.#members[number];
    if (member === undefined) return [];
    this.#arrived = arrived;
    if (member.isVoid()) {
      this.#order.removeMember(number);
      this.#areGapsChanged = true;
      member.hideAll();
    }
    const gaps = member.takeGapChanges();
    if (gaps !== undefined) this.#areGapsChanged = true;
    for (const { own } of gaps?.removed ?? []) {
      const index = this.#indexOf(number, own);
      if (index !== undefined) this.#order.remove(index);
    }
    const below = member.takeDroppedBelow();
    if (below !== undefined) this.#drop(this.#order.lastBelow(number, below) + 1);
    for (const { first, last, gap } of dropped)
      for (const run of this.#order.removeRange(number, first, last))
        this.#dropped.push({ ...run, gap, member: number });
    this.#hideBeforeStart();
    return this.#insert(member, member.itemsOf(runs, gaps?.added ?? []), this.#knownFrom());
  }

  /**
   * Shows some of the hidden entries that no longer need to be hidden. Call until it returns
   * undefined.
   *
   * @returns the inserted lines; undefined when none are left to show.
   */
  reveal(): readonly InsertedRun[] | undefined {
    const from = this.#knownFrom();
    for (const member of this.#members) {
      const items = member.newestHiddenFrom(from, revealBatch);
      const [first] = items;
      if (first === undefined) continue;
      member.showFrom(first.memberSeq);
      return this.#insert(member, items, Number.NEGATIVE_INFINITY);
    }
    return undefined;
  }

  /** Returns the time from which all members are complete. */
  #knownFrom(): number {
    return Math.max(...this.#members.map((member) => member.completeFrom()));
  }

  #hideBeforeStart(): void {
    const { beginning } = this;
    if (beginning !== undefined) this.#drop(this.#order.firstFrom(this.#knownFrom(), beginning));
  }

  #drop(count: number): void {
    for (let index = 0; index < count; index += 1) {
      this.#members[this.#order.member(index)]?.hideUpTo(this.#order.memberSeq(index));
    }
    if (count === 0) return;
    this.#order.dropFirst(count);
    this.#areGapsChanged = true;
  }

  /** Inserts entries, except those that would come first and are from before `from`. */
  #insert(
    member: JoinedMember<Line>,
    items: readonly JoinedItem[],
    from: number,
  ): readonly InsertedRun[] {
    const { number } = member;
    const order = this.#order;
    const runs: { index: number; count: number }[] = [];
    /** An entry belongs after the previous one of its own log and before the next. */
    let least = -1;
    let most = -1;
    let next = Number.NEGATIVE_INFINITY;
    for (const [at, { memberSeq, time: ownTime, isGap, until, joinsNewer }] of items.entries()) {
      if (memberSeq <= member.hiddenUpTo) continue;
      const isNewest = member.isNewest(memberSeq);
      if (memberSeq > next) {
        least = order.lastBelow(number, memberSeq) + 1;
        most = isNewest ? order.length : order.nextIndexOf(number, least);
        next = most === order.length ? Number.POSITIVE_INFINITY : order.memberSeq(most);
      }
      // A gap takes the place or time of its line, so that nothing comes between them.
      const isAtLine = isGap && most < order.length && order.memberSeq(most) === until;
      const line = isGap && items[at + 1]?.memberSeq === until ? items[at + 1] : undefined;
      const knownTime = isAtLine ? undefined : (line?.time ?? ownTime);
      const time = knownTime ?? (most === order.length ? this.#arrived : order.time(most));
      if (!isAtLine && least === 0 && time < from) {
        member.hideUpTo(memberSeq);
        continue;
      }
      const index = isAtLine ? most : order.insertionIndex(number, time, least, most);
      order.insert(
        index,
        { member: number, own: memberSeq, time },
        items.length - at - 1,
        joinsNewer,
      );
      least = index + 1;
      most += 1;
      const run = runs.at(-1);
      if (isGap) this.#areGapsChanged = true;
      else if (run !== undefined && run.index + run.count === index) run.count += 1;
      else runs.push({ index, count: 1 });
    }
    return runs.map(({ index, count }) => ({
      first: order.seq(index),
      last: order.seq(index + count - 1),
      count,
    }));
  }

  /** Returns the index of a member's entry. */
  #indexOf(number: number, own: number): number | undefined {
    const index = this.#order.nextIndexOf(number, this.#order.lastBelow(number, own) + 1);
    return this.#order.memberSeq(index) === own ? index : undefined;
  }

  /** Visits runs of entries of one member, which are adjacent in that member too. */
  #forEachRun(
    from: number,
    to: number,
    visit: (member: JoinedMember<Line>, own: number, index: number, count: number) => void,
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
        const own = next[number] ?? member.entries.indexOf(order.memberSeq(index));
        visit(member, own, index, count);
        next[number] = own + count;
      }
      index += count;
    }
  }

  #toJoined(entry: Entry<Line>, member: number, seq: number): Entry<Line> {
    const existing = this.#joinedEntries.get(entry);
    if (existing?.seq === seq) return existing;
    const joined =
      entry.kind === 'line' ? { ...entry, seq, member } : { ...entry, seq, member, own: entry.seq };
    this.#joinedEntries.set(entry, joined);
    return joined;
  }
}
