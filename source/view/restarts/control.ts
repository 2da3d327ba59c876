import type { Deck } from '../../store/deck/deck.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import { cancelledSentence } from '../../store/restarts/sentences.ts';
import { restartKeyName } from '../../store/deck/screen/main-view.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts'>;

/**
 * Opens the box of pending restarts, or the question whether to restart a deployment without one.
 * Outside the list of deployments, any pending restart takes precedence.
 */
export function openRestartBox(deck: Handles, id: string | undefined): void {
  if (id === undefined) return deck.messages.say('Open a deployment first.');
  const pending = deck.restarts.state.getState();
  const { focus } = deck.screen.getState();
  const isPending = focus === 'deployments' ? pending.has(id) : pending.size > 0;
  const listed = deck.deployments.list.state.getState().rows.find((row) => row.value.id === id);
  if (!isPending && listed !== undefined && isClosed(listed.value)) {
    return deck.messages.say(`${deck.deployments.label(id)} is closed and can't be restarted.`);
  }
  deck.screen.overlay.open({
    kind: isPending ? 'restarts' : 'restart',
    deployment: id,
    button: 0,
    shownAt: Number.POSITIVE_INFINITY,
  });
}

/** Restarts a deployment at once, unless it is already restarting. */
export function restartNow(
  deck: Pick<Deck, 'messages' | 'deployments' | 'restarts'>,
  id: string,
): void {
  const name = deck.deployments.label(id);
  deck.messages.say(`Restarting ${name}...`);
  if (!deck.restarts.restart(id)) {
    deck.messages.say(`${name} is already restarting.`);
  }
}

/** Cancels the pending restart of a deployment. Sends nothing. */
export function cancelRestart(deck: Handles, id: string | undefined): void {
  if (id === undefined) return deck.messages.say('Open a deployment first.');
  const restart = deck.restarts.state.getState().get(id);
  const name = deck.deployments.label(id);
  switch (restart?.kind) {
    case 'counting':
      return leaveUnapplied(deck, id);
    case 'restarting': {
      if (deck.restarts.cancel(id)) {
        return deck.messages.say(
          cancelledSentence(
            name,
            restart.later?.files.length ?? 0,
            restartKeyName(deck.screen.getState()),
          ),
        );
      }
      const at = formatTimeOfDay(restart.since);
      return deck.messages.say(`Can't cancel: the restart was sent at ${at}.`);
    }
    case 'failed':
    case 'unknown':
    case 'unapplied':
    case 'owed':
    case undefined:
      return deck.messages.say(`No restart is pending for ${name}.`);
  }
}

/** Cancels a pending restart, so that its changes stay unapplied. */
export function leaveUnapplied(deck: Handles, id: string): void {
  const restart = deck.restarts.state.getState().get(id);
  if (restart?.kind === 'restarting') return cancelRestart(deck, id);
  deck.restarts.cancel(id);
  const files = restart?.changes?.files.length;
  if (files !== undefined)
    deck.messages.say(
      cancelledSentence(deck.deployments.label(id), files, restartKeyName(deck.screen.getState())),
    );
}
