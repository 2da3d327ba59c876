import { type Deployment, isClosed } from '../deployments/deployments.ts';
import type { Listing } from '../lists/listing.ts';
import type { RestartsStore } from './restarts.ts';
import { rowWithId } from '../lists/row-with-id.ts';

/** Answers in a row that must leave a deployment out: one alone may be a slip of the service. */
const goneAfter = 3;

/**
 * Restarts of deployments that are closed or gone are nobody's business any more: they go with the
 * listing that says closed, or with the third in a row that leaves the deployment out. What was
 * never listed may be another wallet's, and is not ours to forget.
 */
export function forgetGoneDeployments(
  restarts: Pick<RestartsStore, 'state' | 'forget'>,
  onForgotten: (deployment: string) => void = () => {},
): (listing: Listing<Deployment>) => void {
  const everListed = new Set<string>();
  /** By id, how many answers in a row left it out. */
  const missed = new Map<string, number>();
  let answeredAt: number | undefined;
  let before: Listing<Deployment>['rows'] = [];

  /** Of thousands, most stand where they stood. */
  function noteListed(rows: Listing<Deployment>['rows']): void {
    if (rows === before) return;
    for (const [index, { value }] of rows.entries()) {
      if (before[index]?.value.id !== value.id) everListed.add(value.id);
    }
    before = rows;
  }

  return ({ rows, loadedAt }) => {
    if (loadedAt === undefined) return;
    const isAnswer = loadedAt !== answeredAt;
    answeredAt = loadedAt;
    noteListed(rows);
    for (const id of restarts.state.getState().keys()) {
      const listed = rowWithId(rows, id)?.value;
      const isMissed = everListed.has(id) && listed === undefined;
      const times = isMissed ? (missed.get(id) ?? 0) + (isAnswer ? 1 : 0) : 0;
      missed.set(id, times);
      const isOver = listed !== undefined && isClosed(listed);
      if (!isOver && times < goneAfter) continue;
      restarts.forget(id);
      onForgotten(id);
    }
  };
}
