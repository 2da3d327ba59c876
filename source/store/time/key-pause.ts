import type { Clock } from './clock.ts';

/** The pauses between keys, in which rows may move without moving under a hand. */
export interface KeyPause {
  /** Tells that a key was pressed. */
  keyPressed(): void;
  /** Returns whether any key was pressed. */
  hasKeys(): boolean;
  /** Returns whether no key was pressed for {@link pauseTime}. */
  isPaused(): boolean;
  /** Runs an action once no key was pressed for {@link pauseTime}; at once after such a pause. */
  whenPaused(action: () => void): () => void;
  /**
   * Resolves in a turn of the event loop in which long work delays no key: right after the frame that
   * answers a key, when the next key is not to be expected yet, or while the hands rest.
   */
  workTurn(): Promise<void>;
}

/** Milliseconds without a key that make a pause. */
export const pauseTime = 2000;

/** Milliseconds after the answer to a key in which long work goes on. */
export const workTime = 25;

/** Milliseconds without a key from which long work goes on at any time; hands seldom type slower. */
export const restTime = 200;

/**
 * Turns of the event loop from a key to the frame that answers it, with room to spare: a key in a text
 * field passes a stream and React's scheduler.
 */
const answerTurns = 8;

const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

export function createKeyPause(clock: Clock): KeyPause {
  let lastKeyAt = Number.NEGATIVE_INFINITY;
  let keys = 0;
  /** Time of the answer to the last key; undefined before it. */
  let answeredAt: number | undefined;
  const waiting = new Set<() => void>();

  async function awaitAnswer(): Promise<void> {
    const key = keys;
    for (let turn = 0; turn < answerTurns; turn += 1) await nextTurn();
    if (key !== keys) return;
    answeredAt = clock.now();
    for (const goOn of waiting) goOn();
  }

  /** Returns when long work may go on; not before the answer to the last key. */
  function workAt(): number {
    const now = clock.now();
    const isAnswered = answeredAt !== undefined && now - answeredAt < workTime;
    return isAnswered ? now : lastKeyAt + restTime;
  }

  /** Resolves with the next answer to a key, and at the latest after `wait` ms. */
  function untilAnswer(wait: number): Promise<void> {
    return new Promise((resolve) => {
      const goOn = (): void => {
        waiting.delete(goOn);
        cancel();
        resolve();
      };
      const cancel = clock.after(wait, goOn);
      waiting.add(goOn);
    });
  }

  return {
    keyPressed() {
      lastKeyAt = clock.now();
      answeredAt = undefined;
      keys += 1;
      void awaitAnswer();
    },
    hasKeys: () => keys > 0,
    isPaused: () => clock.now() - lastKeyAt >= pauseTime,
    whenPaused(action) {
      let cancel = (): void => {};
      const check = (): void => {
        const wait = lastKeyAt + pauseTime - clock.now();
        if (wait > 0) cancel = clock.after(wait, check);
        else action();
      };
      check();
      return () => cancel();
    },
    async workTurn() {
      // A key that was read during the work before is delivered in the first of these turns.
      await nextTurn();
      await nextTurn();
      for (;;) {
        const wait = workAt() - clock.now();
        if (wait <= 0) return;
        await untilAnswer(wait);
      }
    },
  };
}
