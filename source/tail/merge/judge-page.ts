import { giveUp, spanAt } from './coverage.ts';
import type { GapReason } from '../arena/gap.ts';
import type { Job, MergeState, PageRequest, PageTarget } from './merge-state.ts';
import { freshWork, pagesOldestFirst, unknownOrder } from './merge-state.ts';
import type { Place } from '../arena/place.ts';
import { margin } from './place-page.ts';

/** Answers in a row that may bring nothing before that counts as a failed try. */
const mostIdle = 16;

/** The relation of a page to the requested lines. */
export type Sight =
  | { readonly kind: 'empty' }
  /** All of it lies behind them: they begin at least so many rows before its newest one. */
  | { readonly kind: 'newer'; readonly distance: number; readonly oldest: Place }
  /** All of it lies before the known line it should have held. */
  | { readonly kind: 'older' }
  /** It held the known line. */
  | { readonly kind: 'touching' }
  /** Nothing in it is known. */
  | { readonly kind: 'unplaced' };

/**
 * Decides how to go on after a page that was asked for at the edge of what is known, and whose lines
 * are already in `state.spans`.
 */
export function judge<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  sight: Sight,
  rows: number,
): MergeState<Line> {
  const { job } = request;
  if (job.kind !== 'up' && job.kind !== 'down') return state;
  if (hasProgress(state, job.kind, job.edge)) return { ...state, work: freshWork };
  const idle = { ...state, work: { ...state.work, idle: state.work.idle + 1 } };
  if (idle.work.idle >= mostIdle) {
    return later({ ...idle, work: { ...idle.work, idle: 0, extra: 0 } }, request.target);
  }
  return job.kind === 'up'
    ? judgeUp(idle, request, job.edge, sight)
    : judgeDown(idle, request, job, sight, rows);
}

function hasProgress(state: MergeState<unknown>, way: 'up' | 'down', edge: Place): boolean {
  const span = state.spans[spanAt(state.spans, edge)];
  if (span === undefined) return true;
  return way === 'up' ? span.to > edge : span.from < edge;
}

function judgeDown<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  { edge, expected }: Extract<Job, { kind: 'down' }>,
  sight: Sight,
  rows: number,
): MergeState<Line> {
  const { offset, limit, target } = request;
  const { extra } = state.work;
  const newestFirst = state.paging.kind === 'newest-first';
  const step = limit - margin(limit);
  if (sight.kind === 'empty') {
    // No more lines than are known from the edge on: there are none before it.
    if (offset === 0 || (newestFirst && expected.rows >= 0)) return atBeginning(state, edge);
    return aim(state, newestFirst ? Math.min(-step, extra) : Math.max(limit, extra));
  }
  if (sight.kind === 'newer' || sight.kind === 'touching') {
    if (!newestFirst) return offset === 0 ? atBeginning(state, edge) : aim(state, step);
    const { distance, oldest } = sight.kind === 'newer' ? sight : { distance: rows, oldest: edge };
    if (rows === limit) {
      return aim(state, Math.max(1, distance - margin(limit)) + cut(state, request));
    }
    // Directly behind the edge there are but lines that have come since, and fewer than the service
    // gives at once: the log begins with the edge.
    if (expected.rows <= 0 && rows < state.most) return atBeginning(state, edge);
    const short = { rows, oldest };
    return { ...state, work: { ...state.work, short, extra: margin(limit) } };
  }
  if (sight.kind === 'older') {
    if (!newestFirst) return rows < limit ? withPages(state, rows) : state;
    return offset === 0 ? later(state, target) : aim(state, Math.min(-1, margin(limit) - rows));
  }
  // Without ids, a page that lies too far back has nothing to be known by.
  if (sight.kind === 'unplaced' && extra > 0) return aim(state, -Math.ceil(extra / 2));
  return later(state, target);
}

/** Rows by which the offset lay below 0 before it was set to 0. */
function cut(state: MergeState<unknown>, { job, limit }: PageRequest): number {
  if (job.kind !== 'down' || job.expected.from !== 'end') return 0;
  return Math.max(0, margin(limit) - state.work.extra - job.expected.rows);
}

function judgeUp<Line>(
  state: MergeState<Line>,
  { offset, limit, target }: PageRequest,
  edge: Place,
  sight: Sight,
): MergeState<Line> {
  const { extra } = state.work;
  // The page's own lines tell now where to look.
  if (sight.kind === 'older') return state;
  if (sight.kind === 'unplaced') return lost(later(state, target));
  if (sight.kind === 'empty' && offset > 0) return aim(state, Math.max(limit, extra));
  if (sight.kind === 'newer') {
    if (offset > 0) return aim(state, Math.max(limit - margin(limit), extra));
    const above = spanAt(state.spans, edge) + 1;
    return { ...state, spans: giveUp(state.spans, above, 'gone'), work: freshWork };
  }
  return target === 'head' ? looked(state) : later(state, target);
}

/** The known line is not where it was: the end of the log is looked for anew, and joined from there. */
function lost<Line>(state: MergeState<Line>): MergeState<Line> {
  const { paging } = state;
  if (paging.kind !== 'oldest-first' || state.work.attempt < 2) return state;
  return { ...state, paging: pagesOldestFirst(state.pageSize) };
}

/** Without ids, smaller pages than this have too little in common to be joined by. */
const leastPage = 20;

/** Smaller pages from now on: that is the most the service gives, or takes a request for, at once. */
export function withPages<Line>(state: MergeState<Line>, most: number): MergeState<Line> {
  if (most >= state.pageSize || (!state.numbered && most < leastPage)) return state;
  return { ...state, pageSize: most, work: { ...state.work, extra: 0, short: undefined } };
}

/** Goes on `older` rows further back. */
function aim<Line>(state: MergeState<Line>, older: number): MergeState<Line> {
  return { ...state, work: { ...state.work, extra: state.work.extra + older } };
}

/** After so many tries, what was found out about the service's order is looked into again. */
const triesOfOrder = 4;

/** Asks again after a while: the service may be behind its own stream, or away. */
export function later<Line>(
  state: MergeState<Line>,
  target: PageTarget,
  why: GapReason = 'unclear',
): MergeState<Line> {
  const attempt = state.work.attempt + 1;
  if (attempt > state.options.patience) return abandon(state, target, why);
  const doubtful = attempt % triesOfOrder === 0 ? doubted(state) : state;
  return { ...doubtful, work: { ...state.work, attempt, given: state.given } };
}

/** With the order unknown, or, where that is proven, the end of an oldest-first log. */
function doubted<Line>(state: MergeState<Line>): MergeState<Line> {
  const { paging, order, proven, numbered, pageSize, most, options } = state;
  // Pages that were never full may be all that the service gives at once: probing finds that out.
  if (numbered || !proven || order === undefined || most < pageSize) {
    return { ...state, ...unknownOrder, proven: false, pageSize: options.pageSize };
  }
  return paging.kind === 'oldest-first' ? { ...state, paging: pagesOldestFirst(pageSize) } : state;
}

/** The service has nothing before a place: what is missing below is gone. */
export function atBeginning<Line>(state: MergeState<Line>, place: Place): MergeState<Line> {
  let { spans } = state;
  for (let index = spanAt(spans, place); index > 0; index -= 1) {
    if (spans[index]?.below?.kind === 'filling') spans = giveUp(spans, index, 'gone');
  }
  return { ...state, spans, bottom: true, work: freshWork };
}

/** The newest lines have been looked at. */
export function looked<Line>(state: MergeState<Line>): MergeState<Line> {
  return { ...state, head: 'known' };
}

/** Stops asking for a target; a gap stands as missing until it is tried again. */
export function abandon<Line>(
  state: MergeState<Line>,
  target: PageTarget,
  why: GapReason,
): MergeState<Line> {
  if (target === 'head') return looked(state);
  if (target === 'older') return { ...state, wanted: 0, work: freshWork };
  const { edge } = state.work;
  const index = edge === undefined ? -1 : spanAt(state.spans, edge);
  return { ...state, spans: giveUp(state.spans, index, why), work: freshWork };
}
