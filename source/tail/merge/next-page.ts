import { spanAt } from './coverage.ts';
import type {
  Expected,
  Job,
  MergeState,
  PageRequest,
  Paging,
  ProbedPage,
  PageTarget,
  Work,
} from './merge-state.ts';
import { freshWork } from './merge-state.ts';
import { margin } from './place-page.ts';
import type { Place } from '../arena/place.ts';
import type { Known } from './known.ts';

/** Smallest page worth a round trip. */
const smallPage = 100;

type OldestFirst = Extract<Paging<unknown>, { kind: 'oldest-first' }>;

/** Returns the next target to fetch: the newest lines first, then the gaps from the newest down. */
function nextTarget(state: MergeState<unknown>, known: Known<unknown>): PageTarget | undefined {
  if (state.head === 'wanted') return 'head';
  if (gapToFill(state) >= 0) return 'gap';
  if (missingHistory(state, known) > 0) return 'older';
  return state.head === 'audit' ? 'head' : undefined;
}

/**
 * Index of the span above the gap to fill next, -1 without one: the newest gap, but in an
 * oldest-first log the one beside the line from which offsets are counted.
 */
function gapToFill({ spans, paging }: MergeState<unknown>): number {
  const anchor = paging.kind === 'oldest-first' ? paging.anchor?.place : undefined;
  const behind =
    anchor === undefined
      ? -1
      : spans.findIndex((span) => span.from > anchor && span.below?.kind === 'filling');
  return behind >= 0 ? behind : spans.findLastIndex((span) => span.below?.kind === 'filling');
}

/** Lines of history that are wanted and not yet had. */
function missingHistory(state: MergeState<unknown>, known: Known<unknown>): number {
  if (state.bottom || state.spans.length === 0) return 0;
  return Math.max(0, state.wanted - hadHistory(state, known));
}

/** Lines of history that are known: those before the first live one. */
export function hadHistory({ start }: MergeState<unknown>, known: Known<unknown>): number {
  return known.lines - (start === undefined ? 0 : known.linesFrom(start));
}

/** The state with the next page asked for, when one is needed and none is in flight. */
export function askNext<Line>(state: MergeState<Line>, known: Known<Line>): MergeState<Line> {
  if (!state.allowed || state.asking !== undefined) return state;
  const target = nextTarget(state, known);
  if (target === undefined) return state.ready ? state : { ...state, ready: true };
  const edge = target === 'head' ? undefined : state.spans[workSpan(state, target)]?.from;
  const same = state.work.target === target && state.work.edge === edge;
  const work: Work = same ? state.work : { ...freshWork, target, edge };
  const { job, offset, limit } = nextPage(state, known, target, work);
  const asking: PageRequest = {
    number: state.asked + 1,
    offset,
    limit,
    attempt: work.attempt,
    target,
    job,
    connection: state.live.connection,
    given: state.given,
  };
  return { ...state, work, asking, asked: asking.number };
}

/** Index of the span that a target works below. */
function workSpan(state: MergeState<unknown>, target: PageTarget): number {
  return target === 'gap' ? gapToFill(state) : 0;
}

interface Page {
  readonly job: Job;
  readonly offset: number;
  readonly limit: number;
}

function nextPage(
  state: MergeState<unknown>,
  known: Known<unknown>,
  target: PageTarget,
  work: Work,
): Page {
  const limit = pageLimit(state, known, target);
  const { paging } = state;
  if (paging.kind === 'oldest-first') {
    return oldestFirstPage(state, paging, known, target, work, limit);
  }
  if (paging.kind === 'unknown') {
    return newest(state, known, 'probe', probeOffset(paging.pages), limit);
  }
  const { edge } = work;
  if (edge === undefined) return newest(state, known, 'end', 0, limit);
  const lines = known.linesFrom(edge);
  const offset = Math.max(0, lines - margin(limit) + work.extra);
  const expected: Expected = { from: 'end', rows: lines - offset };
  return { job: { kind: 'down', edge, expected }, offset, limit };
}

/** The first page at 0, the second behind it, the third at 0 again. */
function probeOffset(pages: readonly ProbedPage<unknown>[]): number {
  return pages.length === 1 ? (pages[0]?.rows.length ?? 0) : 0;
}

function pageLimit(state: MergeState<unknown>, known: Known<unknown>, target: PageTarget): number {
  const { pageSize, wanted, spans, numbered } = state;
  // A large page without ids still has a line that it is known by when others have come meanwhile.
  if (!numbered && target === 'older') return pageSize;
  if (target === 'gap' || (target === 'head' && spans.length > 0)) return pageSize;
  const lines = target === 'head' ? wanted : missingHistory(state, known) + margin(pageSize);
  return Math.min(pageSize, Math.max(smallPage, lines));
}

/** The newest page: of a live run that was there before, it must hold the end. */
function newest(
  state: MergeState<unknown>,
  known: Known<unknown>,
  kind: 'probe' | 'end',
  offset: number,
  limit: number,
): Page {
  const { from } = state.live;
  const top = state.spans.at(-1);
  if (from === undefined || top === undefined) {
    return { job: { kind, edge: undefined, newest: undefined, lines: 0 }, offset, limit };
  }
  const lines = known.linesFrom(top.from);
  return { job: { kind, edge: top.from, newest: top.to, lines }, offset, limit };
}

function oldestFirstPage(
  state: MergeState<unknown>,
  { anchor, search }: OldestFirst,
  known: Known<unknown>,
  target: PageTarget,
  { edge, extra }: Work,
  limit: number,
): Page {
  const top = state.spans.at(-1);
  if (anchor === undefined || top === undefined) {
    const { low, step, high } = search;
    if (high === undefined) return { job: { kind: 'search' }, offset: low + step - 1, limit: 1 };
    if (high - low <= limit) return newest(state, known, 'end', Math.max(0, high - limit), limit);
    return { job: { kind: 'search' }, offset: Math.floor((low + high) / 2), limit: 1 };
  }
  const offsetOf = (place: Place): number =>
    anchor.offset + known.linesFrom(anchor.place) - known.linesFrom(place);
  const from = (offset: number, place: Place): readonly [number, Expected] => {
    const start = Math.max(0, Math.round(offset - extra));
    return [start, { from: 'start', rows: offsetOf(place) - start }];
  };
  const lower = target === 'gap' ? state.spans[gapToFill(state) - 1] : undefined;
  if (target === 'head' || (lower !== undefined && anchor.place <= (lower.reach ?? lower.to))) {
    const place = lower?.to ?? top.to;
    const behind = lower === undefined ? undefined : state.spans[gapToFill(state)];
    const lines = behind === undefined ? 0 : known.linesFrom(behind.from);
    const [offset, counted] = from(offsetOf(place) + 1 - margin(limit), place);
    // Across another gap, lines cannot be counted: it may stand anywhere in the page.
    const isCounted = spanAt(state.spans, anchor.place) === spanAt(state.spans, place);
    const expected = isCounted ? counted : { ...counted, rows: Number.POSITIVE_INFINITY };
    return { job: { kind: 'up', edge: place, expected, lines }, offset, limit };
  }
  const place = edge ?? top.from;
  const [offset, expected] = from(offsetOf(place) + margin(limit) - limit, place);
  return { job: { kind: 'down', edge: place, expected }, offset, limit };
}
