import type { Deck } from '../../store/deck/deck.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import { cancelledSentence } from '../../store/restarts/sentences.ts';
import { restartKeyName } from '../../store/deck/screen/main-view.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'deployments' | 'restarts'>;

/**
 * Opens the restart box: all that is pending, or the question whether to restart a deployment that
 * waits for none. Away from the list of deployments, something pending comes first.
 */
export function askRestart(deck: Handles, id: string | undefined): void {
  if (id === undefined) return deck.messages.say('No deployment is open.');
  const pending = deck.restarts.state.getState();
  const { focus } = deck.screen.getState();
  const isPending = focus === 'deployments' ? pending.has(id) : pending.size > 0;
  const listed = deck.deployments.list.state.getState().rows.find((row) => row.value.id === id);
  if (!isPending && listed !== undefined && isClosed(listed.value)) {
    return deck.messages.say(`${deck.deployments.label(id)} is closed: nothing in it restarts.`);
  }
  deck.screen.overlay.open({
    kind: isPending ? 'restarts' : 'restart',
    deployment: id,
    button: 0,
    shownAt: Number.POSITIVE_INFINITY,
  });
}

/** Restarts a deployment at once, unless a restart of it is running already. */
export function restartNow(
  deck: Pick<Deck, 'messages' | 'deployments' | 'restarts'>,
  id: string,
): void {
  const name = deck.deployments.label(id);
  deck.messages.say(`Restarting ${name}...`);
  if (!deck.restarts.restart(id)) {
    deck.messages.say(`A restart of ${name} is under way already.`);
  }
}

/** Takes the restart back that counts for a deployment. Sends nothing. */
export function cancelRestart(deck: Handles, id: string | undefined): void {
  if (id === undefined) return deck.messages.say('No deployment is open.');
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
      return deck.messages.say(`Too late to cancel: the restart was sent at ${at}.`);
    }
    case 'failed':
    case 'unknown':
    case 'not applied':
    case 'owed':
    case undefined:
      return deck.messages.say(`No restart of ${name} counts.`);
  }
}

/** Keeps the changes that wait as not applied; what was sent already is told apart. */
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
