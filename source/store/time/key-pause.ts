import type { Clock } from './clock.ts';

/** The pauses between keys, in which rows may move without moving under a hand. */
export interface KeyPause {
  /** Tells that a key was pressed. */
  keyPressed(): void;
  /** Returns whether any key was pressed. */
  hasKeys(): boolean;
  /** Runs an action once no key was pressed for {@link pauseTime}; at once after such a pause. */
  whenPaused(action: () => void): () => void;
  /** Resolves in a later turn of the event loop, after the frame that answers the last key. */
  answered(): Promise<void>;
}

/** Milliseconds without a key that make a pause. */
export const pauseTime = 2000;

/**
 * Milliseconds from a key to the frame that answers it, with room to spare. A key takes three turns of
 * the event loop to the screen, and would wait for other work in each of them.
 */
const answerTime = 30;

export function createKeyPause(clock: Clock): KeyPause {
  let lastKeyAt = Number.NEGATIVE_INFINITY;
  return {
    keyPressed() {
      lastKeyAt = clock.now();
    },
    hasKeys: () => lastKeyAt !== Number.NEGATIVE_INFINITY,
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
    async answered() {
      await new Promise(setImmediate);
      const wait = lastKeyAt + answerTime - clock.now();
      if (wait <= 0) return;
      await new Promise<void>((resolve) => {
        clock.after(Math.min(wait, answerTime), resolve);
      });
    },
  };
}
