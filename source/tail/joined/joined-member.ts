import {
  type Entries,
  type Entry,
  type GapEntry,
  indexBehind,
  type Inserted,
  seqAt,
} from '../arena/entries.ts';

/** An entry of a member that is to be put into the joined order. */
export interface JoinedItem {
  readonly own: number;
  /**
   * That of a line which does not tell it is that of the one before it, as in a stack trace, else of
   * the next one. Undefined when no line beside it tells. A gap has that of the line behind it.
   */
  readonly time: number | undefined;
  readonly isGap: boolean;
  /** `seq` of the entry that a gap stands before. */
  readonly until: number | undefined;
  /** Older ones may be put in directly before it later. */
  readonly joinsNewer: boolean;
}

/** Lines in a row that are looked at for one that tells its time. */
const mostUntold = 256;

/** Milliseconds since the epoch at which a line was written; undefined when it does not tell. */
export type LineTime<Line> = (line: Line) => number | undefined;

interface PlacedGap {
  readonly own: number;
  /** `seq` of the entry that it stands before. */
  readonly until: number | undefined;
}

/** One of several joined logs: what was seen of it, and how much of it is left out. */
export class JoinedMember<Line> {
  readonly number: number;
  readonly entries: Entries<Line>;
  readonly #timeOf: LineTime<Line>;
  /** All its entries up to this `seq` are left out: another log is not known so far back. */
  hidden = Number.NEGATIVE_INFINITY;
  /** Highest `seq` that was put in or left out. */
  highest = Number.NEGATIVE_INFINITY;
  /** There are lines before its first one that are not at hand. */
  lacksOlder = false;
  #epoch: number;
  /** The first entry as it was looked at last. */
  #begin: { readonly seq: number; readonly epoch: number; readonly time: number } | undefined;
  #first = Number.NEGATIVE_INFINITY;
  #seenGaps: readonly GapEntry<Line>[] = [];
  #gaps: readonly PlacedGap[] = [];

  constructor(number: number, entries: Entries<Line>, timeOf: LineTime<Line>) {
    this.number = number;
    this.entries = entries;
    this.#timeOf = timeOf;
    this.#epoch = entries.epoch;
    this.hideAll();
  }

  /** True when what is remembered of it by `seq` says nothing any more. */
  isVoid(): boolean {
    return this.#epoch !== this.entries.epoch;
  }

  /** Leaves all out that it has now, to be taken in from the newest on. */
  hideAll(): void {
    const { entries } = this;
    this.#epoch = entries.epoch;
    this.hidden = seqAt(entries, entries.length - 1) ?? Number.NEGATIVE_INFINITY;
    this.highest = this.hidden;
    this.#seenGaps = [];
    this.#gaps = [];
  }

  /** `seq` of its first entry when entries before that were dropped since it was asked last. */
  droppedBelow(): number | undefined {
    const before = this.#first;
    this.#first = seqAt(this.entries, 0) ?? Number.POSITIVE_INFINITY;
    return this.#first > before ? this.#first : undefined;
  }

  /** Since when all its lines are at hand; -Infinity when none are missing, or a gap says so. */
  knownFrom(): number {
    const seq = this.lacksOlder ? seqAt(this.entries, 0) : undefined;
    if (seq === undefined) return Number.NEGATIVE_INFINITY;
    if (this.#begin?.seq !== seq || this.#begin.epoch !== this.entries.epoch) {
      const time = this.#toldFrom(0, 1) ?? Number.NEGATIVE_INFINITY;
      this.#begin = { seq, epoch: this.entries.epoch, time };
    }
    return this.#begin.time;
  }

  /**
   * The gaps that came and that went since it was asked last; one that moved has done both.
   * Undefined when no gap is another one.
   */
  changedGaps():
    | { readonly came: readonly PlacedGap[]; readonly went: readonly PlacedGap[] }
    | undefined {
    const { entries } = this;
    if (entries.gaps === this.#seenGaps) return undefined;
    const before = this.#gaps;
    this.#seenGaps = entries.gaps;
    this.#gaps = entries.gaps.map(({ seq }) => ({
      own: seq,
      until: seqAt(entries, entries.indexOf(seq) + 1),
    }));
    return { came: without(this.#gaps, before), went: without(before, this.#gaps) };
  }

  /** What is to be put in for lines that came and gaps that came, oldest first. */
  itemsOf(runs: readonly Inserted[], gaps: readonly PlacedGap[]): readonly JoinedItem[] {
    const { entries } = this;
    const items = runs.flatMap(({ first, last, count }) => {
      const index = entries.indexOf(first);
      // Of what was put in, the oldest may have been dropped at once.
      const run = entries.slice(index, index + count).filter(({ seq }) => seq <= last);
      return this.#items(run, index).filter(({ isGap }) => !isGap);
    });
    if (gaps.length === 0 && runs.length < 2) return items;
    for (const { own } of gaps) {
      const index = entries.indexOf(own);
      items.push(...this.#items(entries.slice(index, index + 2), index).slice(0, 1));
    }
    return items.sort((left, right) => left.own - right.own);
  }

  /** At most so many of the newest entries that are left out and not before `time`. */
  hiddenFrom(time: number, most: number): readonly JoinedItem[] {
    const { entries } = this;
    if (this.hidden === Number.NEGATIVE_INFINITY) return [];
    const end = indexBehind(entries, this.hidden);
    // Mostly not even the newest one is from then on: nothing else is looked at.
    if ((this.#toldFrom(end - 1, -1) ?? Number.NEGATIVE_INFINITY) < time) return [];
    let from = Math.max(0, end - most);
    // No gap is left out whose line is not.
    if (entries.at(from - 1)?.kind === 'gap') from -= 1;
    const items = this.#items(entries.slice(from, end), from);
    let start = items.length;
    while (start > 0 && (items[start - 1]?.time ?? Number.NEGATIVE_INFINITY) >= time) start -= 1;
    return items.slice(start);
  }

  /** Leaves out no more than what stands before one of its entries. */
  showFrom(own: number): void {
    const before = seqAt(this.entries, this.entries.indexOf(own) - 1);
    this.hidden = before ?? Number.NEGATIVE_INFINITY;
  }

  /** The time of the first entry from `index` on, or back, that tells it. */
  #toldFrom(index: number, step: 1 | -1): number | undefined {
    for (let at = index; Math.abs(at - index) < mostUntold; at += step) {
      const entry = this.entries.at(at);
      if (entry === undefined) return undefined;
      const time = this.#told(entry);
      if (time !== undefined) return time;
    }
    return undefined;
  }

  #told(entry: Entry<Line>): number | undefined {
    return this.#timeOf(entry.kind === 'line' ? entry.line : entry.until);
  }

  #items(run: readonly Entry<Line>[], index: number): JoinedItem[] {
    const times = timesOf(run, (entry) => this.#told(entry));
    let joinsNewer = index <= 0 || this.entries.at(index - 1)?.kind === 'gap';
    return run.map((entry, at) => {
      if (at > 0 && run[at - 1]?.kind === 'gap') joinsNewer = true;
      return {
        own: entry.seq,
        time: times[at],
        isGap: entry.kind === 'gap',
        until: entry.kind === 'gap' ? seqAt(this.entries, index + at + 1) : undefined,
        joinsNewer,
      };
    });
  }
}

/** The time of each entry of a run; see {@link JoinedItem.time}. */
function timesOf<Line>(
  run: readonly Entry<Line>[],
  toldBy: (entry: Entry<Line>) => number | undefined,
): readonly (number | undefined)[] {
  let before: number | undefined;
  let known: number | undefined;
  const times = run.map((entry) => {
    const told = toldBy(entry);
    known = told ?? known;
    // The line before a gap is not the one before those behind it.
    before = told ?? (entry.kind === 'gap' ? undefined : before);
    return before;
  });
  for (let at = times.length - 1; at >= 0; at -= 1) {
    times[at] ??= known;
    known = times[at];
  }
  return times;
}

function without(gaps: readonly PlacedGap[], others: readonly PlacedGap[]): readonly PlacedGap[] {
  const known = new Map(others.map(({ own, until }) => [own, until]));
  return gaps.filter(({ own, until }) => !known.has(own) || known.get(own) !== until);
}
