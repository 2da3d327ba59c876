import { describe, expect, it, test } from 'vitest';
import type { ErrorCode } from '../../source/client/http/errors.ts';
import { exitCodeOf, worstExitCode } from '../../source/commands/exit-codes.ts';

const expected: Readonly<Record<ErrorCode, number>> = {
  refused: 8,
  dns: 8,
  tls: 8,
  timeout: 8,
  disconnected: 8,
  aborted: 1,
  ended: 1,
  redirected: 1,
  unauthorized: 4,
  forbidden: 4,
  'not-found': 3,
  conflict: 5,
  'too-large': 1,
  invalid: 1,
  'rate-limited': 1,
  'service-error': 1,
  'bad-request': 1,
  unreadable: 1,
  'wrong-shape': 1,
  'oversized-answer': 1,
  'read-only': 4,
  local: 1,
};

describe('the exit code of a failed request', () => {
  test.each(Object.entries(expected))('with the code %s is %i', (code, exit) => {
    expect(exitCodeOf({ code: code as ErrorCode, unknownOutcome: false })).toBe(exit);
    expect(exitCodeOf({ code: code as ErrorCode, unknownOutcome: true })).toBe(9);
  });

  it('is 8 behind a gateway that does not reach the service, and 1 for its own errors', () => {
    const failed = { code: 'service-error', unknownOutcome: false } as const;
    expect([500, 502, 503, 504].map((status) => exitCodeOf({ ...failed, status }))).toEqual([
      1, 8, 8, 8,
    ]);
  });
});

it('is the worst of several', () => {
  expect(worstExitCode([])).toBe(0);
  expect(worstExitCode([0, 3, 0])).toBe(3);
  expect(worstExitCode([3, 9, 1])).toBe(9);
  expect(worstExitCode([0, 1, 5])).toBe(5);
});
