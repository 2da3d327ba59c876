import type { Place } from '../arena/place.ts';

export interface MergeOptions {
  /** Lines of history to begin with. */
  readonly history: number;
  /** Most lines requested at once. */
  readonly pageSize: number;
  /** Attempts, each after a longer wait, before a gap is given up. */
  readonly patience: number;
  /** True when lines must stay where they are once placed, because they have been written out. */
  readonly isAppendOnly?: boolean | undefined;
}

/**
 * The target of a page request. `head`: the newest lines. `gap`: the lines of a gap. `older`: lines
 * before the oldest known one. `check`: lines that the stream left in doubt.
 */
export type PageTarget = 'head' | 'gap' | 'older' | 'check';

/** A page of history to be fetched. One is in flight at a time. */
export interface PageRequest {
  readonly number: number;
  readonly offset: number;
  readonly limit: number;
  /** 0 for a first try; the wait before a further one grows with it. */
  readonly attempt: number;
  readonly target: PageTarget;
  /** The place that the page is to hold; undefined for the newest lines. */
  readonly edge: Place | undefined;
  /** First place of the instant that the page is to hold; by id, the edge. */
  readonly start: Place;
  /** Connections opened before it was requested. */
  readonly connection: number;
  /** The newest known place then, and the one up to which history had every line. */
  readonly newest: Place | undefined;
  readonly settled: Place;
}

/** The reason why a request failed. `size`: the page was too large; `final`: a retry is pointless. */
export type FailureKind = 'size' | 'final' | 'passing';
