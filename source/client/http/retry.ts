/** Decides whether and when a failed GET is retried. */
import { parseRetryAfter } from './answer-errors.ts';
import type { Limits } from './limits.ts';

/** Statuses of transient failures. */
export const retryableStatuses = [429, 500, 502, 503, 504];

/** Codes of transient connection failures. Timeouts are not retried: the user has waited enough. */
const retryableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENETDOWN',
  'ENETUNREACH',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'UND_ERR_SOCKET',
]);

/** A service that limits requests without a `Retry-After` is given so many times longer. */
const limitedFactor = 4;

export interface FailedAttempt {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
  /** True when the caller repeats the request itself, and waits longer each time. */
  readonly isRepeated?: boolean | undefined;
}

/**
 * Returns the delay in ms before a failed GET is retried; undefined to give up. A `Retry-After` is
 * never shortened: one longer than `maxRetryAfter` gives up.
 * @param random in [0, 1), spreads the retries of many clients.
 */
export function retryDelay(
  { attempt, code, status, retryAfter, isRepeated }: FailedAttempt,
  limits: Limits,
  now: number,
  random: number,
): number | undefined {
  const isTransient = status === undefined ? retryableCodes.has(code ?? '') : isRetryable(status);
  if (!isTransient || attempt > limits.retries) return undefined;
  const seconds = parseRetryAfter(retryAfter, now);
  if (seconds !== undefined) {
    return seconds * 1000 <= limits.maxRetryAfter ? seconds * 1000 : undefined;
  }
  const isLimited = status === 429;
  // Retries here would multiply those of the caller.
  if (isLimited && isRepeated === true) return undefined;
  const first = limits.retryDelay * (isLimited ? limitedFactor : 1);
  return first * 2 ** (attempt - 1) * (1 + random / 2);
}

/** Returns true for the status of a transient failure. */
export function isRetryable(status: number): boolean {
  return retryableStatuses.includes(status);
}
