import type { Gap } from './gap.ts';
import type { Place } from './place.ts';
import type { Sieve } from '../query/prefilter.ts';

/** A line of the log. `seq` rises from entry to entry and stays with its entry. */
export interface LineEntry<Line> {
  readonly kind: 'line';
  readonly seq: number;
  readonly place: Place;
  readonly line: Line;
  /** Of several logs that are joined, the number of the one it is of. */
  readonly member?: number | undefined;
}

/** Stands where lines are missing, directly before the first known line behind them. */
export interface GapEntry<Line> extends Gap<Line> {
  readonly kind: 'gap';
  readonly seq: number;
  readonly place: Place;
  /** As of a line. */
  readonly member?: number | undefined;
}

export type Entry<Line> = LineEntry<Line> | GapEntry<Line>;

/** A line as the message that it came as, which is good until the log changes. */
export interface LineMessage {
  readonly kind: 'message';
  readonly seq: number;
  readonly place: Place;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What is looked at in a line when many are: its text, and the service that wrote it. */
export type See = (index: number, text: string, service: string | undefined) => void;

/** What a reader sees: the entries oldest first, by index or by `seq`. */
export interface Entries<Line> {
  readonly length: number;
  /**
   * Grows when entries were taken out elsewhere than at the beginning, or got other numbers: what
   * was remembered by `seq` says nothing any more.
   */
  readonly epoch: number;
  /** The same entry may come as another object the next time: `seq` tells it. */
  at(index: number): Entry<Line> | undefined;
  /** Its `seq` alone, where that costs less; else see {@link seqAt}. */
  seqAt?(index: number): number | undefined;
  /** The entries from `from` up to, not with, `to`. */
  slice(from: number, to: number): readonly Entry<Line>[];
  /** Index of the entry with this `seq`, or of the one that now stands where it would. */
  indexOf(seq: number): number;
  /** All gaps, in order; the same array until one comes, goes or changes. */
  readonly gaps: readonly GapEntry<Line>[];
  /**
   * Hands over the lines, not the gaps, from index `from` up to `to`; cheaper than {@link slice}.
   * @param sieve lines in whose text it finds nothing may be left out, but not those with an escape
   * character in it.
   * @returns characters of the lines, left out or not, about.
   */
  scan(from: number, to: number, see: See, sieve?: Sieve): number;
}

/** Entries that were put in next to each other; the first of them, the last, and how many. */
export interface Inserted {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Index behind the entry with this `seq`, or behind where it would stand. */
export function indexBehind(entries: Entries<unknown>, seq: number): number {
  const index = entries.indexOf(seq);
  return seqAt(entries, index) === seq ? index + 1 : index;
}

/** `seq` of the entry at an index, without reading the entry when that can be helped. */
export function seqAt(entries: Entries<unknown>, index: number): number | undefined {
  return entries.seqAt === undefined ? entries.at(index)?.seq : entries.seqAt(index);
}
