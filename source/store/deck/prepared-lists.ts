import type { Clock } from '../time/clock.ts';
import type { DeploymentsStore } from '../deployments/deployments.ts';
import { type DeploymentAttention, deploymentPreparations } from '../deployments/visible.ts';

/** Number of rows from which the first ordering would delay a key. */
const minRows = 1000;

/** Milliseconds without a change before a list is prepared. */
const settleTime = 1000;

/** Milliseconds between two steps, so that keys are handled in between. */
const stepInterval = 50;

/**
 * Computes the orders of a long list in idle time, so that the keys that order and filter it respond
 * at once. Returns the function that stops it.
 */
export function prepareLists(
  { list }: Pick<DeploymentsStore, 'list'>,
  clock: Clock,
  attention?: () => DeploymentAttention,
): () => void {
  let cancel = (): void => {};
  const unsubscribe = list.state.subscribe(({ rows }, before) => {
    if (rows === before.rows) return;
    cancel();
    if (rows.length < minRows) return;
    const steps = [...deploymentPreparations(rows, attention?.())];
    const next = (): void => {
      steps.shift()?.();
      if (steps.length > 0) cancel = clock.after(stepInterval, next);
    };
    cancel = clock.after(settleTime, next);
  });
  return () => {
    unsubscribe();
    cancel();
  };
}
