import { describe, expect, test } from 'vitest';
import { defaultLimits } from '../../../source/client/http/limits.ts';
import { type FailedAttempt, retryDelay } from '../../../source/client/http/retry.ts';

const limits = { ...defaultLimits, retries: 2, retryDelay: 100, maxRetryAfter: 5_000 };

function delay(attempt: FailedAttempt, random = 0): number | undefined {
  return retryDelay(attempt, limits, 0, random);
}

describe('a failed GET', () => {
  test.each([500, 502, 503, 504])('with status %i is retried', (status) => {
    expect(delay({ attempt: 1, status })).toBe(100);
  });

  test.each([301, 400, 401, 404, 409, 422, 501, 505])('with status %i is not', (status) => {
    expect(delay({ attempt: 1, status })).toBeUndefined();
  });

  test.each(['ECONNREFUSED', 'ECONNRESET', 'UND_ERR_SOCKET'])('with %s is retried', (code) => {
    expect(delay({ attempt: 1, code })).toBe(100);
  });

  test.each(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_RES_EXCEEDED_MAX_SIZE', 'ENOTFOUND', undefined])(
    'with %s is not',
    (code) => {
      expect(delay({ attempt: 1, code })).toBeUndefined();
    },
  );

  test('doubles the delay, with jitter, and gives up', () => {
    expect(delay({ attempt: 2, status: 503 })).toBe(200);
    expect(delay({ attempt: 2, status: 503 }, 0.5)).toBe(250);
    expect(delay({ attempt: 3, status: 503 })).toBeUndefined();
  });

  test('waits for Retry-After, and leaves a long one to the caller', () => {
    expect(delay({ attempt: 1, status: 429, retryAfter: '2' })).toBe(2_000);
    expect(delay({ attempt: 1, status: 503, retryAfter: '0' })).toBe(0);
    expect(delay({ attempt: 1, status: 503, retryAfter: 'Thu, 01 Jan 1970 00:00:03 GMT' })).toBe(
      3_000,
    );
    expect(delay({ attempt: 1, status: 429, retryAfter: '60' })).toBeUndefined();
    expect(delay({ attempt: 1, status: 429, retryAfter: 'soon' })).toBe(400);
  });

  test('that is limited without Retry-After waits four times as long', () => {
    expect(delay({ attempt: 1, status: 429 })).toBe(400);
    expect(delay({ attempt: 2, status: 429 }, 0.5)).toBe(1000);
    expect(delay({ attempt: 3, status: 429 })).toBeUndefined();
  });

  test('that its caller repeats is retried by the caller alone when it is limited', () => {
    expect(delay({ attempt: 1, status: 429, isRepeated: true })).toBeUndefined();
    expect(delay({ attempt: 1, status: 429, isRepeated: true, retryAfter: '2' })).toBe(2_000);
    expect(delay({ attempt: 1, status: 503, isRepeated: true })).toBe(100);
  });
});
