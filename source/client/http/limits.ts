/** Bounds on how long and how much the client waits for. Times in ms, sizes in bytes. */
export interface Limits {
  /** Until a connection stands, TLS included; for the stream until it is upgraded. */
  readonly connectTimeout: number;
  /** Until an answer begins, and between any two parts of it. */
  readonly answerTimeout: number;
  /** Largest answer that is taken into memory. */
  readonly maxAnswer: number;
  /** How often a GET is asked again. */
  readonly retries: number;
  /** Wait before the first repetition; doubles with each. */
  readonly retryDelay: number;
  /** A `Retry-After` longer than this is not sat out but handed to the caller as an error. */
  readonly longestRetryAfter: number;
  /** Largest frame of the log stream. */
  readonly maxFrame: number;
  /** Of a turn of the event loop, for lines of the log stream: a key waits no longer than that. */
  readonly streamShare: number;
  /** Silence on the log stream after which it is pinged. */
  readonly streamSilence: number;
  /** Wait for any byte after a ping. */
  readonly pongTimeout: number;
}

/**
 * GETs are repeated just enough to get over a blip: who shows lists refetches them anyway, and has
 * to be able to say within seconds that a service is away.
 */
export const defaultLimits: Limits = {
  connectTimeout: 10_000,
  answerTimeout: 30_000,
  maxAnswer: 64 * 2 ** 20,
  retries: 2,
  retryDelay: 250,
  longestRetryAfter: 5_000,
  maxFrame: 16 * 2 ** 20,
  streamShare: 4,
  streamSilence: 30_000,
  pongTimeout: 10_000,
};
