import type { Clock } from '../time/clock.ts';
import type { DeploymentsStore } from '../deployments/deployments.ts';
import { deploymentPreparations } from './visible.ts';

/** Rows from which ordering them for the first time takes longer than a key may. */
const longList = 1000;

/** Milliseconds that a list stays as it is before it is got ready. */
const rest = 1000;

/** Milliseconds between two pieces: keys come first. */
const pause = 50;

/** Gets a long list ready for the keys that order and filter it, while nothing else is to be done. */
export function prepareLists({ list }: Pick<DeploymentsStore, 'list'>, clock: Clock): () => void {
  let cancel = (): void => {};
  const unsubscribe = list.state.subscribe(({ rows }, before) => {
    if (rows === before.rows) return;
    cancel();
    if (rows.length < longList) return;
    const pieces = [...deploymentPreparations(rows)];
    const next = (): void => {
      pieces.shift()?.();
      if (pieces.length > 0) cancel = clock.after(pause, next);
    };
    cancel = clock.after(rest, next);
  });
  return () => {
    unsubscribe();
    cancel();
  };
}
