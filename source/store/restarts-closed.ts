import { type Deployment, isClosed } from './deployments.ts';
import type { Listing } from './listing.ts';
import type { RestartsStore } from './restarts.ts';

/**
 * Restarts of deployments that are closed or gone are nobody's business any more: they go with the
 * listing that says so. What was never listed may be another wallet's, and is not ours to forget.
 */
export function forgetClosed(
  restarts: Pick<RestartsStore, 'state' | 'forget'>,
): (listing: Listing<Deployment>) => void {
  const everListed = new Set<string>();
  return ({ rows, loadedAt }) => {
    if (loadedAt === undefined) return;
    const open = new Set<string>();
    for (const { value } of rows) {
      everListed.add(value.id);
      if (!isClosed(value)) open.add(value.id);
    }
    for (const id of restarts.state.getState().keys()) {
      if (everListed.has(id) && !open.has(id)) restarts.forget(id);
    }
  };
}
