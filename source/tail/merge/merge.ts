import { doubt, forgetBefore } from './coverage.ts';
import { fillingState } from '../arena/gap.ts';
import { joinEarly, joinPage, type Step } from './join-page.ts';
import { abandon, later, withPages } from './judge-page.ts';
import { hadHistory } from './next-page.ts';
import { freshWork, type MergeState, type PageRequest, type Work } from './merge-state.ts';
import { dropTop } from './loose-page.ts';
import { narrowSearch, pageOrder, probe } from './probe.ts';
import { takeLive } from './live.ts';
import { oldestFirst } from './order.ts';
import { isAdjacent, type Place } from '../arena/place.ts';
import type { Placement } from './join-runs.ts';
import { margin } from './place-page.ts';
import type { LogRow } from '../arena/row.ts';
import type { Known } from './known.ts';

export type MergeEvent<Line> =
  /** The stream stands: what it sends from now on has no gap. */
  | { readonly kind: 'opened' }
  | { readonly kind: 'lines'; readonly rows: readonly LogRow<Line>[] }
  /** Lines have come and stand in the sequence: a page may have waited for them. */
  | { readonly kind: 'came' }
  | { readonly kind: 'closed' }
  /** There is no stream: the newest lines are asked for. */
  | { readonly kind: 'poll' }
  /** The stream has been quiet: does it keep lines back? */
  | { readonly kind: 'audit' }
  | { readonly kind: 'page'; readonly request: PageRequest; readonly rows: readonly LogRow<Line>[] }
  | {
      readonly kind: 'failed';
      readonly request: PageRequest;
      /** `size`: the page was too large to ask for; `final`: asking again is pointless. */
      readonly why: 'size' | 'final' | 'passing';
    }
  /** More history is wanted before the oldest line. */
  | { readonly kind: 'older'; readonly lines: number }
  /** Gaps that were given up are to be tried again. */
  | { readonly kind: 'retry' }
  /** Entries before `place` are about to be dropped from memory. */
  | { readonly kind: 'forget'; readonly place: Place };

/**
 * One step of joining history, live lines and what comes after a drop into one sequence. The change
 * is to be applied to the sequence before the next page is asked for with `askNext`.
 */
export function stepMerge<Line>(
  state: MergeState<Line>,
  event: MergeEvent<Line>,
  known: Known<Line>,
): Step<Line> {
  if (event.kind === 'lines') return takeLive(state, event.rows, known);
  if (event.kind === 'came') return joinEarly(state, known);
  if (event.kind === 'closed') return close(state, known);
  if (event.kind === 'page') return takePage(state, event.request, event.rows, known);
  const next = stepState(state, event, known);
  if (next.spans === state.spans) return { state: next, change: undefined };
  return { state: next, change: { put: [], lean: 'newer', drop: undefined, spans: next.spans } };
}

type StateEvent = Exclude<MergeEvent<never>, { kind: 'lines' | 'came' | 'closed' | 'page' }>;

function stepState<Line>(
  state: MergeState<Line>,
  event: StateEvent,
  known: Known<Line>,
): MergeState<Line> {
  const { live } = state;
  if (event.kind === 'opened') {
    const connection = live.connection + 1;
    const opened = { ...live, open: true, connection, from: undefined, next: undefined };
    return { ...state, live: opened, allowed: true, head: 'wanted', work: freshWork };
  }
  if (event.kind === 'poll') {
    const polled = { ...live, since: state.spans.at(-1)?.to };
    return { ...state, live: polled, allowed: true, head: 'wanted', work: freshWork };
  }
  if (event.kind === 'audit') {
    return state.head === 'known' && live.open ? { ...state, head: 'audit' } : state;
  }
  if (event.kind === 'older') return { ...state, wanted: hadHistory(state, known) + event.lines };
  if (event.kind === 'forget') return forget(state, event.place, known);
  if (event.kind === 'failed') return fail(state, event.request, event.why);
  const spans = state.spans.map((span) =>
    span.below?.kind === 'missing' ? { ...span, below: fillingState } : span,
  );
  return { ...state, spans, work: freshWork, allowed: true };
}

function takePage<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  raw: readonly LogRow<Line>[],
  known: Known<Line>,
): Step<Line> {
  if (state.asking?.number !== request.number) return { state, change: undefined };
  const numbered = state.numbered && raw.every((row) => row.id !== undefined);
  const most = Math.max(state.most, raw.length);
  const answered = { ...state, asking: undefined, early: undefined, numbered, most };
  const { job } = request;
  if (job.kind === 'probe') return probe(answered, request, raw, known);
  if (job.kind === 'search') {
    return { state: narrowSearch(answered, request, raw.length > 0), change: undefined };
  }
  const order = pageOrder(answered, raw, known);
  const page = { request, rows: oldestFirst(raw, order), begins: false };
  const step = joinPage({ ...answered, order }, page, known);
  const atOnce = mostRows(state.work, request, raw.length > 0 ? step.placement : undefined);
  return atOnce === undefined ? step : { ...step, state: withPages(step.state, atOnce) };
}

/** The most rows that the service gives at once, when a page behind a short one has older lines. */
function mostRows(
  { short }: Work,
  { job }: PageRequest,
  placement: Placement<unknown> | undefined,
): number | undefined {
  const isBehind = job.kind === 'down' && job.expected.rows <= 0;
  if (short === undefined || placement === undefined || !isBehind) return undefined;
  const { covers, inside } = placement;
  if (covers === undefined) {
    return inside === undefined ? short.rows : undefined;
  }
  return covers[0] < short.oldest ? short.rows : undefined;
}

/** Smallest page to fall back to when a service refuses larger ones: the contract's default. */
const acceptedPage = 100;

function fail<Line>(
  state: MergeState<Line>,
  request: PageRequest,
  why: 'size' | 'final' | 'passing',
): MergeState<Line> {
  if (state.asking?.number !== request.number) return state;
  const answered = { ...state, asking: undefined };
  if (why === 'size' && request.limit > acceptedPage) {
    return { ...answered, pageSize: acceptedPage };
  }
  // While the service is away, nothing is given up: it is asked again when it is back.
  if (!state.live.open) {
    return { ...answered, allowed: false, ready: why === 'final' || state.ready };
  }
  return why === 'passing'
    ? later(answered, request.target, 'unanswered')
    : abandon(answered, request.target, 'unanswered');
}

/** Lines that a breaking stream may have delivered out of order. */
const reorderDepth = 32;

function close<Line>(state: MergeState<Line>, known: Known<Line>): Step<Line> {
  const { from } = state.live;
  const live = { ...state.live, open: false, since: state.spans.at(-1)?.to };
  const closed = { ...state, live, allowed: false, early: undefined };
  const top = state.spans.at(-1);
  if (from === undefined || top === undefined || from > top.to) {
    return { state: closed, change: undefined };
  }
  if (state.numbered) {
    const last = known.upTo(top.to, reorderDepth);
    const unbroken = last.every(
      ({ place }, index) => index === 0 || isAdjacent(last[index - 1]?.place ?? place, place),
    );
    const place = last[0]?.place ?? top.to;
    const spans = unbroken ? state.spans : doubt(state.spans, place < from ? from : place);
    return { state: { ...closed, spans }, change: undefined };
  }
  // A handful of lines that joined nothing could stand anywhere among their likes: they are fetched.
  const few = known.linesFrom(top.from) < margin(state.pageSize);
  if (!few || top.below?.kind !== 'filling') return { state: closed, change: undefined };
  const { state: without, drop } = dropTop(closed);
  return { state: without, change: { put: [], lean: 'newer', drop, spans: without.spans } };
}

function forget<Line>(state: MergeState<Line>, place: Place, known: Known<Line>): MergeState<Line> {
  const { live, paging, start } = state;
  const anchor = paging.kind === 'oldest-first' ? paging.anchor : undefined;
  const moved =
    anchor !== undefined && anchor.place < place && paging.kind === 'oldest-first'
      ? {
          ...paging,
          anchor: {
            place,
            offset: anchor.offset + known.linesFrom(anchor.place) - known.linesFrom(place),
          },
        }
      : paging;
  return {
    ...state,
    spans: forgetBefore(state.spans, place),
    live: {
      ...live,
      from: live.from !== undefined && live.from < place ? place : live.from,
    },
    start: start !== undefined && start < place ? place : start,
    paging: moved,
    // Lines that were just dropped are fetched again only on request.
    wanted: 0,
    bottom: false,
  };
}
