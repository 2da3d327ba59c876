import type { Spans } from './coverage.ts';
import type { RowOrder } from './order.ts';
import type { Place } from '../arena/place.ts';
import type { LogRow } from '../arena/row.ts';

/**
 * The target of a page request. `head`: the newest lines. `gap`: the lines of the newest gap.
 * `older`: lines before the oldest known one.
 */
export type PageTarget = 'head' | 'gap' | 'older';

/** The way in which a page is joined to the known lines. */
export type Job =
  /** Finds out which end of the log offset 0 is. */
  | ({ readonly kind: 'probe' } & LiveRun)
  /** Is there a line at this offset? Finds the end of an oldest-first log. */
  | { readonly kind: 'search' }
  /** The newest page. */
  | ({ readonly kind: 'end' } & LiveRun)
  /** The lines before `edge`, which itself is expected in the page, counted from its end or start. */
  | { readonly kind: 'down'; readonly edge: Place; readonly expected: Expected }
  /** The lines behind `edge`. `lines` is the length of the run behind the gap. */
  | {
      readonly kind: 'up';
      readonly edge: Place;
      readonly expected: Expected;
      readonly lines: number;
    };

/** The live lines that had come before a page was asked for, and so are in the log it is cut from. */
interface LiveRun {
  /** First place of the stretch they end; undefined when there were none. */
  readonly edge: Place | undefined;
  readonly newest: Place | undefined;
  /** Lines of the stretch. */
  readonly lines: number;
}

/** The expected position of a line in a page: rows from its start, or from its end. */
export interface Expected {
  readonly from: 'start' | 'end';
  readonly rows: number;
}

/** A page of history to be fetched. One is in flight at a time. */
export interface PageRequest {
  readonly number: number;
  readonly offset: number;
  readonly limit: number;
  /** 0 for a first try; the wait before a further one grows with it. */
  readonly attempt: number;
  readonly target: PageTarget;
  readonly job: Job;
  /** Connections to the stream opened before it was asked for. */
  readonly connection: number;
  /** {@link MergeState.given} when it was asked for: tells whether live lines have come since. */
  readonly given: Place;
}

/** A known line and the offset it was last seen at, in an oldest-first log. */
export interface Anchor {
  readonly place: Place;
  readonly offset: number;
}

/** Galloping for the end of an oldest-first log: `low` lines are there, the line at `high` is not. */
export interface EndSearch {
  readonly low: number;
  readonly step: number;
  readonly high: number | undefined;
}

/** A page that is looked at for its order; its rows oldest first. */
export interface ProbedPage<Line> {
  readonly rows: readonly LogRow<Line>[];
  readonly request: PageRequest;
}

/**
 * The meaning of offsets to this service. The pages that will show it are kept while it is unknown.
 */
export type Paging<Line> =
  | { readonly kind: 'unknown'; readonly pages: readonly ProbedPage<Line>[] }
  | { readonly kind: 'newest-first' }
  | {
      readonly kind: 'oldest-first';
      readonly anchor: Anchor | undefined;
      readonly search: EndSearch;
    };

/** The attempts for the present target since its last progress. */
export interface Work {
  readonly target: PageTarget;
  readonly edge: Place | undefined;
  /** Rows by which the offset is corrected. */
  readonly extra: number;
  /** Tries that ended without an answer, or before the service had the lines. */
  readonly attempt: number;
  /** {@link MergeState.given} at the last of them. */
  readonly given: Place | undefined;
  /** Answers that brought nothing. */
  readonly idle: number;
  /**
   * A page with fewer rows than asked for: either the log begins in it, or that is the most the
   * service gives at once. The page directly behind the edge tells.
   */
  readonly short: { readonly rows: number; readonly oldest: Place } | undefined;
}

export interface MergeOptions {
  /** Lines of history to begin with. */
  readonly history: number;
  /** Most lines asked for at once. */
  readonly pageSize: number;
  /** Tries, each after a longer wait, before a gap is given up. */
  readonly patience: number;
}

/**
 * The known ranges of the log and the open questions. Holds no lines, except one page while the
 * service's order is being found out.
 */
export interface MergeState<Line> {
  readonly options: MergeOptions;
  readonly spans: Spans;
  readonly live: Live;
  /** Whether requests may be made: not while the service is away. */
  readonly allowed: boolean;
  /** All lines so far had ids; without them pages are joined by their content. */
  readonly numbered: boolean;
  /** The highest place of a line that came live; without ids, none is given twice. */
  readonly given: Place;
  /** Added to ids since the service began to count anew. */
  readonly base: Place;
  /** The newest lines must be looked at; an audit only asks whether the stream kept any back. */
  readonly head: 'known' | 'wanted' | 'audit';
  /** Lines of history wanted before `start`. */
  readonly wanted: number;
  /** The first line that came live; undefined while all are history. */
  readonly start: Place | undefined;
  /** The service has nothing before the oldest known line. */
  readonly bottom: boolean;
  /** The first history has been had, or given up. */
  readonly ready: boolean;
  readonly paging: Paging<Line>;
  /** Times or telling lines have shown what offsets mean: that is not doubted any more. */
  readonly proven: boolean;
  /** The order of the rows in a page, as last seen. */
  readonly order: RowOrder | undefined;
  readonly work: Work;
  readonly pageSize: number;
  /** The most rows that a page has had so far. */
  readonly most: number;
  readonly asking: PageRequest | undefined;
  readonly asked: number;
  /** A page whose newest rows have yet to come over the stream: it is joined as soon as they have. */
  readonly early: Page<Line> | undefined;
}

/** The stream. */
export interface Live {
  readonly open: boolean;
  readonly connection: number;
  /** The first line of this connection. */
  readonly from: Place | undefined;
  /**
   * Without ids: a known line that the stream is to send next, because pages have run ahead of it;
   * undefined when it sends what is not known.
   */
  readonly next: Place | undefined;
  /** The newest line that was known when the last connection ended: none up to it comes again. */
  readonly since: Place | undefined;
}

/** A page of lines as it came. */
export interface Page<Line> {
  readonly request: PageRequest;
  /** Oldest first. */
  readonly rows: readonly LogRow<Line>[];
  /** The log begins with this page. */
  readonly begins: boolean;
}

export const freshWork: Work = {
  target: 'head',
  edge: undefined,
  extra: 0,
  attempt: 0,
  given: undefined,
  idle: 0,
  short: undefined,
};

/** The order has to be found out, or found out again. */
export const unknownOrder = { paging: { kind: 'unknown', pages: [] }, order: undefined } as const;

/** Nothing is known of an oldest-first log but that `lines` are there. */
export function pagesOldestFirst(step: number, lines = 0): Paging<never> {
  return { kind: 'oldest-first', anchor: undefined, search: { low: lines, step, high: undefined } };
}

export function startMerge<Line>(options: MergeOptions): MergeState<Line> {
  return {
    options,
    spans: [],
    live: { open: false, connection: 0, from: undefined, next: undefined, since: undefined },
    allowed: false,
    numbered: true,
    given: 0,
    base: 0,
    head: 'known',
    wanted: options.history,
    start: undefined,
    bottom: false,
    ready: false,
    ...unknownOrder,
    proven: false,
    work: freshWork,
    pageSize: options.pageSize,
    most: 0,
    asking: undefined,
    asked: 0,
    early: undefined,
  };
}
