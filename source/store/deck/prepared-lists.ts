import type { Clock } from '../time/clock.ts';

/** A list whose rows can be prepared for keys. */
export interface PreparedList {
  readonly state: {
    getState(): { rows: Rows };
    subscribe(changed: (now: { rows: Rows }, before: { rows: Rows }) => void): () => void;
  };
  /** Returns steps of a few milliseconds each. */
  readonly steps: () => readonly (() => void)[];
}

type Rows = readonly unknown[];

/** Number of rows from which the first ordering would delay a key. */
const minRows = 1000;

/** Milliseconds without a change before a list is prepared. */
const settleTime = 1000;

/** Milliseconds between two steps, so that keys are handled in between. */
const stepInterval = 50;

/**
 * Computes what keys need of long lists in idle time, so that the keys that order, filter and unfold
 * them respond at once. Returns the function that stops it.
 */
export function prepareLists(clock: Clock, lists: readonly PreparedList[]): () => void {
  const ends = lists.map((list) => prepareList(clock, list));
  return () => {
    for (const end of ends) end();
  };
}

function prepareList(clock: Clock, { state, steps }: PreparedList): () => void {
  let cancel = (): void => {};
  const prepare = (rows: Rows): void => {
    cancel();
    if (rows.length < minRows) return;
    const run = (next: readonly (() => void)[]): void => {
      const [step, ...rest] = next;
      step?.();
      if (rest.length > 0) cancel = clock.after(stepInterval, () => run(rest));
    };
    cancel = clock.after(settleTime, () => run(steps()));
  };
  prepare(state.getState().rows);
  const unsubscribe = state.subscribe(({ rows }, before) => {
    if (rows !== before.rows) prepare(rows);
  });
  return () => {
    unsubscribe();
    cancel();
  };
}
