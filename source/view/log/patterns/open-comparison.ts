import type { Deck } from '../../../store/deck/deck.ts';
import type { LogRestart } from '../../../store/log/restarts.ts';
import type { Tail } from '../../../store/log/tail.ts';

/** Milliseconds between two restarts that make a run worth comparing. */
const shortestRun = 10_000;

/** Opens the comparison of the lines before and after a moment, back to the restart before. */
export function openComparison(deck: Pick<Deck, 'screen'>, tail: Tail, moment: number): void {
  const earlier = restartsOf(tail).findLast(({ at }) => at < moment - shortestRun);
  tail.comparison.start(moment, earlier?.at);
  deck.screen.view.open({ kind: 'patterns', isCompared: true });
}

/** Returns the known restarts of the deployments of a log, oldest first. */
export function restartsOf({ restarts, deploymentIds }: Tail): readonly LogRestart[] {
  return restarts.getState().filter(({ deploymentId }) => deploymentIds.includes(deploymentId));
}
