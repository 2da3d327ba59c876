import type { LogLine } from '../../../contract/logs.ts';
import {
  type Entries,
  type Entry,
  type GapEntry,
  type See,
  seqAt,
} from '../../../tail/arena/entries.ts';
import {
  countBefore,
  gapsOf,
  type PinnedHead,
  holeBetween,
  lowerBound,
  noHead,
  withEntry,
} from './pinned-head.ts';
import { type PinBounds, pinAround } from './pinned-range.ts';

/** Entries of which some stay although the log they come from has dropped them. */
export interface PinnedEntries extends Entries<LogLine> {
  /** Keeps what is around the entry with this `seq`, and what was kept and is dropped already. */
  hold(seq: number): void;
  /** Keeps nothing any more. */
  release(): void;
  /** Whether memory had no room for the entry with this `seq`; it may still be held. */
  isDropped(seq: number): boolean;
  /** What is held, of which the first `count` entries stand here although memory has dropped them. */
  dropped(): { readonly held: readonly Entry<LogLine>[]; readonly count: number };
  /** What decides which entries of the log are among these: see {@link PinOptions}. */
  shown(): readonly unknown[];
}

export interface PinOptions {
  /** The log that drops its oldest entries, where `base` shows only some of them. */
  readonly log?: Entries<LogLine> | undefined;
  /**
   * What decides which of them it shows, compared one by one; nothing but undefined when it shows
   * all.
   */
  readonly shown?: (() => readonly unknown[]) | undefined;
  /** Those of some entries that it shows by that, be they left in the log or not. */
  readonly sift?: ((entries: readonly Entry<LogLine>[]) => readonly Entry<LogLine>[]) | undefined;
  readonly bounds?: PinBounds | undefined;
}

const defaultBounds: PinBounds = { around: 512, least: 64, most: 8192, characters: 2 ** 24 };

/**
 * The log with what a reader has before the eyes pinned (screens, rule 11): the oldest lines may be
 * dropped from `base` at any time, and what was held of them still stands before the others. A gap
 * says where lines between the two are gone. Unlike in a log alone, entries can so vanish behind the
 * first ones without the epoch growing: those that stay keep their `seq`.
 */
export function pinEntries(
  base: Entries<LogLine>,
  {
    log = base,
    shown = () => [],
    sift = (entries) => entries,
    bounds = defaultBounds,
  }: PinOptions = {},
): PinnedEntries {
  /** In order, and without anything missing between them when they were taken. */
  let held: readonly Entry<LogLine>[] = [];
  let epoch = 0;
  let choice: readonly unknown[] = [];
  /** What was held while all was shown: what is held while a filter hides some of it is of that. */
  let ofAll: readonly Entry<LogLine>[] = [];
  /** What was held last. */
  let eye: number | undefined;
  /** With so many held to both sides, nothing has to be taken anew. */
  let near = 0;
  let hole: GapEntry<LogLine> | undefined;
  let joined: { readonly head: PinnedHead; readonly of: Entries<LogLine>['gaps'] } | undefined;
  let gaps: readonly GapEntry<LogLine>[] = [];
  let last: PinnedHead = noHead;

  function keep(entries: readonly Entry<LogLine>[]): void {
    held = entries;
    epoch = base.epoch;
    choice = shown();
    hole = undefined;
  }

  /** Lets go of what says nothing any more. */
  function renew(): void {
    if (base.epoch !== epoch) {
      ofAll = [];
      keep([]);
    }
    if (held.length === 0 && ofAll.length === 0) return;
    const now = shown();
    if (now.length === choice.length && now.every((each, at) => each === choice[at])) return;
    if (choice.every((each) => each === undefined)) ofAll = held;
    // Of what only a filter brought under the eye, other lines are not known to stand next to it.
    else
      ofAll = withEntry(
        ofAll,
        held.find(({ seq }) => seq === eye),
      );
    keep(now.every((each) => each === undefined) ? ofAll : sift(ofAll));
  }

  /** What stands before the first entry of `base`. */
  function head(): PinnedHead {
    renew();
    const [oldestHeld] = held;
    if (oldestHeld === undefined) return noHead;
    const oldest = seqAt(log, 0);
    if (oldestHeld.seq >= (oldest ?? Number.POSITIVE_INFINITY)) return noHead;
    if (last.held === held && last.oldest === oldest) return last;
    const first = log.at(0);
    const count = first === undefined ? held.length : countBefore(held, first);
    const before = count === held.length ? held.at(-1) : undefined;
    hole =
      before === undefined || first === undefined ? undefined : holeBetween(before, first, hole);
    last = { held, oldest, count, hole, length: count + (hole === undefined ? 0 : 1) };
    return last;
  }

  function slice(from: number, to: number): readonly Entry<LogLine>[] {
    const { count, length, hole: between } = head();
    const start = Math.max(0, from);
    const end = Math.max(start, to);
    return [
      ...held.slice(start, Math.min(end, count)),
      ...(between !== undefined && start <= count && count < end ? [between] : []),
      ...base.slice(Math.max(0, start - length), Math.max(0, end - length)),
    ];
  }

  function indexOf(seq: number): number {
    const { count, length, hole: between } = head();
    const before = length === 0 ? undefined : (between ?? held[count - 1]);
    if (before === undefined || seq > before.seq) return length + base.indexOf(seq);
    return lowerBound(held, count, seq);
  }

  /** Whether enough around the entry at `index` is held, and nothing came in between since. */
  function isHeld(index: number): boolean {
    const [first, end] = [held[0], held.at(-1)];
    if (first === undefined || end === undefined) return false;
    const { count, length } = head();
    const from = count > 0 ? 0 : base.indexOf(first.seq);
    const to = count === held.length ? count : length + base.indexOf(end.seq) + 1;
    return (
      to - from === held.length &&
      (from === 0 || index - from >= near) &&
      (to - index > near || to === length + base.length)
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
      const { count, length, hole: between } = head();
      if (index < 0 || index >= length) return base.at(index - length);
      return index < count ? held[index] : between;
    },
    seqAt(index) {
      const { count, length, hole: between } = head();
      if (index < 0 || index >= length) return seqAt(base, index - length);
      return (index < count ? held[index] : between)?.seq;
    },
    slice,
    indexOf,
    get gaps() {
      const before = head();
      if (before.length === 0) return base.gaps;
      if (joined?.head !== before || joined.of !== base.gaps) {
        joined = { head: before, of: base.gaps };
        gaps = [...gapsOf(before), ...base.gaps];
      }
      return gaps;
    },
    scan(from, to, see: See, sieve) {
      const { count, length } = head();
      let characters = 0;
      for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) {
        const entry = held[index];
        if (entry?.kind !== 'line') continue;
        characters += entry.line.logLine.length;
        see(index, entry.line.logLine, entry.line.serviceName);
      }
      if (length === 0) return characters + base.scan(from, to, see, sieve);
      if (to <= length) return characters;
      const behind: See = (index, text, service) => see(index + length, text, service);
      return characters + base.scan(Math.max(0, from - length), to - length, behind, sieve);
    },
    hold(seq) {
      eye = seq;
      const index = indexOf(seq);
      if (isHeld(index)) return;
      const { length } = head();
      const room = { ...bounds, from: length, to: length + base.length };
      const { from, entries, isCut } = pinAround(index, room, (at) => base.at(at - length));
      // What the log has no more is kept for as long as there is room for it.
      const before =
        from === length ? slice(Math.max(0, from + entries.length - bounds.most), from) : [];
      if (entries.length === 0) return;
      near = Math.floor((isCut ? bounds.least : bounds.around) / 2);
      keep([...before, ...entries]);
    },
    release() {
      if (held.length === 0 && ofAll.length === 0) return;
      ofAll = [];
      keep([]);
    },
    isDropped: (seq) => seq < (seqAt(log, 0) ?? Number.POSITIVE_INFINITY),
    dropped: head,
    shown,
  };
}
