/** The start, the requests, the pages and the ends of a bisection. */

/**
 * The end of a bisection. `found`: the last page holds the time, with lines on both sides of it.
 * `begins`: the last page begins the log, after the time. `refused`: the service answers no offset
 * that far back. `fixed`: it ignores offsets. `disordered`: its pages are not in the order of times.
 */
export type BisectionEnd =
  | 'found'
  | 'begins'
  | 'refused'
  | 'fixed'
  | 'untimed'
  | 'disordered'
  | 'failed'
  | 'exhausted';

export interface BisectionStart {
  /** The time to find, ms since the epoch. */
  readonly time: number;
  /** The line at offset 0. */
  readonly order: 'newest' | 'oldest';
  /** Most rows to request at once. */
  readonly pageSize: number;
  /** Index and time of a known line after the time. */
  readonly index: number;
  readonly indexTime: number;
  /** Milliseconds between two lines there; 0 when unknown. */
  readonly pace: number;
  /** Requests that were made for the search before. */
  readonly requests?: number | undefined;
}

/** A page to request. */
export interface BisectionRequest {
  readonly offset: number;
  readonly limit: number;
}

/** The rows of a page, from old to new. */
export interface BisectedPage {
  /** Times of the rows, ms since the epoch. */
  readonly times: readonly (number | undefined)[];
  /** Text that tells the oldest row apart from others. */
  readonly key: string;
}
