import type { Spans } from './spans.ts';
import type { InsertedRun } from './entries.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import type { InsertSide } from './seq.ts';

/** The changes of one merge step to the log. */
export interface Change<Line> {
  /** First and last places of lines to remove, before others are put. */
  readonly drop: readonly (readonly [Place, Place])[];
  /** Lines in rising order; those at places already taken are duplicates. */
  readonly put: readonly PlacedRow<Line>[];
  readonly lean: InsertSide;
  readonly spans: Spans;
}

/** The lines that the merge has placed so far. */
export interface MergedLog<Line> {
  /** Number of lines. */
  readonly lines: number;
  /** Place of the newest line. */
  readonly newest: Place | undefined;
  /** Returns the number of lines at or behind a place. */
  linesFrom(place: Place): number;
  /** Returns the first lines at or behind a place, oldest first. */
  from(place: Place, limit: number): readonly PlacedRow<Line>[];
  /** Returns the last lines up to and with a place, oldest first. */
  upTo(place: Place, limit: number): readonly PlacedRow<Line>[];
  /** Returns the lines that were new. */
  apply(change: Change<Line>): readonly InsertedRun[];
  /** Gives all lines other places: as many rows as there are lines, in order. */
  replace(rows: readonly PlacedRow<Line>[], spans: Spans): void;
}
