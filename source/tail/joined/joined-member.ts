import {
  type Entries,
  type Entry,
  type GapEntry,
  indexAfter,
  type InsertedRun,
  seqAt,
} from '../arena/entries.ts';

/** An entry of a member to insert into the joined order. */
export interface JoinedItem {
  readonly memberSeq: number;
  /**
   * The time of the entry. A line without a time takes that of the line before it, as in a stack
   * trace, or else of the next; a gap that of the line after it. Undefined when no adjacent line
   * has a time.
   */
  readonly time: number | undefined;
  readonly isGap: boolean;
  /** The `seq` of the entry after a gap. */
  readonly until: number | undefined;
  /** True when older entries may be inserted directly before it later. */
  readonly joinsNewer: boolean;
}

/** Lines that are searched for one with a time. */
const maxUntimed = 256;

/** Returns the time at which a line was written, in ms since the epoch; undefined without one. */
export type LineTime<Line> = (line: Line) => number | undefined;

interface MemberGap {
  readonly own: number;
  /** The `seq` of the entry after the gap. */
  readonly until: number | undefined;
}

/** One of several joined logs: its entries and how many of them are hidden. */
export class JoinedMember<Line> {
  readonly number: number;
  readonly entries: Entries<Line>;
  readonly #timeOf: LineTime<Line>;
  #hiddenUpTo = Number.NEGATIVE_INFINITY;
  #highestSeq = Number.NEGATIVE_INFINITY;
  #lacksOlder = false;
  #epoch: number;
  /** The first entry at the last check. */
  #start: { readonly seq: number; readonly epoch: number; readonly time: number } | undefined;
  #first = Number.NEGATIVE_INFINITY;
  #lastGaps: readonly GapEntry<Line>[] = [];
  #gaps: readonly MemberGap[] = [];

  constructor(number: number, entries: Entries<Line>, timeOf: LineTime<Line>) {
    this.number = number;
    this.entries = entries;
    this.#timeOf = timeOf;
    this.#epoch = entries.epoch;
    this.hideAll();
  }

  /** Entries up to this `seq` are hidden, because another log is incomplete there. */
  get hiddenUpTo(): number {
    return this.#hiddenUpTo;
  }

  hideUpTo(seq: number): void {
    this.#hiddenUpTo = Math.max(this.#hiddenUpTo, seq);
  }

  /** Notes an entry that is inserted or hidden. Returns whether it is newer than all before. */
  isNewest(seq: number): boolean {
    if (seq <= this.#highestSeq) return false;
    this.#highestSeq = seq;
    return true;
  }

  /** Sets whether older lines exist that are not loaded. Returns whether that is a change. */
  setLacksOlder(lacks: boolean): boolean {
    const before = this.#lacksOlder;
    this.#lacksOlder = lacks;
    return before !== lacks;
  }

  /** Returns true when remembered `seq` numbers are invalid. */
  isVoid(): boolean {
    return this.#epoch !== this.entries.epoch;
  }

  /** Hides all current entries, to be shown from the newest on. */
  hideAll(): void {
    const { entries } = this;
    this.#epoch = entries.epoch;
    this.#hiddenUpTo = seqAt(entries, entries.length - 1) ?? Number.NEGATIVE_INFINITY;
    this.#highestSeq = this.#hiddenUpTo;
    this.#lastGaps = [];
    this.#gaps = [];
  }

  /** Returns the `seq` of the first entry if older ones were dropped since the last call. */
  takeDroppedBelow(): number | undefined {
    const before = this.#first;
    this.#first = seqAt(this.entries, 0) ?? Number.POSITIVE_INFINITY;
    return this.#first > before ? this.#first : undefined;
  }

  /** Returns the time from which all lines are loaded; -Infinity when only gaps are missing. */
  completeFrom(): number {
    const seq = this.#lacksOlder ? seqAt(this.entries, 0) : undefined;
    if (seq === undefined) return Number.NEGATIVE_INFINITY;
    if (this.#start?.seq !== seq || this.#start.epoch !== this.entries.epoch) {
      const time = this.#firstTimeFrom(0, 1) ?? Number.NEGATIVE_INFINITY;
      this.#start = { seq, epoch: this.entries.epoch, time };
    }
    return this.#start.time;
  }

  /** Returns gaps added and removed since the last call; a moved gap is both. Undefined if none. */
  takeGapChanges():
    | { readonly added: readonly MemberGap[]; readonly removed: readonly MemberGap[] }
    | undefined {
    const { entries } = this;
    if (entries.gaps === this.#lastGaps) return undefined;
    const before = this.#gaps;
    this.#lastGaps = entries.gaps;
    this.#gaps = entries.gaps.map(({ seq }) => ({
      own: seq,
      until: seqAt(entries, entries.indexOf(seq) + 1),
    }));
    return { added: gapsNotIn(this.#gaps, before), removed: gapsNotIn(before, this.#gaps) };
  }

  /** Returns the items to insert for added lines and gaps, oldest first. */
  itemsOf(runs: readonly InsertedRun[], gaps: readonly MemberGap[]): readonly JoinedItem[] {
    const { entries } = this;
    const items = runs.flatMap(({ first, last, count }) => {
      const index = entries.indexOf(first);
      // The oldest of the inserted lines may already have been dropped.
      const run = entries.slice(index, index + count).filter(({ seq }) => seq <= last);
      return this.#items(run, index).filter(({ isGap }) => !isGap);
    });
    if (gaps.length === 0 && runs.length < 2) return items;
    for (const { own } of gaps) {
      const index = entries.indexOf(own);
      items.push(...this.#items(entries.slice(index, index + 2), index).slice(0, 1));
    }
    return items.sort((left, right) => left.memberSeq - right.memberSeq);
  }

  /** Returns the newest hidden entries that are not before `time`, at most `limit`. */
  newestHiddenFrom(time: number, limit: number): readonly JoinedItem[] {
    const { entries } = this;
    if (this.#hiddenUpTo === Number.NEGATIVE_INFINITY) return [];
    const end = indexAfter(entries, this.#hiddenUpTo);
    // Usually even the newest one is too old, and no other entry is decoded.
    if ((this.#firstTimeFrom(end - 1, -1) ?? Number.NEGATIVE_INFINITY) < time) return [];
    let from = Math.max(0, end - limit);
    // A gap is never hidden without its line.
    if (entries.at(from - 1)?.kind === 'gap') from -= 1;
    const items = this.#items(entries.slice(from, end), from);
    let start = items.length;
    while (start > 0 && (items[start - 1]?.time ?? Number.NEGATIVE_INFINITY) >= time) start -= 1;
    return items.slice(start);
  }

  /** Shows all entries from `own` on. */
  showFrom(own: number): void {
    const before = seqAt(this.entries, this.entries.indexOf(own) - 1);
    this.#hiddenUpTo = before ?? Number.NEGATIVE_INFINITY;
  }

  /** Returns the time of the first entry with one, searching from `index` in one direction. */
  #firstTimeFrom(index: number, step: 1 | -1): number | undefined {
    for (let at = index; Math.abs(at - index) < maxUntimed; at += step) {
      const entry = this.entries.at(at);
      if (entry === undefined) return undefined;
      const time = this.#ownTimeOf(entry);
      if (time !== undefined) return time;
    }
    return undefined;
  }

  #ownTimeOf(entry: Entry<Line>): number | undefined {
    return this.#timeOf(entry.kind === 'line' ? entry.line : entry.until);
  }

  #items(run: readonly Entry<Line>[], index: number): JoinedItem[] {
    const times = timesOf(run, (entry) => this.#ownTimeOf(entry));
    let joinsNewer = index <= 0 || this.entries.at(index - 1)?.kind === 'gap';
    return run.map((entry, at): JoinedItem => {
      if (at > 0 && run[at - 1]?.kind === 'gap') joinsNewer = true;
      return {
        memberSeq: entry.seq,
        time: times[at],
        isGap: entry.kind === 'gap',
        until: entry.kind === 'gap' ? seqAt(this.entries, index + at + 1) : undefined,
        joinsNewer,
      };
    });
  }
}

/** Returns the time of each entry of a run; see {@link JoinedItem.time}. */
function timesOf<Line>(
  run: readonly Entry<Line>[],
  ownTimeOf: (entry: Entry<Line>) => number | undefined,
): readonly (number | undefined)[] {
  let before: number | undefined;
  let adjacentTime: number | undefined;
  const times = run.map((entry) => {
    const ownTime = ownTimeOf(entry);
    adjacentTime = ownTime ?? adjacentTime;
    // The line before a gap is not adjacent to those after it.
    before = ownTime ?? (entry.kind === 'gap' ? undefined : before);
    return before;
  });
  for (let at = times.length - 1; at >= 0; at -= 1) {
    times[at] ??= adjacentTime;
    adjacentTime = times[at];
  }
  return times;
}

function gapsNotIn(gaps: readonly MemberGap[], others: readonly MemberGap[]): readonly MemberGap[] {
  const otherGaps = new Map(others.map(({ own, until }) => [own, until]));
  return gaps.filter(({ own, until }) => !otherGaps.has(own) || otherGaps.get(own) !== until);
}
