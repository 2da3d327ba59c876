import { spanAt } from './coverage.ts';
import type { Merge, PageRequest } from './merge-state.ts';
import { meet, type Meeting, nearest, overlaps } from './overlap.ts';
import { comparePlaces, type Place, shift } from './place.ts';
import type { Placed, Row } from './row.ts';
import type { Known } from './sequence.ts';

/** What a page says about the log. */
export interface Placement<Line> {
  readonly put: readonly Placed<Line>[];
  /** Lines of the newer run that stand in the older one already, under other places. */
  readonly drop?: readonly [Place, Place];
  /** The stretch that is known without a gap now; undefined when the page joins nothing. */
  readonly covers?: readonly [Place, Place];
  /** A row of the page and its place: where offsets can be counted from. */
  readonly anchor?: { readonly row: number; readonly place: Place };
  /** The page begins so many lines behind the line whose forerunners were asked for. */
  readonly inside?: number;
  /** Rows at its end have yet to come over the stream: until then it may fit by chance. */
  readonly early?: boolean;
  /** The runs fit together in more than one way. */
  readonly unclear?: boolean;
}

const nothing: Placement<never> = { put: [] };

/** Free places left where a gap opens in a log without ids: more lines than can be missing. */
export const gapRoom = 2 ** 32;

/** Rows that neighbouring pages have in common, so that lines moving between two answers show. */
export function margin(limit: number): number {
  return Math.max(1, Math.min(32, limit >> 2));
}

/** Places rows by their ids: a page is an unbroken piece of the log, so it covers all between. */
export function placeById<Line>(rows: readonly Row<Line>[], base: Place): Placement<Line> {
  const put = rows
    .map((row) => ({ place: shift(row.id ?? 0, base), row }))
    .sort((left, right) => comparePlaces(left.place, right.place));
  const [first] = put;
  const last = put.at(-1);
  if (first === undefined || last === undefined) return nothing;
  return {
    put,
    covers: [first.place, last.place],
    anchor: { row: put.length - 1, place: last.place },
  };
}

/** A run of known lines beside the page, as far as it can matter. */
interface Run<Line> {
  readonly rows: readonly Placed<Line>[];
  readonly from: Place;
  readonly to: Place;
}

/**
 * Places rows that have no ids, by the lines they have in common with what is known.
 * @param begins the page is the beginning of the log.
 */
export function placeByContent<Line>(
  rows: readonly Row<Line>[],
  request: PageRequest,
  state: Merge<Line>,
  known: Known<Line>,
  begins: boolean,
): Placement<Line> {
  if (rows.length === 0) return nothing;
  const { job, limit } = request;
  const need = margin(limit);
  const at = 'edge' in job && job.edge !== undefined ? spanAt(state.spans, job.edge) : -1;
  if (job.kind === 'up') {
    const lower = lowerRun(state, known, at, limit);
    if (lower === undefined) return nothing;
    const upper = upperRun(state, known, at + 1, limit);
    const expected =
      job.expected.from === 'start' ? job.expected.rows : rows.length - job.expected.rows;
    const end = rows.length < limit ? job.lines : undefined;
    return behindRun(rows, lower, expected, upper, end, need);
  }
  if (at >= 0 && (job.kind === 'down' || job.kind === 'end')) {
    if (job.kind === 'end' && job.lines > limit) return insideRun(rows, state, known, at, limit);
    const upper = upperRun(state, known, at, limit);
    if (upper === undefined) return nothing;
    // Asked for behind all that is known, a page may hold but lines that have come since.
    const isBehind = job.kind === 'down' && job.expected.from === 'end' && job.expected.rows <= 0;
    if (isBehind) return sinceThen(rows, upper);
    const fromEnd = job.kind === 'end' ? job.lines : job.expected.rows;
    const isFromStart = job.kind === 'down' && job.expected.from === 'start';
    const expected = isFromStart ? fromEnd : rows.length - fromEnd;
    const lower = request.target === 'older' ? undefined : lowerRun(state, known, at - 1, limit);
    // Of a closed run, nothing more will come over the stream.
    const isLive = at === state.spans.length - 1 && state.live.from !== undefined;
    const most = isLive ? known.linesFrom(upper.from) : rows.length;
    return beforeRun(rows, upper, expected, most, lower, need, begins);
  }
  return onTop(rows, lowerRun(state, known, state.spans.length - 1, limit), need, begins);
}

function upperRun<Line>(
  state: Merge<Line>,
  known: Known<Line>,
  index: number,
  limit: number,
): Run<Line> | undefined {
  const span = state.spans[index];
  if (span === undefined) return undefined;
  const rows = known.from(span.from, 4 * limit).filter(({ place }) => place <= span.to);
  return rows.length === 0 ? undefined : { rows, from: span.from, to: span.to };
}

function lowerRun<Line>(
  state: Merge<Line>,
  known: Known<Line>,
  index: number,
  limit: number,
): Run<Line> | undefined {
  const span = state.spans[index];
  if (span === undefined) return undefined;
  const rows = known.upTo(span.to, limit).filter(({ place }) => place >= span.from);
  return rows.length === 0 ? undefined : { rows, from: span.from, to: span.to };
}

function rowsOf<Line>(run: Run<Line>): readonly Row<Line>[] {
  return run.rows.map(({ row }) => row);
}

/** The newest page lies within a run that is longer than it: only where is of interest. */
function insideRun<Line>(
  rows: readonly Row<Line>[],
  state: Merge<Line>,
  known: Known<Line>,
  index: number,
  limit: number,
): Placement<Line> {
  const run = lowerRun(state, known, index, 4 * limit);
  const at = run && overlaps(rows, rowsOf(run), margin(limit)).at(-1);
  if (run === undefined || at === undefined) return nothing;
  const row = Math.max(0, at);
  const place = run.rows[row - at]?.place;
  return place === undefined ? nothing : { put: [], inside: 0, anchor: { row, place } };
}

/** A page that is the beginning of a run: everything before it has moved on. */
function sinceThen<Line>(rows: readonly Row<Line>[], upper: Run<Line>): Placement<Line> {
  const isBeginning = overlaps(rows, rowsOf(upper), rows.length).includes(0);
  return isBeginning ? { put: [], covers: [upper.from, upper.from] } : nothing;
}

/** The page holds the first line of `upper`; whether it reaches down to `lower` is to be seen. */
function beforeRun<Line>(
  rows: readonly Row<Line>[],
  upper: Run<Line>,
  expected: number,
  mostFromUpper: number,
  lower: Run<Line> | undefined,
  need: number,
  begins: boolean,
): Placement<Line> {
  const start = nearest(overlaps(rows, rowsOf(upper), need), expected);
  if (start === undefined) return nothing;
  if (start < 0) {
    const place = upper.rows[-start]?.place ?? upper.from;
    return { put: [], inside: -start, anchor: { row: 0, place } };
  }
  const early = rows.length - start > mostFromUpper;
  // The newer run continues the page: the older one may end in either.
  const window = [...rows.slice(0, start), ...rowsOf(upper)];
  const met = lower === undefined ? undefined : meet(window, rowsOf(lower), need, begins);
  const joins = lower !== undefined && met?.certain === true;
  if (joins && met.last >= start) {
    return {
      put: [],
      drop: [upper.from, upper.rows[met.last - start]?.place ?? upper.to],
      covers: [lower.to, upper.from],
      anchor: { row: met.last, place: lower.to },
      early,
    };
  }
  const put = fresh(rows, (met?.last ?? -1) + 1, start, upper.from, -start);
  return {
    put,
    covers: [joins ? lower.to : (put[0]?.place ?? upper.from), upper.from],
    anchor: { row: start, place: upper.from },
    early,
    unclear: met?.certain === false,
  };
}

/** The page holds the last line of `lower`; whether it reaches up to `upper` is to be seen. */
function behindRun<Line>(
  rows: readonly Row<Line>[],
  lower: Run<Line>,
  expected: number,
  upper: Run<Line> | undefined,
  upperLines: number | undefined,
  need: number,
): Placement<Line> {
  const back = lower.rows.length - 1;
  const at = nearest(
    overlaps(rows, rowsOf(lower), need).filter((start) => start + back >= 0),
    expected - back,
  );
  if (at === undefined || at + back >= rows.length) return nothing;
  const last = at + back;
  const anchor = { row: last, place: lower.to };
  // The page continues the older run: the newer one may begin in either.
  const window = [...rowsOf(lower), ...rows.slice(last + 1)];
  const end = upperLines === undefined ? undefined : window.length - upperLines;
  const met = upper === undefined ? undefined : meetAbove(window, rowsOf(upper), end, need);
  const start = met === undefined ? rows.length : met.last + last - back;
  if (upper === undefined || met === undefined || !met.certain) {
    const put = fresh(rows, last + 1, start, lower.to, -last);
    const to = put.at(-1)?.place ?? lower.to;
    return { put, covers: [lower.to, to], anchor, unclear: met?.certain === false };
  }
  const early = rows.length - start > upper.rows.length;
  if (start <= last) {
    const to = upper.rows[last - start]?.place ?? upper.to;
    return { put: [], drop: [upper.from, to], covers: [lower.to, upper.from], anchor, early };
  }
  const put = fresh(rows, last + 1, start, lower.to, -last);
  return { put, covers: [lower.to, upper.from], anchor, early };
}

/** Where the first line of a newer run stands. At the end of the log, the count says where it must. */
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

/** The newest page, of which nothing says beforehand how much of it is new. */
function onTop<Line>(
  rows: readonly Row<Line>[],
  lower: Run<Line> | undefined,
  need: number,
  begins: boolean,
): Placement<Line> {
  if (lower === undefined) return stretch(fresh(rows, 0, rows.length, 0, 0), 0);
  const met = meet(rows, rowsOf(lower), need, begins);
  const from = met === undefined ? 0 : met.last + 1;
  if (from === rows.length) {
    return { put: [], covers: [lower.to, lower.to], anchor: { row: from - 1, place: lower.to } };
  }
  if (met?.certain !== true) {
    const base = shift(lower.to, gapRoom);
    const put = fresh(rows, from, rows.length, base, 0);
    return { ...stretch(put, from), unclear: met !== undefined };
  }
  const put = fresh(rows, from, rows.length, lower.to, -met.last);
  return {
    put,
    covers: [lower.to, put.at(-1)?.place ?? lower.to],
    anchor: { row: met.last, place: lower.to },
  };
}

/** A stretch of its own, of which the first row is row `row` of the page. */
function stretch<Line>(put: readonly Placed<Line>[], row: number): Placement<Line> {
  const [first] = put;
  const last = put.at(-1);
  if (first === undefined || last === undefined) return nothing;
  return { put, covers: [first.place, last.place], anchor: { row, place: first.place } };
}

/** The rows from `from` to `to`, the row `i` at `base + offset + i`. */
function fresh<Line>(
  rows: readonly Row<Line>[],
  from: number,
  to: number,
  base: Place,
  offset: number,
): readonly Placed<Line>[] {
  return rows
    .slice(from, Math.max(from, to))
    .map((row, index) => ({ place: shift(base, offset + from + index), row }));
}
