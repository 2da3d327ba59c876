import { waitOf } from './answer-errors.ts';
import type { Limits } from './limits.ts';

/** Statuses after which the same GET may well succeed. */
export const retryableStatuses = [429, 500, 502, 503, 504];

/** Connection failures that pass by themselves; a timeout has been waited for long enough. */
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

export interface FailedAttempt {
  /** 1 for the first attempt. */
  readonly attempt: number;
  readonly code?: string | undefined;
  readonly status?: number | undefined;
  readonly retryAfter?: string | undefined;
}

/**
 * How long to wait before a failed GET is asked again, in ms; undefined to give up. A `Retry-After`
 * is kept to the letter or not at all: one that is longer than `longestRetryAfter` goes to the
 * caller instead of being cut short.
 * @param random in [0, 1), spreads the repetitions of many consoles.
 */
export function retryDelay(
  { attempt, code, status, retryAfter }: FailedAttempt,
  limits: Limits,
  now: number,
  random: number,
): number | undefined {
  const passes = status === undefined ? retryableCodes.has(code ?? '') : isRetryable(status);
  if (!passes || attempt > limits.retries) return undefined;
  const asked = waitOf(retryAfter, now);
  if (asked !== undefined) {
    return asked * 1000 <= limits.longestRetryAfter ? asked * 1000 : undefined;
  }
  return limits.retryDelay * 2 ** (attempt - 1) * (1 + random / 2);
}

export function isRetryable(status: number): boolean {
  return retryableStatuses.includes(status);
}
