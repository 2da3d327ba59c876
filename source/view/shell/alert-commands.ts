import { lowDiskAdvice } from '../../store/alerts/alert.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { Action } from '../command/action.ts';
import { type Command, paneContexts } from '../command/command.ts';
import { goToError } from '../log/steps/seek-step.ts';
import { promptForToken } from './token-prompt.ts';

/** Commands on what needs attention. */
export const alertCommands: readonly Command[] = [
  {
    id: 'attention.next',
    keys: ['!'],
    contexts: paneContexts,
    label: { deployments: 'alert' },
    group: 'open',
    help: 'next alert',
    title: 'next alert',
    synonyms: ['failing', 'unhealthy', 'crash', 'attention', 'error'],
    run: openNextAlert,
  },
];

/** Shows what the next alert is about. */
function openNextAlert({ deck, viewport }: Action): void {
  const { alerts } = deck;
  const alert = alerts.next(deck.opened.getState().id);
  if (alert === undefined) {
    deck.messages.say('Nothing needs attention.');
    return;
  }
  alerts.close(alert);
  switch (alert.about) {
    case 'deployment':
      return openFailure(deck, alert.id, viewport);
    case 'grant':
      deck.lists.grants.moveCursorTo(alert.id);
      deck.screen.focus.to('grants');
      return;
    case 'token':
      promptForToken(deck);
      return;
    case 'disk': {
      const low = alerts.sources.lowDisk();
      if (low !== undefined) deck.messages.say(lowDiskAdvice(low));
    }
  }
}

/** Opens the log of a failing deployment, at its newest error. */
function openFailure(deck: Deck, id: string, viewport: Action['viewport']): void {
  deck.lists.deployments.moveCursorTo(id);
  deck.opened.open(id);
  deck.screen.view.open({ kind: 'logs' });
  goToErrorWhenLoaded(deck, viewport);
}

/** Moves to the newest error as soon as the log has lines; a movement of the reader cancels it. */
function goToErrorWhenLoaded(deck: Deck, viewport: Action['viewport']): void {
  const { tail } = deck.opened.getState();
  if (tail === undefined) return;
  const { log, view, reading } = tail;
  // The newest error of a log that was paused before is the newest of all.
  view.follow();
  const isLoaded = (): boolean => log.state.getState().ready;
  if (isLoaded()) return goToError(deck, -1, viewport);
  let stopWaiting = (): void => {};
  const seeking = reading.seek.begin(() => stopWaiting());
  seeking.report('Loading the log. Esc stops.');
  stopWaiting = log.state.subscribe(() => {
    if (!isLoaded()) return;
    stopWaiting();
    seeking.end();
    goToError(deck, -1, viewport);
  });
}
