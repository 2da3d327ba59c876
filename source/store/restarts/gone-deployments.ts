import { isClosed } from '../deployments/deployments.ts';
import type { Listing } from '../lists/listing.ts';
import type { RestartsStore } from './restarts.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Number of consecutive listings that must omit a deployment; a single one may be incomplete. */
const missesUntilGone = 3;

/**
 * Returns a function that drops the restarts of closed and removed deployments, given each listing. A
 * deployment counts as removed after three consecutive listings without it. The restart of one that
 * was never listed is kept, because it may belong to another wallet; so is one that is missing in a
 * list that leaves rows out.
 */
export function forgetGoneDeployments(
  restarts: Pick<RestartsStore, 'state' | 'forget'>,
  onForgotten: (deployment: string) => void = () => {},
): (listing: Listing<Deployment>) => void {
  const everListed = new Set<string>();
  /** Number of consecutive listings without a deployment, by id. */
  const misses = new Map<string, number>();
  let lastLoadedAt: number | undefined;
  let previousRows: Listing<Deployment>['rows'] = [];

  /** Adds the ids of new rows; most rows of a long list keep their index. */
  function addListed(rows: Listing<Deployment>['rows']): void {
    if (rows === previousRows) return;
    for (const [index, { value }] of rows.entries()) {
      if (previousRows[index]?.value.id !== value.id) everListed.add(value.id);
    }
    previousRows = rows;
  }

  return ({ rows, unlisted, loadedAt }) => {
    if (loadedAt === undefined) return;
    const isNewAnswer = loadedAt !== lastLoadedAt;
    lastLoadedAt = loadedAt;
    addListed(rows);
    for (const id of restarts.state.getState().keys()) {
      const listed = rowWithId(rows, id)?.value;
      const isMissing = everListed.has(id) && listed === undefined && unlisted === 0;
      const count = isMissing ? (misses.get(id) ?? 0) + (isNewAnswer ? 1 : 0) : 0;
      misses.set(id, count);
      const isListedClosed = listed !== undefined && isClosed(listed);
      if (!isListedClosed && count < missesUntilGone) continue;
      restarts.forget(id);
      onForgotten(id);
    }
  };
}
