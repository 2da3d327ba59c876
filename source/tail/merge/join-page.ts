import { cover, giveUp, spanAt } from './coverage.ts';
import { judge, later, looked, type Sight } from './judge-page.ts';
import {
  freshWork,
  type MergeState,
  pagesOldestFirst,
  type Page,
  type PageRequest,
} from './merge-state.ts';
import type { Placement } from './join-runs.ts';
import { placeByContent, placeById } from './place-page.ts';
import { type Place, shiftPlace } from '../arena/place.ts';
import { renumbered } from './renumber.ts';
import type { Change, Known } from './known.ts';

/** The outcome of an event: the state after it, and what changes in the sequence. */
export interface Step<Line> {
  readonly state: MergeState<Line>;
  readonly change: Change<Line> | undefined;
  /** The service has lines that its open stream did not deliver. */
  readonly behind?: boolean;
  /** The placement of the page's rows. */
  readonly placement?: Placement<Line>;
}

/** Takes the rows of a page in, and decides how to go on. */
export function joinPage<Line>(
  before: MergeState<Line>,
  page: Page<Line>,
  known: Known<Line>,
): Step<Line> {
  const { request, rows } = page;
  const { job, target } = request;
  const state = before.numbered ? renumbered(before, rows, known) : before;
  const isAudit = state.head === 'audit' && target === 'head';
  if (!state.numbered && !isAudit && isOutdated(state, request)) {
    return { state, change: undefined };
  }
  const placement = state.numbered
    ? placeById(rows, state.base)
    : placeByContent(rows, request, state, known, page.begins);
  if (!state.numbered && isAudit) {
    const behind = placement.put.length > 0;
    return { state: looked(state), change: undefined, behind, placement };
  }
  if (placement.early === true) {
    const again = later(anchored(state, page, placement), target);
    return { state: { ...again, early: page }, change: undefined, placement };
  }
  if (placement.passed !== undefined) return passedStep(state, placement);
  const taken = upToLive(state, placement);
  const joined = vouched(anchored(state, page, placement), page, taken);
  const behind = isAudit && (placement.covers?.[1] ?? 0) > (state.spans.at(-1)?.to ?? 0);
  const next = goOn(joined, page, placement);
  const { put, drop } = taken;
  const lean = job.kind === 'up' ? 'older' : 'newer';
  return { state: next, change: { put, drop, lean, spans: next.spans }, behind, placement };
}

/** Takes a run out that stands in the one below, and goes on with that. */
function passedStep<Line>(state: MergeState<Line>, placement: Placement<Line>): Step<Line> {
  const { drop, passed } = placement;
  const { live } = state;
  if (drop === undefined || passed === undefined) return { state, change: undefined, placement };
  const [from] = drop;
  const spans = state.spans.filter((span) => span.from !== from);
  const isLive = live.from !== undefined && state.spans.at(-1)?.from === from;
  const next = isLive ? { ...live, from: passed.to, next: passed.next } : live;
  return {
    state: { ...state, spans, live: next, work: freshWork },
    change: { put: [], drop, lean: 'newer', spans },
    placement,
  };
}

/** Joins the page that came too early, if the lines that it waits for have come. */
export function joinEarly<Line>(state: MergeState<Line>, known: Known<Line>): Step<Line> {
  if (state.early === undefined) return { state, change: undefined };
  const waiting = { ...state, early: undefined, asking: undefined };
  const step = joinPage(waiting, state.early, known);
  return step.placement?.early === true ? { state, change: undefined } : step;
}

/**
 * Without the lines behind all that are known, once the open stream has brought some: it will bring
 * these as well. A stream with much under way would otherwise never catch up with the pages.
 */
function upToLive<Line>(
  { numbered, live, spans }: MergeState<Line>,
  placement: Placement<Line>,
): Placement<Line> {
  const top = spans.at(-1);
  const { covers } = placement;
  if (!numbered || !live.open || live.from === undefined) return placement;
  if (top === undefined || covers === undefined) return placement;
  const end = top.reach ?? top.to;
  if (covers[1] <= end) return placement;
  return {
    ...placement,
    put: placement.put.filter(({ place }) => place <= end),
    covers: covers[0] <= end ? [covers[0], end] : undefined,
  };
}

/**
 * Without ids, the newest page can only be joined to lines that were there before it was asked for,
 * and any other only to the very lines it was asked for: of those behind a gap, others may stand there
 * since the stream was opened again.
 */
function isOutdated(state: MergeState<unknown>, request: PageRequest): boolean {
  const { job, target, given, connection } = request;
  if (job.kind === 'up' && job.lines > 0 && connection !== state.live.connection) return true;
  const edge = 'edge' in job ? job.edge : undefined;
  if (edge !== undefined && spanAt(state.spans, edge) < 0) return true;
  return (edge === undefined || target === 'head') && given !== state.given;
}

function goOn<Line>(
  state: MergeState<Line>,
  page: Page<Line>,
  placement: Placement<Line>,
): MergeState<Line> {
  const { request, rows } = page;
  const { job, target, connection } = request;
  if (job.kind !== 'end')
    return judge(state, request, sightOf(state, page, placement), rows.length);
  if (rows.length === 0) return emptyEnd(state, request);
  if (placement.covers === undefined && placement.inside === undefined) return later(state, target);
  // Only a page that was asked for on this connection joins what came before it.
  return connection === state.live.connection ? looked(state) : state;
}

/** The newest page is empty: so is the log, or its end has moved since it was found. */
function emptyEnd<Line>(
  state: MergeState<Line>,
  { target, offset }: PageRequest,
): MergeState<Line> {
  if (offset === 0) return target === 'head' ? looked(state) : later(state, target);
  return later({ ...state, paging: pagesOldestFirst(state.pageSize) }, target);
}

function sightOf(
  { numbered }: MergeState<unknown>,
  { request: { job }, rows }: Page<unknown>,
  { inside, covers, anchor }: Placement<unknown>,
): Sight {
  if (rows.length === 0) return { kind: 'empty' };
  if (inside !== undefined) {
    return { kind: 'newer', distance: rows.length + inside, oldest: anchor?.place ?? 0 };
  }
  if (covers === undefined || !('edge' in job) || job.edge === undefined) {
    return { kind: 'unplaced' };
  }
  if (covers[0] > job.edge) {
    const behind = numbered ? rowsBetween(job.edge, covers, rows.length) : 0;
    return { kind: 'newer', distance: rows.length + behind, oldest: covers[0] };
  }
  return { kind: covers[1] < job.edge ? 'older' : 'touching' };
}

/** Ids may have other holes elsewhere: so much of what they say is trusted. */
const trust = 0.9;

/** Rows between a line and a page behind it, were the ids between them as dense as in the page. */
function rowsBetween(edge: Place, [from, to]: readonly [Place, Place], rows: number): number {
  const step = Number(shiftPlace(to, -BigInt(from))) / Math.max(1, rows - 1);
  const ids = Number(shiftPlace(from, -BigInt(edge)));
  return step > 0 ? Math.floor((ids / step) * trust) : 0;
}

function anchored<Line>(
  state: MergeState<Line>,
  { request }: Page<Line>,
  { anchor }: Placement<Line>,
): MergeState<Line> {
  const { paging } = state;
  if (paging.kind !== 'oldest-first' || anchor === undefined) return state;
  const { place, row } = anchor;
  return { ...state, paging: { ...paging, anchor: { place, offset: request.offset + row } } };
}

/** Records the range that the page covers; runs that fit in more than one way stay apart. */
function vouched<Line>(
  state: MergeState<Line>,
  { request }: Page<Line>,
  { covers, unclear }: Placement<Line>,
): MergeState<Line> {
  if (covers === undefined) return state;
  const spans = cover(state.spans, ...covers);
  if (unclear !== true) return { ...state, spans };
  const index = request.job.kind === 'up' ? spanAt(spans, covers[1]) + 1 : spanAt(spans, covers[0]);
  return { ...state, spans: giveUp(spans, index, 'unclear') };
}
