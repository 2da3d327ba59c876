/** Timeouts, sizes and retries of the client. Times in ms, sizes in bytes. */
export interface Limits {
  /** Time to connect, including TLS, and for the log stream including the upgrade. */
  readonly connectTimeout: number;
  /** Time until the answer's headers, and between two parts of its body. */
  readonly answerTimeout: number;
  /** Size of the headers of an answer. */
  readonly maxHeaders: number;
  /** Size of the largest answer that is read into memory, without its content coding. */
  readonly maxAnswer: number;
  /** Number of retries of a GET. */
  readonly retries: number;
  /** Delay before the first retry; doubles with each. */
  readonly retryDelay: number;
  /** Longest `Retry-After` that is waited for; a longer one goes to the caller as an error. */
  readonly maxRetryAfter: number;
  /** Size of the largest frame of the log stream. */
  readonly maxFrame: number;
  /** Time a log stream may read in one turn of the event loop, so that keys wait no longer. */
  readonly streamReadBudget: number;
  /** Silence on the log stream before a ping. */
  readonly streamSilence: number;
  /** Time to wait for any byte after a ping. */
  readonly pongTimeout: number;
}

/**
 * The default limits. GETs have few retries: lists are refetched anyway, and the UI must report an
 * unreachable service within seconds.
 */
export const defaultLimits: Limits = {
  connectTimeout: 10_000,
  answerTimeout: 30_000,
  maxHeaders: 16 * 2 ** 10,
  maxAnswer: 64 * 2 ** 20,
  retries: 2,
  retryDelay: 250,
  maxRetryAfter: 5_000,
  maxFrame: 16 * 2 ** 20,
  streamReadBudget: 4,
  streamSilence: 30_000,
  pongTimeout: 10_000,
};
