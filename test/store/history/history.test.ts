import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createHistory, type History, type Settle } from '../../../source/store/history/history.ts';
import { createTestClock } from '../../support/clock.ts';

const write = { operation: 'update file', subject: 'shop/web a', request: 'PUT /a' };

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('say' as const), text: fc.constantFrom('a', 'b', 'c') }),
    fc.record({ kind: fc.constant('send' as const) }),
    fc.record({ kind: fc.constant('settle' as const), which: fc.nat(20) }),
  ),
  { maxLength: 60 },
);

describe('the history', () => {
  it('keeps the newest entries, and adds a dropped write again with its outcome', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 8 }), (all, most) => {
        const history = createHistory({ clock: createTestClock(), most });
        const open: { settle: Settle; id: number }[] = [];
        for (const step of all) {
          if (step.kind === 'say') history.said(step.text, 'plain');
          else if (step.kind === 'send') {
            open.push({ settle: history.sending(write), id: lastId(history) });
          } else {
            const [sent] = open.splice(step.which % Math.max(1, open.length), 1);
            sent?.settle({ kind: 'done', status: 200 });
            if (sent !== undefined) {
              const entry = history.entries.getState().find(({ id }) => id === sent.id);
              expect(entry).toMatchObject({ kind: 'write', outcome: { kind: 'done' } });
            }
          }
          const entries = history.entries.getState();
          expect(entries.length).toBeLessThanOrEqual(most);
          expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
        }
      }),
    );
  });

  it('has all messages in order while there is room', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b'), { maxLength: 50 }), (texts) => {
        const history = createHistory({ clock: createTestClock() });
        for (const text of texts) history.said(text, 'bad');
        const messages = history.entries
          .getState()
          .flatMap((entry) =>
            entry.kind === 'message' ? Array<string>(entry.times).fill(entry.text) : [],
          );
        expect(messages).toEqual(texts);
      }),
    );
  });

  it('has the time and the duration of a write', async () => {
    const clock = createTestClock(1000);
    const history = createHistory({ clock });
    const settle = history.sending({ ...write, size: 7 });
    expect(history.entries.getState()).toMatchObject([
      { at: 1000, took: undefined, outcome: { kind: 'sending' }, size: 7 },
    ]);
    await clock.advance(250);
    settle({ kind: 'failed', status: 503, sentence: 'No.' }, { subject: 'other' });
    expect(history.entries.getState()).toMatchObject([
      { at: 1000, took: 250, subject: 'other', size: 7, outcome: { kind: 'failed', status: 503 } },
    ]);
  });

  it('is settled when every write has an outcome, or after the limit', async () => {
    const clock = createTestClock();
    const history = createHistory({ clock });
    await history.settled(1000);
    const [one, other] = [history.sending(write), history.sending(write)];
    let settled = 0;
    const count = () => (settled += 1);
    const [soon, late] = [history.settled(500).then(count), history.settled(5000).then(count)];
    one({ kind: 'done', status: 200 });
    await clock.advance(499);
    expect(settled).toBe(0);
    await clock.advance(1);
    await soon;
    expect(settled).toBe(1);
    other({ kind: 'unknown', sentence: 'Lost.' });
    await clock.advance(1);
    await late;
    expect(clock.waiting()).toEqual([]);
  });

  it('truncates long texts', () => {
    const history = createHistory({ clock: createTestClock() });
    history.said('x'.repeat(1_000_000), 'bad');
    history.sending({ ...write, subject: 'y'.repeat(1_000_000) });
    expect(JSON.stringify(history.entries.getState()).length).toBeLessThan(10_000);
  });
});

function lastId(history: History): number {
  return history.entries.getState().at(-1)?.id ?? 0;
}
