import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  answeredStep,
  type Batch,
  foundDone,
  idsAtStep,
  isBatchRunning,
  sendNext,
  startBatch,
  stopSending,
} from '../../../source/store/deployments/batch-state.ts';
import { done, failure } from '../requests.ts';

const answers = {
  done,
  failed: failure('service-error', { status: 503 }),
  unknown: failure('disconnected', { unknownOutcome: true }),
} as const;

type Event =
  | { readonly kind: 'send' }
  | { readonly kind: 'stop' }
  | { readonly kind: 'answer'; readonly id: string; readonly as: keyof typeof answers };

const ids = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 4 });
const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.constant<Event>({ kind: 'send' }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('answer' as const),
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      as: fc.constantFrom<keyof typeof answers>('done', 'failed', 'unknown'),
    }),
  },
  { weight: 1, arbitrary: fc.constant<Event>({ kind: 'stop' }) },
);

test('sends each deployment once, one at a time, in order and never after a stop', () => {
  fc.assert(
    fc.property(ids, fc.array(event, { maxLength: 20 }), (all, events) => {
      let batch: Batch = startBatch('close', all);
      const sent: string[] = [];
      const expected = new Map<string, string>();
      let stopped = false;
      for (const one of events) {
        if (one.kind === 'send') {
          const next = sendNext(batch);
          if (next === undefined) continue;
          expect(stopped).toBe(false);
          expect(idsAtStep(batch, 'sent')).toEqual([]);
          sent.push(next.id);
          batch = next.batch;
        } else if (one.kind === 'stop') {
          stopped = true;
          batch = stopSending(batch);
        } else {
          const isAwaited = batch.steps.get(one.id)?.kind === 'sent';
          const after = answeredStep(batch, one.id, answers[one.as]);
          if (isAwaited) expected.set(one.id, one.as);
          else expect(after).toBe(batch);
          batch = after;
        }
      }
      expect(sent).toEqual(all.slice(0, sent.length));
      expect([...batch.steps.keys()]).toEqual(all);
      for (const [id, step] of batch.steps) {
        const untouched = stopped ? 'unsent' : 'waiting';
        expect(step.kind).toBe(expected.get(id) ?? (sent.includes(id) ? 'sent' : untouched));
      }
      expect(isBatchRunning(batch)).toBe(
        sent.length > expected.size || (!stopped && sent.length < all.length),
      );
    }),
  );
});

test('only a step of unknown outcome can be marked as done later', () => {
  const sent = sendNext(startBatch('close', ['a']));
  if (sent === undefined) throw new Error('nothing to send');
  const failed = answeredStep(sent.batch, 'a', answers.failed);
  expect(foundDone(failed, 'a')).toBe(failed);
  const unknown = answeredStep(sent.batch, 'a', answers.unknown);
  expect(idsAtStep(foundDone(unknown, 'a'), 'done')).toEqual(['a']);
});
