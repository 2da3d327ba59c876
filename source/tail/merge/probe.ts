import { spanAt } from './coverage.ts';
import { joinPage, type Step } from './join-page.ts';
import { atBeginning, later, looked } from './judge-page.ts';
import {
  type MergeState,
  pagesOldestFirst as oldestFirstPaging,
  type Page,
  type PageRequest,
  type ProbedPage,
  unknownOrder,
} from './merge-state.ts';
import { compareAge, oldestFirst, type RowOrder, rowOrder } from './order.ts';
import { enough, type Guess, guessOrder, orderAmong } from './guess-order.ts';
import { placeOf } from './renumber.ts';
import { overlaps } from './overlap.ts';
import type { LogRow } from '../arena/row.ts';
import type { Known } from './known.ts';

/** Gallops in steps that grow so much each time. */
const stride = 4;

/**
 * Finds out what offsets mean. A page that runs from new to old at offset 0 begins at the newest
 * line. One that runs from old to new may be the beginning of the log or its end. The page behind it
 * tells: older lines, and offset 0 is the end. Newer ones may also have come in between; then a third
 * page, at offset 0 again, is older than they are only if it is the beginning. Where ids and times
 * say nothing, the newest known lines decide by their place; without any, offsets are supposed to
 * count from the oldest, which is how the contract reads ("number of first logs to skip").
 * @param raw the rows as they came.
 */
export function probe<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  raw: readonly LogRow<Line>[],
  known: Known<Line>,
): Step<Line> {
  const [first, second] = state.paging.kind === 'unknown' ? state.paging.pages : [];
  if (first === undefined) return probeFirst(state, request, raw, known);
  const rows = oldestFirst(raw, state.order);
  const page = { rows, request };
  if (second === undefined) return probeSecond(state, first, page, known);
  const age = ageBetween(rows, second.rows);
  const isNewest = isNewestPage(state, first, second, page, known);
  if (isNewest === undefined) {
    return { state: later({ ...state, ...unknownOrder }, request.target), change: undefined };
  }
  // A page that has grown was not cut off by the service: it is the whole log, as the first one
  // was.
  const hasGrown = !state.numbered && rows.length > first.rows.length;
  if ((hasGrown || isWithin(second.rows, rows)) && rows.length < request.limit) {
    return whole({ ...state, ...unknownOrder }, page, known);
  }
  const proven = age !== undefined;
  if (!isNewest) return countFromOldest({ ...state, proven }, first, second, rows.length);
  // The newest page holds the lines that came live before it, unless the service is behind its own
  // stream, or drops old lines faster than it can be asked.
  if (missesNewest(state, page) && state.work.attempt < certainAfter) {
    return { state: later({ ...state, ...unknownOrder }, request.target), change: undefined };
  }
  return joinNewest(state, page, known);
}

/**
 * Whether the page at offset 0, asked for again, is the newest one and not the beginning; undefined
 * when the gap is rather left than filled with what may stand elsewhere.
 */
function isNewestPage<Line>(
  state: MergeState<Line>,
  first: ProbedPage<Line>,
  second: ProbedPage<Line>,
  { rows, request }: ProbedPage<Line>,
  known: Known<Line>,
): boolean | undefined {
  const age = ageBetween(rows, second.rows);
  const begins = beginsAs(rows, first.rows);
  if (age !== undefined || !begins) return (age ?? -1) < 0 && !begins;
  // It has grown to a full page: that may be the beginning of a longer log, or by chance all of it.
  if (rows.length > first.rows.length) return undefined;
  const guess = guessOrder(rows, newestKnown(request, known), rows.length < request.limit);
  if (state.work.target === 'gap' && guess.chance) return undefined;
  return guess.order === 'ascending';
}

function probeFirst<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  raw: readonly LogRow<Line>[],
  known: Known<Line>,
): Step<Line> {
  if (raw.length === 0) {
    const empty = request.target === 'head' ? looked(state) : later(state, request.target);
    return { state: empty, change: undefined };
  }
  const shown = pageOrder(state, raw, known);
  const isShort = raw.length < request.limit;
  const guess =
    shown === undefined ? guessOrder(raw, newestKnown(request, known), isShort) : undefined;
  // Upside down, a page would join nothing, or what it does not belong to: rather the gap stays.
  const mustTell = state.work.target === 'gap' && guess?.chance === true;
  if (guess !== undefined && (mustTell || isUnsure(state, guess))) {
    return { state: later(state, request.target), change: undefined };
  }
  const order = shown ?? guess?.order;
  const page = { request, rows: oldestFirst(raw, order) };
  const ordered = { ...state, order };
  if (order === 'descending') {
    return joinNewest({ ...ordered, proven: shown !== undefined }, page, known);
  }
  return ask(ordered, [page]);
}

function probeSecond<Line>(
  state: MergeState<Line>,
  first: ProbedPage<Line>,
  second: ProbedPage<Line>,
  known: Known<Line>,
): Step<Line> {
  if (second.rows.length === 0) return whole({ ...state, ...unknownOrder }, first, known);
  const age = ageBetween(first.rows, second.rows);
  if (age !== undefined && age >= 0) return ask(state, [first, second]);
  if (age !== undefined) return joinNewest({ ...state, proven: true }, first, known);
  const guess = guessOrder(first.rows, newestKnown(first.request, known));
  if (isUnsure(state, guess)) {
    return { state: later({ ...state, ...unknownOrder }, first.request.target), change: undefined };
  }
  // The first page of a short log holds the newest lines, whichever end it counts from.
  if (guess.order === 'ascending') return ask(state, [first, second]);
  return countFromOldest(state, first, second, first.rows.length);
}

/** True when both begin with the same lines, as the page at offset 0 of an oldest-first log does. */
function beginsAs(rows: readonly LogRow<unknown>[], other: readonly LogRow<unknown>[]): boolean {
  const begin = rows.slice(0, enough);
  return begin.length > 0 && overlaps(other, begin, begin.length).includes(0);
}

/** True when all lines of a page stand in the other; a few without ids would by chance. */
function isWithin(rows: readonly LogRow<unknown>[], other: readonly LogRow<unknown>[]): boolean {
  if (rows.length < enough && rows.some(({ id }) => id === undefined)) return false;
  const found = overlaps(other, rows, rows.length);
  return found.some((at) => at >= 0 && at + rows.length <= other.length);
}

function ask<Line>(state: MergeState<Line>, pages: readonly ProbedPage<Line>[]): Step<Line> {
  return { state: { ...state, paging: { kind: 'unknown', pages } }, change: undefined };
}

/** Tries after which a page that should be the newest is taken for it. */
const certainAfter = 3;

function missesNewest(state: MergeState<unknown>, { rows, request }: ProbedPage<unknown>): boolean {
  const { job } = request;
  const last = rows.at(-1);
  if (!state.numbered || job.kind !== 'probe' || job.newest === undefined) return false;
  return last === undefined || placeOf(state, last) < job.newest;
}

/** Positive when the newest line of `right` is newer than that of `left`; undefined if none tells. */
function ageBetween(
  left: readonly LogRow<unknown>[],
  right: readonly LogRow<unknown>[],
): number | undefined {
  const [one, other] = [left.at(-1), right.at(-1)];
  const age = one && other && compareAge(other, one);
  // Many lines may be written in one moment.
  return age === 0 && one?.id === undefined ? undefined : age;
}

/** The page at offset 0 is the newest one, also where it runs from old to new. */
function joinNewest<Line>(
  state: MergeState<Line>,
  { rows, request }: ProbedPage<Line>,
  known: Known<Line>,
): Step<Line> {
  const page = { request: asEnd(request), rows, begins: false };
  return joinPage({ ...state, paging: { kind: 'newest-first' } }, page, known);
}

/** @param again rows of the first page when it was asked for again. */
function countFromOldest<Line>(
  state: MergeState<Line>,
  first: ProbedPage<Line>,
  second: ProbedPage<Line>,
  again: number,
): Step<Line> {
  const lines = first.rows.length + second.rows.length;
  // Fewer rows than asked for and than there are: that is the most the service gives at once.
  const isCapped = again < first.request.limit && again < lines;
  const pageSize = isCapped ? Math.min(state.pageSize, again) : state.pageSize;
  const paging = oldestFirstPaging(pageSize, lines);
  return { state: { ...state, pageSize, paging }, change: undefined };
}

/** The first page holds the whole log, so nothing tells which end offsets count from, nor matters. */
function whole<Line>(
  state: MergeState<Line>,
  { rows, request }: ProbedPage<Line>,
  known: Known<Line>,
): Step<Line> {
  const page: Page<Line> = { request: asEnd(request), rows, begins: true };
  const step = joinPage(state, page, known);
  if (step.placement?.covers === undefined) return step;
  const [from] = step.placement.covers;
  const bottom = step.state.spans[spanAt(step.state.spans, from)]?.from;
  // Without ids, a page is only joined to one gap; those below are still to be looked at.
  const isBottom = state.numbered || bottom === from;
  const next = isBottom ? atBeginning(step.state, from) : step.state;
  const change = step.change && { ...step.change, spans: next.spans };
  // The requested lines are not in it: a live line has yet to appear in the log.
  return { ...step, change, state: isUnanswered(next) ? later(next, request.target) : next };
}

function isUnanswered({ work, spans, bottom }: MergeState<unknown>): boolean {
  const { target, edge } = work;
  const span = edge === undefined ? undefined : spans[spanAt(spans, edge)];
  if (span === undefined || span.from !== edge) return false;
  return target === 'gap' ? span.below?.kind === 'filling' : !bottom;
}

function asEnd(request: PageRequest): PageRequest {
  const { job } = request;
  return job.kind === 'probe' ? { ...request, job: { ...job, kind: 'end' } } : request;
}

/** Known lines that are laid over a page to find out its order. */
const compared = 64;

/** More may be known after a while: then it is asked again, for a few times. */
function isUnsure(state: MergeState<unknown>, { certain }: Guess): boolean {
  return !certain && state.live.from !== undefined && state.work.attempt < certainAfter;
}

/** Runs that are laid over a page to find out its order. */
const mostRuns = 3;

/** The order of a page's rows, as they tell it themselves or by lines that are known. */
export function pageOrder<Line>(
  state: MergeState<Line>,
  rows: readonly LogRow<Line>[],
  known: Known<Line>,
): RowOrder | undefined {
  const order = rowOrder(rows) ?? state.order;
  if (order !== undefined || state.numbered) return order;
  return orderAmong(rows, knownRuns(state, known));
}

function knownRuns<Line>(
  { spans, pageSize }: MergeState<Line>,
  known: Known<Line>,
): readonly (readonly LogRow<Line>[])[] {
  return spans.slice(-mostRuns).map(({ from, to }) =>
    known
      .upTo(to, pageSize)
      .filter(({ place }) => place >= from)
      .map(({ row }) => row),
  );
}

/** The newest lines that were known when a page was asked for. */
function newestKnown<Line>({ job }: PageRequest, known: Known<Line>): readonly LogRow<Line>[] {
  if (job.kind !== 'probe' || job.edge === undefined) return [];
  return known
    .from(job.edge, job.lines)
    .slice(-compared)
    .map(({ row }) => row);
}

/** Takes the answer to "is there a line at this offset?" in. */
export function narrowSearch<Line>(
  state: MergeState<Line>,
  { offset }: PageRequest,
  isThere: boolean,
): MergeState<Line> {
  const { paging } = state;
  if (paging.kind !== 'oldest-first') return state;
  const { low, step, high } = paging.search;
  const search = isThere
    ? { low: Math.max(low, offset + 1), step: step * stride, high }
    : { low: Math.min(low, offset), step, high: offset };
  return { ...state, paging: { ...paging, search } };
}
