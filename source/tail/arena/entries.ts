import type { Gap } from './gap.ts';
import type { Place } from './place.ts';
import type { Prefilter } from '../query/prefilter.ts';

/** A line of the log. `seq` rises from entry to entry and never changes. */
export interface LineEntry<Line> {
  readonly kind: 'line';
  readonly seq: number;
  readonly place: Place;
  readonly line: Line;
  /** The number of the joined log that the line belongs to, if several are joined. */
  readonly member?: number | undefined;
}

/** A gap: lines are missing directly before the first known line after it. */
export interface GapEntry<Line> extends Gap<Line> {
  readonly kind: 'gap';
  readonly seq: number;
  readonly place: Place;
  /** The number of the joined log, as for a line, and the `seq` of the gap in that log. */
  readonly member?: number | undefined;
  readonly own?: number | undefined;
}

export type Entry<Line> = LineEntry<Line> | GapEntry<Line>;

/** A line as its received message, valid until the log changes. */
export interface LineMessage {
  readonly kind: 'message';
  readonly seq: number;
  readonly place: Place;
  readonly bytes: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** Visits a line of a scan: its text and the service that wrote it. */
export type LineVisitor = (index: number, text: string, service: string | undefined) => void;

/** The entries of a log for a reader, oldest first, by index or by `seq`. */
export interface Entries<Line> {
  readonly length: number;
  /**
   * Increases when entries were removed elsewhere than at the start, or renumbered: remembered
   * `seq` numbers are then invalid.
   */
  readonly epoch: number;
  /**
   * Returns the entry at an index. The same entry may be another object next time; compare `seq`.
   */
  at(index: number): Entry<Line> | undefined;
  /** Returns the `seq` of an entry, when that is cheaper than `at`; see {@link seqAt}. */
  seqAt?(index: number): number | undefined;
  /** Returns the number of the log that an entry of several joined logs belongs to. */
  memberAt?(index: number): number;
  /** Returns the entries from `from` up to `to`, exclusive. */
  slice(from: number, to: number): readonly Entry<Line>[];
  /** Returns the index of the entry with this `seq`, or else of the next higher one. */
  indexOf(seq: number): number;
  /** All gaps, in order; the same array until a gap changes. */
  readonly gaps: readonly GapEntry<Line>[];
  /**
   * Passes the lines, not the gaps, between `from` and `to` to `visit`; cheaper than {@link slice}.
   *
   * @param prefilter lines in whose text it finds nothing may be skipped, unless their text
   * contains an escape character.
   *
   * @returns the approximate characters of the lines, skipped or not.
   */
  scan(from: number, to: number, visit: LineVisitor, prefilter?: Prefilter): number;
}

/** Entries inserted next to each other: the first `seq`, the last, and their number. */
export interface InsertedRun {
  readonly first: number;
  readonly last: number;
  readonly count: number;
}

/** Entries that memory has dropped behind others that it keeps, from one `seq` to another. */
export interface DroppedRun {
  readonly first: number;
  readonly last: number;
  /** `seq` of the gap that stands there since, in its own log, and the number of that log. */
  readonly gap: number;
  readonly member?: number | undefined;
}

/**
 * Called with the lines that were inserted, and those that were dropped behind others; with none when lines
 * are only dropped at the start.
 */
export type ChangeListener = (
  inserted: readonly InsertedRun[],
  dropped?: readonly DroppedRun[],
) => void;

/** Returns the index after the entry with this `seq`, or after its place. */
export function indexAfter(entries: Entries<unknown>, seq: number): number {
  const index = entries.indexOf(seq);
  return seqAt(entries, index) === seq ? index + 1 : index;
}

/** Returns the `seq` of the entry at an index, without decoding the entry if possible. */
export function seqAt(entries: Entries<unknown>, index: number): number | undefined {
  return entries.seqAt === undefined ? entries.at(index)?.seq : entries.seqAt(index);
}
