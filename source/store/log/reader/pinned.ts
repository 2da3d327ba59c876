import type { LogLine } from '../../../contract/logs.ts';
import {
  type Entries,
  type Entry,
  type GapEntry,
  type LineVisitor,
  seqAt,
} from '../../../tail/arena/entries.ts';
import {
  countBefore,
  gapsOf,
  type PinnedHead,
  droppedGapBetween,
  lowerBound,
  noHead,
  withEntry,
} from './pinned-head.ts';
import { type PinLimits, copyAround } from './pinned-range.ts';

/** Entries of a log, including pinned ones that the log has dropped. */
export interface PinnedEntries extends Entries<LogLine> {
  /** Pins the entries around this `seq`; dropped entries before them stay pinned. */
  hold(seq: number): void;
  /** Unpins all entries. */
  release(): void;
  /** Returns whether the log has dropped the entry with this `seq`, even if it is still pinned. */
  isDropped(seq: number): boolean;
  /** Returns the pinned entries; the log has dropped the first `count` of them. */
  dropped(): { readonly held: readonly Entry<LogLine>[]; readonly count: number };
  /** Returns the values that decide which entries pass the filter; see {@link PinOptions}. */
  criteria(): readonly unknown[];
}

export interface PinOptions {
  /** The unfiltered log, which drops its oldest entries. Default: `base`. */
  readonly log?: Entries<LogLine> | undefined;
  /** Returns the values that decide which entries pass; all undefined while the filter is off. */
  readonly criteria?: (() => readonly unknown[]) | undefined;
  /** Returns the given entries that pass the filter, whether they are still in memory or not. */
  readonly match?: ((entries: readonly Entry<LogLine>[]) => readonly Entry<LogLine>[]) | undefined;
  readonly bounds?: PinLimits | undefined;
}

const defaultBounds: PinLimits = { around: 512, least: 64, most: 8192, characters: 2 ** 24 };

/**
 * Pins the entries around a reader's cursor. When `base` drops its oldest lines, the pinned ones
 * stay before the rest, with a gap where lines between the two are missing. Therefore entries after
 * the first ones can disappear without a new epoch; the remaining entries keep their `seq`.
 */
export function pinEntries(
  base: Entries<LogLine>,
  {
    log = base,
    criteria: shown = () => [],
    match = (entries) => entries,
    bounds = defaultBounds,
  }: PinOptions = {},
): PinnedEntries {
  /** Pinned entries in order; none was missing between them when they were pinned. */
  let pinned: readonly Entry<LogLine>[] = [];
  let epoch = 0;
  let criteria: readonly unknown[] = [];
  /** Entries that were pinned while the filter was off. */
  let unfiltered: readonly Entry<LogLine>[] = [];
  /** `seq` of the entry that was pinned last. */
  let cursor: number | undefined;
  /** Pinned entries needed on each side of the cursor before more are pinned. */
  let margin = 0;
  let hole: GapEntry<LogLine> | undefined;
  let gapsCache: { readonly head: PinnedHead; readonly of: Entries<LogLine>['gaps'] } | undefined;
  let gaps: readonly GapEntry<LogLine>[] = [];
  let lastHead: PinnedHead = noHead;

  function setPinned(entries: readonly Entry<LogLine>[]): void {
    pinned = entries;
    epoch = base.epoch;
    criteria = shown();
    hole = undefined;
  }

  /** Updates the pinned entries after a renumbering or a change of the filter. */
  function refresh(): void {
    if (base.epoch !== epoch) {
      unfiltered = [];
      setPinned([]);
    }
    if (pinned.length === 0 && unfiltered.length === 0) return;
    const current = shown();
    if (current.length === criteria.length && current.every((each, at) => each === criteria[at]))
      return;
    if (criteria.every((each) => each === undefined)) unfiltered = pinned;
    // The neighbours of a line that a filter moved under the cursor are not pinned.
    else
      unfiltered = withEntry(
        unfiltered,
        pinned.find(({ seq }) => seq === cursor),
      );
    setPinned(current.every((each) => each === undefined) ? unfiltered : match(unfiltered));
  }

  /** Returns the pinned entries before the first entry of `base`. */
  function head(): PinnedHead {
    refresh();
    const [oldestHeld] = pinned;
    if (oldestHeld === undefined) return noHead;
    const oldest = seqAt(log, 0);
    if (oldestHeld.seq >= (oldest ?? Number.POSITIVE_INFINITY)) return noHead;
    if (lastHead.held === pinned && lastHead.oldest === oldest) return lastHead;
    const first = log.at(0);
    const count = first === undefined ? pinned.length : countBefore(pinned, first);
    const before = count === pinned.length ? pinned.at(-1) : undefined;
    hole =
      before === undefined || first === undefined
        ? undefined
        : droppedGapBetween(before, first, hole);
    lastHead = {
      held: pinned,
      oldest,
      count,
      gap: hole,
      length: count + (hole === undefined ? 0 : 1),
    };
    return lastHead;
  }

  function slice(from: number, to: number): readonly Entry<LogLine>[] {
    const { count, length, gap } = head();
    const start = Math.max(0, from);
    const end = Math.max(start, to);
    return [
      ...pinned.slice(start, Math.min(end, count)),
      ...(gap !== undefined && start <= count && count < end ? [gap] : []),
      ...base.slice(Math.max(0, start - length), Math.max(0, end - length)),
    ];
  }

  function indexOf(seq: number): number {
    const { count, length, gap } = head();
    const before = length === 0 ? undefined : (gap ?? pinned[count - 1]);
    if (before === undefined || seq > before.seq) return length + base.indexOf(seq);
    return lowerBound(pinned, count, seq);
  }

  /**
   * Returns whether enough entries around `index` are pinned, and none was inserted between them.
   */
  function isHeld(index: number): boolean {
    const [first, end] = [pinned[0], pinned.at(-1)];
    if (first === undefined || end === undefined) return false;
    const { count, length } = head();
    const from = count > 0 ? 0 : base.indexOf(first.seq);
    const to = count === pinned.length ? count : length + base.indexOf(end.seq) + 1;
    return (
      to - from === pinned.length &&
      (from === 0 || index - from >= margin) &&
      (to - index > margin || to === length + base.length)
    );
  }

  return {
    get length() {
      return head().length + base.length;
    },
    get epoch() {
      return base.epoch;
    },
    at(index) {
      const { count, length, gap } = head();
      if (index < 0 || index >= length) return base.at(index - length);
      return index < count ? pinned[index] : gap;
    },
    seqAt(index) {
      const { count, length, gap } = head();
      if (index < 0 || index >= length) return seqAt(base, index - length);
      return (index < count ? pinned[index] : gap)?.seq;
    },
    slice,
    indexOf,
    get gaps() {
      const before = head();
      if (before.length === 0) return base.gaps;
      if (gapsCache?.head !== before || gapsCache.of !== base.gaps) {
        gapsCache = { head: before, of: base.gaps };
        gaps = [...gapsOf(before), ...base.gaps];
      }
      return gaps;
    },
    scan(from, to, see: LineVisitor, prefilter) {
      const { count, length } = head();
      let characters = 0;
      for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) {
        const entry = pinned[index];
        if (entry?.kind !== 'line') continue;
        characters += entry.line.logLine.length;
        see(index, entry.line.logLine, entry.line.serviceName);
      }
      if (length === 0) return characters + base.scan(from, to, see, prefilter);
      if (to <= length) return characters;
      const shifted: LineVisitor = (index, text, service) => see(index + length, text, service);
      return characters + base.scan(Math.max(0, from - length), to - length, shifted, prefilter);
    },
    hold(seq) {
      cursor = seq;
      const index = indexOf(seq);
      if (isHeld(index)) return;
      const { length } = head();
      const range = { ...bounds, from: length, to: length + base.length };
      const { from, entries, isCut } = copyAround(index, range, (at) => base.at(at - length));
      // Dropped entries stay pinned while the limit allows it.
      const before =
        from === length ? slice(Math.max(0, from + entries.length - bounds.most), from) : [];
      if (entries.length === 0) return;
      margin = Math.floor((isCut ? bounds.least : bounds.around) / 2);
      setPinned([...before, ...entries]);
    },
    release() {
      if (pinned.length === 0 && unfiltered.length === 0) return;
      unfiltered = [];
      setPinned([]);
    },
    isDropped: (seq) => seq < (seqAt(log, 0) ?? Number.POSITIVE_INFINITY),
    dropped: head,
    criteria: shown,
  };
}
