import type { Console } from '../../store/deck/deck.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import { cancelledSentence } from '../../store/restarts/sentences.ts';
import { restartKey } from '../../store/deck/screen.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';

/**
 * Opens the restart box: all that is pending, or the question whether to restart a deployment that
 * waits for none. Away from the list of deployments, something pending comes first.
 */
export function askRestart(console: Console, id: string | undefined): void {
  if (id === undefined) return console.say('No deployment is open.');
  const pending = console.restarts.state.getState();
  const { focus } = console.screen.getState();
  const isPending = focus === 'deployments' ? pending.has(id) : pending.size > 0;
  const listed = console.deployments.list.state.getState().rows.find((row) => row.value.id === id);
  if (!isPending && listed !== undefined && isClosed(listed.value)) {
    return console.say(`${console.label(id)} is closed: nothing in it restarts.`);
  }
  console.screen.setState({
    overlay: {
      kind: isPending ? 'restarts' : 'restart',
      deployment: id,
      button: 0,
      shownAt: Number.POSITIVE_INFINITY,
    },
  });
}

/** Takes the restart back that counts for a deployment. Sends nothing. */
export function cancelRestart(console: Console, id: string | undefined): void {
  if (id === undefined) return console.say('No deployment is open.');
  const restart = console.restarts.state.getState().get(id);
  const name = console.label(id);
  switch (restart?.kind) {
    case 'counting':
      return leaveUnapplied(console, id);
    case 'restarting': {
      if (console.restarts.cancel(id)) {
        return console.say(
          cancelledSentence(
            name,
            restart.later?.files.length ?? 0,
            restartKey(console.screen.getState()),
          ),
        );
      }
      const at = formatTimeOfDay(restart.since);
      return console.say(`Too late to cancel: the restart was sent at ${at}.`);
    }
    case 'failed':
    case 'unknown':
    case 'not applied':
    case 'owed':
    case undefined:
      return console.say(`No restart of ${name} counts.`);
  }
}

/** Keeps the changes that wait as not applied; what was sent already is told apart. */
export function leaveUnapplied(console: Console, id: string): void {
  const restart = console.restarts.state.getState().get(id);
  if (restart?.kind === 'restarting') return cancelRestart(console, id);
  console.restarts.cancel(id);
  const files = restart?.changes?.files.length;
  if (files !== undefined)
    console.say(cancelledSentence(console.label(id), files, restartKey(console.screen.getState())));
}
