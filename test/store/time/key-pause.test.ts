import { expect, it } from 'vitest';
import { createKeyPause, pauseTime } from '../../../source/store/time/key-pause.ts';
import { createTestClock } from '../../support/clock.ts';
import { nextTurn } from '../../../source/client/decode/long-list.ts';

/** Tells what has happened so far. */
function noteWhen(work: Promise<void>): { done: boolean } {
  const note = { done: false };
  void work.then(() => (note.done = true));
  return note;
}

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
};

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

it('lets work go on in the next turn where no key waits for its answer', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  const first = noteWhen(keys.answered());
  expect(first.done).toBe(false);
  await turns();
  expect(first.done).toBe(true);
  keys.keyPressed();
  await clock.advance(1000);
  const later = noteWhen(keys.answered());
  await turns();
  expect(later.done).toBe(true);
});

it('holds work back while a key is answered, but not for ever while keys repeat', async () => {
  const clock = createTestClock();
  const keys = createKeyPause(clock);
  keys.keyPressed();
  const held = noteWhen(keys.answered());
  await turns();
  expect(held.done).toBe(false);
  for (let key = 0; key < 10; key += 1) {
    await clock.advance(10);
    keys.keyPressed();
    await turns();
  }
  expect(held.done).toBe(true);
});
