import { meet, type Meeting, nearest, overlaps } from './overlap.ts';
import { type Place, shift } from './place.ts';
import type { Placed, Row } from './row.ts';

/** What a page says about the log. */
export interface Placement<Line> {
  readonly put: readonly Placed<Line>[];
  /** Lines of the newer run that stand in the older one already, under other places. */
  readonly drop?: readonly [Place, Place];
  /** The stretch that is known without a gap now; undefined when the page joins nothing. */
  readonly covers?: readonly [Place, Place] | undefined;
  /** A row of the page and its place: where offsets can be counted from. */
  readonly anchor?: { readonly row: number; readonly place: Place };
  /** The page begins so many lines behind the line whose forerunners were asked for. */
  readonly inside?: number;
  /** Rows at its end have yet to come over the stream: until then it may fit by chance. */
  readonly early?: boolean;
  /** The runs fit together in more than one way. */
  readonly unclear?: boolean;
}

export const nothing: Placement<never> = { put: [] };

/** A run of known lines beside a page, as far as it can matter: its beginning or its end. */
export interface Run<Line> {
  readonly rows: readonly Row<Line>[];
  readonly places: readonly Place[];
  readonly from: Place;
  readonly to: Place;
}

/** A page without ids, its rows oldest first, and how many of them must match to join a run. */
export interface Overlapping<Line> {
  readonly rows: readonly Row<Line>[];
  readonly need: number;
  /** The log begins with this page. */
  readonly begins: boolean;
}

/**
 * The page holds the first line of `upper`, at index `expected` or before; whether it reaches down to
 * `lower` is to be seen.
 * @param most rows from that line on that can have come over the stream by now.
 */
export function beforeRun<Line>(
  { rows, need, begins }: Overlapping<Line>,
  upper: Run<Line>,
  expected: number,
  most: number,
  lower: Run<Line> | undefined,
): Placement<Line> {
  const start = nearest(overlaps(rows, upper.rows, need), expected);
  if (start === undefined) return nothing;
  if (start < 0) {
    const place = upper.places[-start] ?? upper.from;
    return { put: [], inside: -start, anchor: { row: 0, place } };
  }
  const early = rows.length - start > most;
  // The newer run continues the page: the older one may end in either.
  const window = [...rows.slice(0, start), ...upper.rows];
  const met = lower === undefined ? undefined : meet(window, lower.rows, need, begins);
  const joins = lower !== undefined && met?.certain === true;
  if (joins && met.last >= start) {
    return {
      put: [],
      drop: [upper.from, upper.places[met.last - start] ?? upper.to],
      covers: [lower.to, upper.from],
      anchor: { row: met.last, place: lower.to },
      early,
    };
  }
  const put = fresh(rows, (met?.last ?? -1) + 1, start, upper.from, start);
  return {
    put,
    covers: [joins ? lower.to : (put[0]?.place ?? upper.from), upper.from],
    anchor: { row: start, place: upper.from },
    early,
    unclear: met?.certain === false,
  };
}

/**
 * The page holds the last line of `lower`, at index `expected` or before; whether it reaches up to
 * `upper` is to be seen.
 * @param ending lines of `upper` when the page ends the log, and so holds all of them.
 */
export function behindRun<Line>(
  { rows, need }: Overlapping<Line>,
  lower: Run<Line>,
  expected: number,
  upper: Run<Line> | undefined,
  ending: number | undefined,
): Placement<Line> {
  const back = lower.rows.length - 1;
  const found = overlaps(rows, lower.rows, need).filter((at) => at + back >= 0);
  const at = nearest(found, expected - back);
  if (at === undefined || at + back >= rows.length) return nothing;
  const last = at + back;
  const anchor = { row: last, place: lower.to };
  // The page continues the older run: the newer one may begin in either.
  const window = [...lower.rows, ...rows.slice(last + 1)];
  const first = ending === undefined ? undefined : window.length - ending;
  const met = upper === undefined ? undefined : meetAbove(window, upper.rows, first, need);
  const start = met === undefined ? rows.length : met.last + last - back;
  if (upper === undefined || met === undefined || !met.certain) {
    const put = fresh(rows, last + 1, start, lower.to, last);
    const to = put.at(-1)?.place ?? lower.to;
    return { put, covers: [lower.to, to], anchor, unclear: met?.certain === false };
  }
  const early = rows.length - start > upper.rows.length;
  if (start <= last) {
    const to = upper.places[last - start] ?? upper.to;
    return { put: [], drop: [upper.from, to], covers: [lower.to, upper.from], anchor, early };
  }
  const put = fresh(rows, last + 1, start, lower.to, last);
  return { put, covers: [lower.to, upper.from], anchor, early };
}

/** Where the first line of a newer run stands: `expected` or before, when that is known. */
function meetAbove(
  rows: readonly Row<unknown>[],
  run: readonly Row<unknown>[],
  expected: number | undefined,
  need: number,
): Meeting | undefined {
  if (expected !== undefined) {
    const found = overlaps(rows, run, need).filter((at) => at >= 0);
    const last = nearest(found, expected);
    return last === undefined ? undefined : { last, certain: true };
  }
  const mirrored = meet(rows.toReversed(), run.toReversed(), need, false);
  return mirrored && { last: rows.length - 1 - mirrored.last, certain: mirrored.certain };
}

/**
 * The newest page, of which nothing says beforehand how much is new. Where it does not join `lower`
 * it stands by itself, from `free` on.
 */
export function onTop<Line>(
  { rows, need, begins }: Overlapping<Line>,
  lower: Run<Line> | undefined,
  free: Place,
): Placement<Line> {
  const met = lower === undefined ? undefined : meet(rows, lower.rows, need, begins);
  const from = met === undefined ? 0 : met.last + 1;
  if (lower === undefined || met?.certain !== true) {
    const put = fresh(rows, from, rows.length, free, 0);
    const [first] = put;
    const last = put.at(-1);
    if (first === undefined || last === undefined) return nothing;
    const anchor = { row: from, place: first.place };
    return { put, covers: [first.place, last.place], anchor, unclear: met !== undefined };
  }
  const put = fresh(rows, from, rows.length, lower.to, met.last);
  return {
    put,
    covers: [lower.to, put.at(-1)?.place ?? lower.to],
    anchor: { row: met.last, place: lower.to },
  };
}

/** The newest page lies within a run that is longer than it: only where is of interest. */
export function insideRun<Line>(
  { rows, need }: Overlapping<Line>,
  run: Run<Line>,
): Placement<Line> {
  const at = overlaps(rows, run.rows, need).at(-1);
  if (at === undefined) return nothing;
  const row = Math.max(0, at);
  const place = run.places[row - at];
  return place === undefined ? nothing : { put: [], inside: 0, anchor: { row, place } };
}

/** A page that is the beginning of a run: it was asked for before it, and everything moved on. */
export function beginningOf<Line>({ rows }: Overlapping<Line>, run: Run<Line>): Placement<Line> {
  const isBeginning = overlaps(rows, run.rows, rows.length).includes(0);
  return isBeginning ? { put: [], covers: [run.from, run.from] } : nothing;
}

/** The rows from `from` to `to`, given that row `at` stands at `place`. */
function fresh<Line>(
  rows: readonly Row<Line>[],
  from: number,
  to: number,
  place: Place,
  at: number,
): readonly Placed<Line>[] {
  return rows
    .slice(from, Math.max(from, to))
    .map((row, index) => ({ place: shift(place, from + index - at), row }));
}
