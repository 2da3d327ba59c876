import type { Deck } from '../../store/deck/deck.ts';
import type { Action } from '../command/action.ts';
import { type Command, paneContexts } from '../command/command.ts';
import { goToError } from '../log/error-step.ts';

/** Commands on what needs attention. */
export const attentionCommands: readonly Command[] = [
  {
    id: 'attention.next',
    keys: ['!'],
    contexts: paneContexts,
    group: 'open',
    help: 'next failing one',
    title: 'next alert',
    synonyms: ['failing', 'unhealthy', 'crash', 'attention', 'error'],
    run: openNextAlert,
  },
];

/** Opens the log of the next failing deployment, at its newest error. */
function openNextAlert({ deck, viewport }: Action): void {
  const { alerts } = deck.attention;
  const id = alerts.next(deck.opened.getState().id);
  if (id === undefined) {
    deck.messages.say('Nothing is failing.');
    return;
  }
  alerts.close(id);
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
