import { type Deployment, isClosed } from './deployments.ts';
import { lastMade } from './last-made.ts';
import type { Listing } from './listing.ts';
import type { RestartsStore } from './restarts.ts';

/** Answers in a row that must leave a deployment out: one alone may be a slip of the service. */
const goneAfter = 3;

/**
 * Restarts of deployments that are closed or gone are nobody's business any more: they go with the
 * listing that says closed, or with the third in a row that leaves the deployment out. What was
 * never listed may be another wallet's, and is not ours to forget.
 */
export function forgetClosed(
  restarts: Pick<RestartsStore, 'state' | 'forget'>,
  onForgotten: (deployment: string) => void = () => {},
): (listing: Listing<Deployment>) => void {
  const everListed = new Set<string>();
  /** By id, how many answers in a row left it out. */
  const missed = new Map<string, number>();
  let answeredAt: number | undefined;
  /** By id, whether it is closed: once for a list of thousands that stays as it is. */
  const closedIn = lastMade<Listing<Deployment>['rows'], void, ReadonlyMap<string, boolean>>(
    (rows) => {
      for (const { value } of rows) everListed.add(value.id);
      return new Map(rows.map(({ value }) => [value.id, isClosed(value)]));
    },
  );
  return ({ rows, loadedAt }) => {
    if (loadedAt === undefined) return;
    const isAnswer = loadedAt !== answeredAt;
    answeredAt = loadedAt;
    const listed = closedIn(rows);
    for (const id of restarts.state.getState().keys()) {
      const isMissed = everListed.has(id) && !listed.has(id);
      const times = isMissed ? (missed.get(id) ?? 0) + (isAnswer ? 1 : 0) : 0;
      missed.set(id, times);
      if (listed.get(id) !== true && times < goneAfter) continue;
      restarts.forget(id);
      onForgotten(id);
    }
  };
}
