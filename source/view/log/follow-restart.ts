import type { Deck } from '../../store/deck/deck.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { logCursor } from './place.ts';

/** Milliseconds for which a restart is recent: somebody who opens the log wants to see it. */
const recent = 60_000;

/**
 * Follows a paused log again when its deployment has restarted recently and the cursor stands before
 * that, so that the log shows the restart. Says so, because the place of the reader changes.
 */
export function followRecentRestart(
  deck: Pick<Deck, 'clock' | 'messages' | 'opened' | 'deployments'>,
): void {
  const { tail } = deck.opened.getState();
  const cursor = tail === undefined ? undefined : logCursor(tail);
  if (tail === undefined || cursor === undefined) return;
  const restart = tail.restarts
    .getState()
    .findLast(({ deploymentId }) => tail.deploymentIds.includes(deploymentId));
  if (restart === undefined || deck.clock.serviceNow() - restart.at > recent) return;
  const entry = tail.entries.at(tail.entries.indexOf(cursor));
  const at = entry?.kind === 'line' ? Date.parse(entry.line.timestamp ?? '') : Number.NaN;
  if (Number.isNaN(at) || at >= restart.at) return;
  tail.view.follow();
  const name = deck.deployments.label(restart.deploymentId);
  deck.messages.say(`${name} restarted at ${formatTimeOfDay(restart.at)}; the log follows again.`);
}
