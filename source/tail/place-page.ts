import { spanAt } from './coverage.ts';
import {
  beforeRun,
  beginningOf,
  behindRun,
  insideRun,
  nothing,
  onTop,
  type Placement,
  type Run,
} from './join-runs.ts';
import type { Expected, Merge, PageRequest } from './merge-state.ts';
import { comparePlaces, highest, type Place, shift } from './place.ts';
import type { Placed, Row } from './row.ts';
import type { Known } from './known.ts';

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
  const { job, limit, target } = request;
  const page = { rows, need: margin(limit), begins };
  const end = (index: number, lines = limit) => endOf(state, known, index, lines);
  const at = 'edge' in job && job.edge !== undefined ? spanAt(state.spans, job.edge) : -1;
  if (job.kind === 'up') {
    const lower = end(at);
    const expected = indexOf(job.expected, rows.length);
    const ending = rows.length < limit ? job.lines : undefined;
    const upper = beginningAt(state, known, at + 1, 4 * limit);
    return lower === undefined ? nothing : behindRun(page, lower, expected, upper, ending);
  }
  const upper = beginningAt(state, known, at, 4 * limit);
  if (upper === undefined || (job.kind !== 'down' && job.kind !== 'end')) {
    const top = state.spans.length - 1;
    const free = shift(highest(state.spans[top]?.to ?? 0, state.given), gapRoom);
    return onTop(page, end(top), free);
  }
  if (job.kind === 'end' && job.lines > limit) {
    const run = end(at, 4 * limit);
    return run === undefined ? nothing : insideRun(page, run);
  }
  const expected: Expected = job.kind === 'down' ? job.expected : { from: 'end', rows: job.lines };
  // Asked for behind all that is known, a page may hold but lines that have come since.
  if (expected.from === 'end' && expected.rows <= 0) return beginningOf(page, upper);
  // Of a closed run, nothing more will come over the stream.
  const isLive = at === state.spans.length - 1 && state.live.from !== undefined;
  const most = isLive ? known.linesFrom(upper.from) : rows.length;
  const lower = target === 'older' ? undefined : end(at - 1);
  return beforeRun(page, upper, indexOf(expected, rows.length), most, lower);
}

function indexOf({ from, rows }: Expected, length: number): number {
  return from === 'start' ? rows : length - rows;
}

/** The first lines of a span. */
function beginningAt<Line>(
  { spans }: Merge<Line>,
  known: Known<Line>,
  index: number,
  lines: number,
): Run<Line> | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  const rows = known.from(span.from, lines).filter(({ place }) => place <= span.to);
  return runOf(rows, span.from, span.to);
}

/** The last lines of a span. */
function endOf<Line>(
  { spans }: Merge<Line>,
  known: Known<Line>,
  index: number,
  lines: number,
): Run<Line> | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  const rows = known.upTo(span.to, lines).filter(({ place }) => place >= span.from);
  return runOf(rows, span.from, span.to);
}

function runOf<Line>(
  placed: readonly Placed<Line>[],
  from: Place,
  to: Place,
): Run<Line> | undefined {
  if (placed.length === 0) return undefined;
  return {
    rows: placed.map(({ row }) => row),
    places: placed.map(({ place }) => place),
    from,
    to,
  };
}
