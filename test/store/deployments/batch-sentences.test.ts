import { expect, it } from 'vitest';
import type { Batch, BatchStep, BatchVerb } from '../../../source/store/deployments/batch-state.ts';
import {
  batchSentence,
  progressSentence,
} from '../../../source/store/deployments/batch-sentences.ts';
import { failure } from '../requests.ts';

const done: BatchStep = { kind: 'done' };
const refused = (status?: number): BatchStep => ({
  kind: 'failed',
  error: failure('service-error', status === undefined ? {} : { status }).error,
});
const lost: BatchStep = {
  kind: 'unknown',
  error: failure('disconnected', { unknownOutcome: true }).error,
};
const unsent: BatchStep = { kind: 'unsent' };

function batch(steps: Readonly<Record<string, BatchStep>>, verb: BatchVerb = 'close'): Batch {
  return { verb, steps: new Map(Object.entries(steps)) };
}

const textOf = (of: Batch) => batchSentence(of, (id) => id).text;

it('reports the outcome of a single deployment by its name', () => {
  expect(batchSentence(batch({ shop: done }), (id) => id)).toEqual({
    text: 'Closed shop.',
    tone: 'good',
  });
  expect(textOf(batch({ shop: refused(503) }))).toBe('Closing shop failed (503). X: close again.');
  expect(textOf(batch({ shop: refused(503) }, 'restart'))).toBe(
    'Restart of shop failed (503). r: restart again.',
  );
  expect(textOf(batch({ shop: done }, 'restart'))).toBe('shop is restarting.');
  expect(textOf(batch({ shop: lost }))).toBe('shop may have been closed. X: close again.');
});

it('counts the successes of several deployments and names the failed ones with their error', () => {
  expect(textOf(batch({ a: done, b: done }))).toBe('Closed 2 deployments.');
  expect(textOf(batch({ a: done, b: refused(503), c: done }))).toBe(
    'Closed 2 of 3. b failed (503). X: close again.',
  );
  expect(textOf(batch({ a: refused(503), b: refused(409), c: refused(503) }))).toBe(
    'Closed 0 of 3. a, c failed (503). b failed (409). X: close again.',
  );
});

it("adds the service's error message, except for internal errors", () => {
  const withReason = (status: number, reason: string): BatchStep => ({
    kind: 'failed',
    error: failure('conflict', { status, errorMessage: reason }).error,
  });
  expect(textOf(batch({ shop: withReason(409, 'It has funds left.\n  at Close') }))).toBe(
    'Closing shop failed (409): It has funds left. X: close again.',
  );
  const both = withReason(403, 'not yours');
  expect(textOf(batch({ a: both, b: both, c: withReason(500, 'null pointer') }))).toBe(
    'Closed 0 of 3. a, b failed (403): not yours. c failed (500). X: close again.',
  );
  expect(textOf(batch({ a: withReason(200, 'not today') }))).toBe(
    'Closing a failed: not today. X: close again.',
  );
  expect(textOf(batch({ a: withReason(409, 'x'.repeat(500)) })).length).toBeLessThan(130);
});

it('reports a missing answer as a possible success, never as a failure', () => {
  const text = textOf(batch({ a: done, b: lost }));
  expect(text).toBe('Closed 1 of 2. b may have been closed. X: close again.');
  expect(text).not.toContain('failed');
  expect(textOf(batch({ a: lost, b: lost }, 'restart'))).toContain('a, b may have restarted.');
});

it('names at most three deployments, and counts the ones not sent', () => {
  const many = batch({
    a: refused(500),
    b: refused(500),
    c: refused(500),
    d: refused(500),
    e: unsent,
  });
  expect(textOf(many)).toBe(
    'Closed 0 of 5. a, b and 2 more failed (500). Stopped: 1 not sent. X: close again.',
  );
});

it('reports accepted restarts as running', () => {
  expect(textOf(batch({ a: done, b: done }, 'restart'))).toBe('2 deployments are restarting.');
  expect(textOf(batch({ a: done, b: refused() }, 'restart'))).toBe(
    '1 of 2 is restarting. b failed: It ended as service-error. r: restart again.',
  );
});

it('reports the progress, and how to stop while a deployment waits', () => {
  const under = batch({ a: done, b: { kind: 'sent' }, c: { kind: 'waiting' } });
  expect(progressSentence(under, (id) => id)).toBe('Closing 2 of 3: b. ^C stops before the next.');
  const last = batch({ a: done, b: { kind: 'sent' }, c: unsent });
  expect(progressSentence(last, (id) => id).trim()).toBe('Closing 2 of 2: b.');
  expect(progressSentence(batch({ a: { kind: 'sent' } }), (id) => id)).toBe('Closing a...');
});
