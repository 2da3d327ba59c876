import { spanAt } from './coverage.ts';
import {
  beforeRun,
  placeAtBeginning,
  behindRun,
  insideRun,
  type Lower,
  nothingPlaced,
  onTop,
  type Placement,
  type KnownRun,
} from './join-runs.ts';
import type { Expected, MergeState, PageRequest } from './merge-state.ts';
import { comparePlaces, maxPlace, type Place, shiftPlace } from '../arena/place.ts';
import type { PlacedRow, LogRow } from '../arena/row.ts';
import type { Known } from './known.ts';

/** Free places left where a gap opens in a log without ids: more lines than can be missing. */
export const gapRoom = 2 ** 32;

/** Rows that neighbouring pages have in common, so that lines moving between two answers show. */
export function margin(limit: number): number {
  return Math.max(1, Math.min(32, limit >> 2));
}

/** Places rows by their ids: a page is an unbroken piece of the log, so it covers all between. */
export function placeById<Line>(rows: readonly LogRow<Line>[], base: Place): Placement<Line> {
  const put = rows
    .map((row) => ({ place: shiftPlace(row.id ?? 0, base), row }))
    .sort((left, right) => comparePlaces(left.place, right.place));
  const [first] = put;
  const last = put.at(-1);
  if (first === undefined || last === undefined) return nothingPlaced;
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
  rows: readonly LogRow<Line>[],
  request: PageRequest,
  state: MergeState<Line>,
  known: Known<Line>,
  begins: boolean,
): Placement<Line> {
  if (rows.length === 0) return nothingPlaced;
  const { job, limit, target } = request;
  const page = { rows, need: margin(limit), begins, waits: false };
  const end = (index: number, lines = limit) => endOf(state, known, index, lines);
  const at = 'edge' in job && job.edge !== undefined ? spanAt(state.spans, job.edge) : -1;
  if (job.kind === 'up') {
    const lower = lowerAt(state, known, at, limit);
    const expected = indexOf(job.expected, rows.length);
    const ending = rows.length < limit ? job.lines : undefined;
    const upper = beginningAt(state, known, at + 1, 4 * limit);
    if (lower === undefined) return nothingPlaced;
    const waits = mayTell(state, at + 1);
    return behindRun({ ...page, waits }, lower, expected, upper, ending);
  }
  const upper = beginningAt(state, known, at, 4 * limit);
  if (upper === undefined || (job.kind !== 'down' && job.kind !== 'end')) {
    const top = state.spans.length - 1;
    const free = shiftPlace(maxPlace(state.spans[top]?.to ?? 0, state.given), gapRoom);
    return onTop(page, end(top), free);
  }
  if (job.kind === 'end' && job.lines > limit) {
    const run = end(at, 4 * limit);
    return run === undefined ? nothingPlaced : insideRun(page, run);
  }
  const expected: Expected = job.kind === 'down' ? job.expected : { from: 'end', rows: job.lines };
  // Asked for behind all that is known, a page may hold but lines that have come since.
  if (expected.from === 'end' && expected.rows <= 0) return placeAtBeginning(page, upper);
  // The stream sends no more lines of a closed run.
  const most = isLive(state, at) ? known.linesFrom(upper.from) : rows.length;
  const lower = target === 'older' ? undefined : lowerAt(state, known, at - 1, limit);
  const waits = mayTell(state, at);
  return beforeRun({ ...page, waits }, upper, indexOf(expected, rows.length), most, lower);
}

/** True for the span that the open stream goes on with. */
function isLive({ spans, live }: MergeState<unknown>, index: number): boolean {
  return index === spans.length - 1 && live.from !== undefined;
}

/** Tries for which further lines are waited for where those at hand could fit by chance. */
const tellingTries = 3;

/** True when further lines of a span may tell where it stands: while some come, or soon. */
function mayTell(state: MergeState<unknown>, index: number): boolean {
  const { work, given, live } = state;
  if (!isLive(state, index) || !live.open || work.attempt >= tellingTries) return false;
  return work.attempt < 2 || work.given !== given;
}

/** Pages that may run ahead of the stream. */
const mostPages = 20;

function lowerAt<Line>(
  state: MergeState<Line>,
  known: Known<Line>,
  index: number,
  limit: number,
): Lower<Line> | undefined {
  const near = endOf(state, known, index, limit);
  const { since } = state.live;
  if (near === undefined) return undefined;
  const upper = state.spans[index + 1]?.from;
  const { from } = state.live;
  const isNew = isLive(state, index + 1) && upper !== undefined && from !== undefined;
  const count = (place: Place, other: Place): number =>
    known.linesFrom(shiftPlace(place, 1)) - known.linesFrom(shiftPlace(other, 1));
  const ahead = !isNew
    ? Number.POSITIVE_INFINITY
    : since === undefined
      ? known.lines
      : Math.max(0, count(since, near.to));
  const older = isNew ? known.linesFrom(upper) - known.linesFrom(from) : 0;
  const lines = Math.min(4 * limit + Math.min(ahead, known.lines), mostPages * limit);
  return { near, ahead, older, far: () => endOf(state, known, index, lines) ?? near };
}

function indexOf({ from, rows }: Expected, length: number): number {
  return from === 'start' ? rows : length - rows;
}

/** The first lines of a span. */
function beginningAt<Line>(
  { spans }: MergeState<Line>,
  known: Known<Line>,
  index: number,
  lines: number,
): KnownRun<Line> | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  const runTo = (most: number) => {
    const rows = known.from(span.from, most).filter(({ place }) => place <= span.to);
    return runOf(rows, span.from, span.to);
  };
  const run = runTo(lines);
  return run && { ...run, longer: () => runTo(mostPages * lines) ?? run };
}

/** The last lines of a span. */
function endOf<Line>(
  { spans }: MergeState<Line>,
  known: Known<Line>,
  index: number,
  lines: number,
): KnownRun<Line> | undefined {
  const span = spans[index];
  if (span === undefined) return undefined;
  const rows = known.upTo(span.to, lines).filter(({ place }) => place >= span.from);
  return runOf(rows, span.from, span.to);
}

function runOf<Line>(
  placed: readonly PlacedRow<Line>[],
  from: Place,
  to: Place,
): KnownRun<Line> | undefined {
  if (placed.length === 0) return undefined;
  return {
    rows: placed.map(({ row }) => row),
    places: placed.map(({ place }) => place),
    from,
    to,
  };
}
