import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';

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

/** The handles that most functions here use. */
interface Handles {
  readonly clock: Clock;
  readonly keyPause: Pick<KeyPause, 'workTurn'>;
}

/** Number of rows from which the first ordering would delay a key. */
const minRows = 1000;

/** Milliseconds without a change before a list is prepared. */
const settleTime = 1000;

/**
 * Computes what keys need of long lists in idle time, so that the keys that order, filter and unfold
 * them respond at once. Returns the function that stops it.
 */
export function prepareLists(handles: Handles, lists: readonly PreparedList[]): () => void {
  const ends = lists.map((list) => prepareList(handles, list));
  return () => {
    for (const end of ends) end();
  };
}

function prepareList({ clock, keyPause }: Handles, { state, steps }: PreparedList): () => void {
  let work = new AbortController();
  let cancel = (): void => {};
  const run = async ({ signal }: AbortController): Promise<void> => {
    for (const step of steps()) {
      await keyPause.workTurn();
      if (signal.aborted) return;
      step();
    }
  };
  const prepare = (rows: Rows): void => {
    cancel();
    work.abort();
    work = new AbortController();
    if (rows.length < minRows) return;
    cancel = clock.after(settleTime, () => void run(work));
  };
  prepare(state.getState().rows);
  const unsubscribe = state.subscribe(({ rows }, before) => {
    if (rows !== before.rows) prepare(rows);
  });
  return () => {
    unsubscribe();
    cancel();
    work.abort();
  };
}
