import type { Spans } from './coverage.ts';
import type { Place } from '../arena/place.ts';
import type { PlacedRow } from '../arena/row.ts';
import type { InsertSide } from '../arena/seq.ts';

/** The queries of the merge about the known lines. */
export interface Known<Line> {
  /** Number of lines. */
  readonly lines: number;
  /** Number of lines at or behind a place. */
  linesFrom(place: Place): number;
  /** The first lines at or behind a place, oldest first. */
  from(place: Place, most: number): readonly PlacedRow<Line>[];
  /** The last lines up to and with a place, oldest first. */
  upTo(place: Place, most: number): readonly PlacedRow<Line>[];
}

/** The changes of one merge step to the sequence. */
export interface Change<Line> {
  /** Lines in rising order; those at places already taken are duplicates. */
  readonly put: readonly PlacedRow<Line>[];
  readonly lean: InsertSide;
  /** First and last place of lines that turned out to be known already, under other places. */
  readonly drop: readonly [Place, Place] | undefined;
  readonly spans: Spans;
}
