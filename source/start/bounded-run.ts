import { Script } from 'node:vm';
import type { Guard } from '../store/time/clock.ts';

const slot = Symbol.for('hostdeck.boundedRun');

type Slots = Record<symbol, (() => void) | undefined>;

let script: Script | undefined;

/**
 * Runs work that may never end, like a regular expression on a hostile line, and interrupts it after
 * `milliseconds`. Interrupted work leaves its side effects half done, so it must not change state that
 * has to stay consistent. Costs some 0.1 ms a call.
 */
export const guard: Guard = <T>(work: () => T, milliseconds: number) => {
  // Node can limit the time of a script only, and a script reaches only globals.
  script ??= new Script(`globalThis[Symbol.for('hostdeck.boundedRun')]()`);
  const slots = globalThis as unknown as Slots;
  const before = slots[slot];
  let result: { readonly ok: true; readonly value: T } | undefined;
  slots[slot] = () => {
    result = { ok: true, value: work() };
  };
  try {
    script.runInThisContext({ timeout: milliseconds });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    slots[slot] = before;
  }
  return result ?? { ok: false };
};

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
