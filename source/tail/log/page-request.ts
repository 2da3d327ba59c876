import type { Place } from '../arena/place.ts';

export interface LogOptions {
  /** Lines of history to begin with. */
  readonly history: number;
  /** Most lines requested at once. */
  readonly pageSize: number;
  /** Attempts, each after a longer wait, before a gap is given up. */
  readonly patience: number;
  /** True when what was read is written out, so that lines at hand have to stay where they are. */
  readonly isAppendOnly?: boolean | undefined;
  /** True when the log is read once, and no line follows. */
  readonly isOnce?: boolean | undefined;
}

/**
 * The target of a page request. `head`: the newest lines. `gap`: the lines of a gap. `older`: lines
 * before the oldest known one. `check`: young holes, which are read once more.
 */
export type PageTarget = 'head' | 'gap' | 'older' | 'check';

/** A part of the service's log. */
export interface PageSlice {
  readonly offset: number;
  readonly limit: number;
}

/** A page of history to be fetched. One is in flight at a time. */
export interface PageRequest extends PageSlice {
  readonly number: number;
  /** 0 for a first try; the wait before a further one grows with it. */
  readonly attempt: number;
  readonly target: PageTarget;
  /** The place that the page is to hold; undefined for the newest lines. */
  readonly edge: Place | undefined;
  /** Connections opened before it was requested. */
  readonly connection: number;
  /** The newest known place when it was requested. */
  readonly newest: Place | undefined;
}

/** The reason why a request failed. `size`: the page was refused; `final`: a retry is pointless. */
export type FailureKind = 'size' | 'final' | 'passing';

/** Smallest page worth a round trip. */
export const smallPage = 100;

/** Rows that neighbouring pages have in common, so that lines moving between two answers show. */
export function overlapOf(limit: number): number {
  return Math.min(32, limit >> 3);
}

/** Returns the overlap of pages that are joined by their rows alone. */
export function joiningOverlapOf(limit: number): number {
  return Math.max(overlapOf(limit), Math.min(16, limit >> 1));
}

/** Returns the part of a page behind offset 0; undefined without one. */
export function within({ offset, limit }: PageSlice): PageSlice | undefined {
  if (offset >= 0) return { offset, limit };
  return limit + offset > 0 ? { offset: 0, limit: limit + offset } : undefined;
}
