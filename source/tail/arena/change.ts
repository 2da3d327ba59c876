import type { Spans } from './spans.ts';
import type { Place } from './place.ts';
import type { PlacedRow } from './row.ts';
import type { InsertSide } from './seq.ts';

/** The changes of one step of the engine to the log. */
export interface Change<Line> {
  /** First and last places of lines to remove, before others are put. */
  readonly drop: readonly (readonly [Place, Place])[];
  /** Lines in rising order; those at places already taken are duplicates. */
  readonly put: readonly PlacedRow<Line>[];
  readonly lean: InsertSide;
  readonly spans: Spans;
}
