import type { LogLine } from '../contract/logs.ts';
import type { Entries, Entry, GapEntry, See } from '../tail/entries.ts';
import { isNext } from '../tail/place.ts';
import { type PinBounds, takenAround } from './log-taken.ts';

/** Entries of which some stay although the log they come from has dropped them. */
export interface PinnedEntries extends Entries<LogLine> {
  /** Keeps what is around the entry with this `seq`, and what was kept and is dropped already. */
  hold(seq: number): void;
  /** Keeps nothing any more. */
  release(): void;
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
  bounds: PinBounds = defaultBounds,
): PinnedEntries {
  /** In order, and without anything missing between them when they were taken. */
  let held: readonly Entry<LogLine>[] = [];
  let epoch = 0;
  /** With so many held to both sides, nothing has to be taken anew. */
  let near = 0;
  let hole: GapEntry<LogLine> | undefined;
  let joined: { readonly head: Head; readonly of: Entries<LogLine>['gaps'] } | undefined;
  let gaps: readonly GapEntry<LogLine>[] = [];
  let last: Head = nothing;

  function keep(entries: readonly Entry<LogLine>[]): void {
    held = entries;
    epoch = base.epoch;
    hole = undefined;
  }

  /** What stands before the first entry of `base`. */
  function head(): Head {
    if (held.length === 0) return nothing;
    if (base.epoch !== epoch) {
      keep([]);
      return nothing;
    }
    const first = base.at(0);
    const count = first === undefined ? held.length : countBefore(held, first);
    const before = count === held.length ? held.at(-1) : undefined;
    hole =
      before === undefined || first === undefined ? undefined : holeBetween(before, first, hole);
    const same = last.held === held && last.count === count && last.hole === hole;
    if (!same) last = { held, count, hole, length: count + (hole === undefined ? 0 : 1) };
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
    scan(from, to, see: See) {
      const { count, length } = head();
      for (let index = Math.max(0, from); index < Math.min(to, count); index += 1) {
        const entry = held[index];
        if (entry?.kind === 'line') see(index, entry.line.logLine, entry.line.serviceName);
      }
      if (length === 0) base.scan(from, to, see);
      else if (to > length) {
        base.scan(Math.max(0, from - length), to - length, (index, text, service) => {
          see(index + length, text, service);
        });
      }
    },
    hold(seq) {
      const index = indexOf(seq);
      if (isHeld(index)) return;
      const { length } = head();
      const room = { ...bounds, from: length, to: length + base.length };
      const { from, entries, isCut } = takenAround(index, room, (at) => base.at(at - length));
      // What the log has no more is kept for as long as there is room for it.
      const before =
        from === length ? slice(Math.max(0, from + entries.length - bounds.most), from) : [];
      if (entries.length === 0) return;
      near = Math.floor((isCut ? bounds.least : bounds.around) / 2);
      keep([...before, ...entries]);
    },
    release: () => keep([]),
  };
}

interface Head {
  readonly held: readonly Entry<LogLine>[];
  /** So many of the held entries are dropped. */
  readonly count: number;
  /** Stands where lines between them and the first that is left are gone. */
  readonly hole: GapEntry<LogLine> | undefined;
  /** Entries before the first one of the log. */
  readonly length: number;
}

const nothing: Head = { held: [], count: 0, hole: undefined, length: 0 };

/** How many of the entries stand before `first`. */
function countBefore(held: readonly Entry<LogLine>[], first: Entry<LogLine>): number {
  let count = lowerBound(held, held.length, first.seq);
  // Fetched once more, the same line may have got another number.
  for (; count > 0 && isBehind(held[count - 1], first); count -= 1);
  return count;
}

function isBehind(entry: Entry<LogLine> | undefined, first: Entry<LogLine>): boolean {
  if (entry?.kind !== 'line' || first.kind !== 'line') return false;
  const { id, deploymentId } = entry.line;
  if (id === undefined || first.line.id === undefined) return false;
  return deploymentId === first.line.deploymentId && id >= first.line.id;
}

/** A gap between two entries, which keeps its number; undefined where nothing can be between them. */
function holeBetween(
  before: Entry<LogLine>,
  first: Entry<LogLine>,
  known: GapEntry<LogLine> | undefined,
): GapEntry<LogLine> | undefined {
  if (first.kind === 'gap') return undefined;
  const id = before.kind === 'line' ? before.line.id : undefined;
  if (id !== undefined && first.line.id !== undefined && isNext(id, first.line.id))
    return undefined;
  if (known?.place === first.place) return known;
  return {
    kind: 'gap',
    seq: known !== undefined && known.seq < first.seq ? known.seq : (before.seq + first.seq) / 2,
    place: first.place,
    state: { kind: 'missing', why: 'dropped' },
    after: before.kind === 'line' ? before.line : undefined,
    until: first.line,
  };
}

function gapsOf({ held, count, hole }: Head): readonly GapEntry<LogLine>[] {
  const kept = held.slice(0, count).filter((entry) => entry.kind === 'gap');
  return hole === undefined ? kept : [...kept, hole];
}

/** Index of the first of `count` entries with this `seq` or a higher one. */
function lowerBound(entries: readonly Entry<LogLine>[], count: number, seq: number): number {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((entries[middle]?.seq ?? seq) < seq) low = middle + 1;
    else high = middle;
  }
  return low;
}
