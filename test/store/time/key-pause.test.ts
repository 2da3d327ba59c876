import { array, assert, asyncProperty, integer } from 'fast-check';
import { expect, it } from 'vitest';
import {
  createKeyPause,
  pauseTime,
  restTime,
  workTime,
} from '../../../source/store/time/key-pause.ts';
import { createTestClock } from '../../support/clock.ts';
import { nextTurn } from '../../../source/client/decode/long-list.ts';

/** Tells what has happened so far. */
function noteWhen(work: Promise<void>): { done: boolean } {
  const note = { done: false };
  void work.then(() => (note.done = true));
  return note;
}

const turns = async (count = 3): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await nextTurn();
};

/** Waits for more turns than the answer to a key takes. */
const answers = () => turns(12);

it('runs an action at once after a pause, and after the last key of a row of them', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  const ran: number[] = [];
  keys.whenPaused(() => ran.push(0));
  expect(ran).toEqual([0]);
  keys.keyPressed();
  keys.whenPaused(() => ran.push(1));
  await clock.advance(pauseTime - 1);
  keys.keyPressed();
  await clock.advance(pauseTime - 1);
  expect(ran).toEqual([0]);
  await clock.advance(1);
  expect(ran).toEqual([0, 1]);
});

it('lets work go on at once where no key was pressed for a while', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  const first = noteWhen(keys.workTurn());
  expect(first.done).toBe(false);
  await turns();
  expect(first.done).toBe(true);
  keys.keyPressed();
  await clock.advance(restTime);
  const later = noteWhen(keys.workTurn());
  await turns();
  expect(later.done).toBe(true);
});

it('holds work back from a key to the frame that answers it, and while the next key may come', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  keys.keyPressed();
  const held = noteWhen(keys.workTurn());
  await turns();
  expect(held.done).toBe(false);
  await answers();
  expect(held.done).toBe(true);
  await clock.advance(workTime);
  const later = noteWhen(keys.workTurn());
  await answers();
  expect(later.done).toBe(false);
  await clock.advance(restTime - workTime);
  await turns();
  expect(later.done).toBe(true);
});

it('sees a key that was read during the work before it', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  const next = noteWhen(keys.workTurn());
  // A key is delivered in the turn after the one that read its bytes.
  setImmediate(() => keys.keyPressed());
  await turns();
  expect(next.done).toBe(false);
  await answers();
  expect(next.done).toBe(true);
});

it('lets work go on after each answer, however often keys repeat', async () => {
  const repeats = array(integer({ min: 1, max: restTime - 1 }), { minLength: 1 });
  await assert(
    asyncProperty(repeats, async (pauses) => {
      const clock = createTestClock();
      const keys = createKeyPause(clock);
      for (const pause of pauses) {
        keys.keyPressed();
        const work = noteWhen(keys.workTurn());
        await answers();
        expect(work.done).toBe(true);
        await clock.advance(pause);
      }
    }),
    { numRuns: 20 },
  );
});
