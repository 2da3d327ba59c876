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

const said = (of: Batch) => batchSentence(of, (id) => id).text;

it('says of one by its name what became of it', () => {
  expect(batchSentence(batch({ shop: done }), (id) => id)).toEqual({
    text: 'Closed shop.',
    tone: 'good',
  });
  expect(said(batch({ shop: refused(503) }))).toBe('Closing shop failed: 503. X asks again.');
  expect(said(batch({ shop: lost }))).toBe(
    'No answer to the close of shop: it may be closed. X asks again.',
  );
});

it('says of several how many, and names those that failed with why', () => {
  expect(said(batch({ a: done, b: done }))).toBe('Closed 2 deployments.');
  expect(said(batch({ a: done, b: refused(503), c: done }))).toBe(
    'Closed 2 of 3. b failed: 503. X asks again.',
  );
  expect(said(batch({ a: refused(503), b: refused(409), c: refused(503) }))).toBe(
    'Closed 0 of 3. a, c failed: 503. b failed: 409. X asks again.',
  );
});

it('adds the reason that the service gives where it is about what was asked', () => {
  const withReason = (status: number, reason: string): BatchStep => ({
    kind: 'failed',
    error: failure('conflict', { status, errorMessage: reason }).error,
  });
  expect(said(batch({ shop: withReason(409, 'It has funds left.\n  at Close') }))).toBe(
    'Closing shop failed: 409, It has funds left. X asks again.',
  );
  const both = withReason(403, 'not yours');
  expect(said(batch({ a: both, b: both, c: withReason(500, 'null pointer') }))).toBe(
    'Closed 0 of 3. a, b failed: 403, not yours. c failed: 500. X asks again.',
  );
  expect(said(batch({ a: withReason(200, 'not today') }))).toBe(
    'Closing a failed: not today. X asks again.',
  );
  expect(said(batch({ a: withReason(409, 'x'.repeat(500)) })).length).toBeLessThan(130);
});

it('says of a lost answer that it may have happened, never that it failed', () => {
  const text = said(batch({ a: done, b: lost }));
  expect(text).toBe('Closed 1 of 2. No answer to the close of b: it may be closed. X asks again.');
  expect(text).not.toContain('failed');
  expect(said(batch({ a: lost, b: lost }, 'restart'))).toContain('they may have restarted');
});

it('names no more than a few, and says how many were not sent', () => {
  const many = batch({
    a: refused(500),
    b: refused(500),
    c: refused(500),
    d: refused(500),
    e: unsent,
  });
  expect(said(many)).toBe(
    'Closed 0 of 5. a, b and 2 more failed: 500. Stopped: 1 not sent. X asks again.',
  );
});

it('says of restarts what is known: that they were accepted', () => {
  expect(said(batch({ a: done, b: done }, 'restart'))).toBe('Restart of 2 deployments accepted.');
  expect(said(batch({ a: done, b: refused() }, 'restart'))).toBe(
    '1 of 2 restarts accepted. b failed: It ended as service-error. r asks again.',
  );
});

it('tells how far it is, and how to stop while something waits', () => {
  const under = batch({ a: done, b: { kind: 'sent' }, c: { kind: 'waiting' } });
  expect(progressSentence(under, (id) => id)).toBe('Closing 2 of 3: b. ^C stops before the next.');
  const last = batch({ a: done, b: { kind: 'sent' }, c: unsent });
  expect(progressSentence(last, (id) => id).trim()).toBe('Closing 2 of 2: b.');
  expect(progressSentence(batch({ a: { kind: 'sent' } }), (id) => id)).toBe('Closing a...');
});
