import type { Deck } from '../../store/deck/deck.ts';
import { clipboardText } from '../../terminal/clipboard.ts';
import { type Command, paneContexts } from '../command/command.ts';
import { copyText } from '../command/copy.ts';
import { historyLines } from './rows.ts';

/** Opens the history, which includes the errors of the message row. */
export function showHistory({ screen }: Pick<Deck, 'screen'>): void {
  screen.view.openHistory();
}

/** Commands of the history. */
export const historyCommands: readonly Command[] = [
  {
    id: 'history.copy',
    keys: ['Y'],
    contexts: ['history'],
    group: 'copy',
    help: 'copy all',
    title: 'copy whole',
    synonyms: ['yank', 'clipboard'],
    run: ({ deck, terminal }) =>
      void copyText(
        deck,
        terminal.clipboard,
        clipboardText(historyLines(deck.history.entries.getState())),
      ),
  },
  {
    id: 'history.show',
    keys: [],
    contexts: paneContexts,
    group: 'name',
    help: 'writes and messages',
    title: 'history',
    synonyms: ['messages', 'errors', 'requests'],
    run: ({ deck }) => showHistory(deck),
  },
];
