import type { Deck } from '../../store/deck/deck.ts';
import {
  type Command,
  keyContexts,
  listContexts,
  pageContexts,
  paneContexts,
} from '../command/command.ts';
import { renewDifference } from '../editor/diff-steps.ts';
import { printHere } from '../log/copy.ts';
import { retryGaps } from '../log/navigation.ts';
import { isRetryUseful } from './footer-reach.ts';

/** Refetches the lists and the open view, and reconnects the log if it is disconnected. */
function refetch(
  deck: Pick<Deck, 'screen' | 'messages' | 'opened' | 'files' | 'editor' | 'refresh'>,
): void {
  deck.refresh.now();
  deck.opened.getState().tail?.log.reconnect();
  const { opened } = deck.files.state.getState();
  const { main } = deck.screen.getState();
  if (main.kind === 'line' && main.entry.kind === 'gap') retryGaps(deck);
  if (main.kind === 'diff') void renewDifference(deck);
  if (main.kind === 'file' && opened !== undefined) {
    void deck.files.open(opened.path);
  }
}

/** Opens the help of the pane with the focus. */
export function showHelp({ screen }: Pick<Deck, 'screen'>): void {
  screen.overlay.openHelp();
}

/** Opens the palette; listed before the commands of panes. */
export const palettePaneCommands: readonly Command[] = [
  {
    id: 'app.palette',
    keys: [':', 'f2', 'ctrl+p'],
    contexts: keyContexts,
    label: 'command',
    group: 'command',
    help: 'run a command',
    opens: 'palette',
    // The editor's footer has no room for this key.
    variant: (_, context) => (context === 'edit' ? { label: undefined } : undefined),
    run: ({ openPalette }) => openPalette(),
  },
];

/** Commands of the program as a whole. */
export const programCommands: readonly Command[] = [
  {
    id: 'app.print',
    keys: ['P'],
    contexts: paneContexts,
    group: 'copy',
    help: 'print copy, lines',
    title: 'print copied',
    synonyms: ['clipboard', 'select'],
    run: ({ deck, terminal, viewport }) => void printHere(deck, terminal.clipboard, viewport.rows),
  },
  {
    id: 'app.refetch',
    keys: ['R'],
    contexts: [...listContexts, ...pageContexts],
    group: 'refresh',
    help: 'refetch',
    title: 'refetch',
    synonyms: ['reload', 'refresh', 'retry'],
    run: ({ deck }) => refetch(deck),
  },
  {
    id: 'app.refetch-anywhere',
    keys: ['f5'],
    contexts: paneContexts,
    group: 'refresh',
    variant: (deck) => (isRetryUseful(deck) ? { label: 'retry' } : undefined),
    help: 'refetch',
    title: 'refetch',
    synonyms: ['reload', 'refresh', 'retry'],
    run: ({ deck }) => refetch(deck),
  },
  {
    id: 'app.redraw',
    keys: ['ctrl+l'],
    contexts: keyContexts,
    group: 'screen',
    help: 'redraw the screen',
    title: 'redraw',
    synonyms: ['repaint', 'clear'],
    run: ({ terminal }) => terminal.redraw(),
  },
  {
    id: 'app.help',
    keys: ['?', 'f1'],
    contexts: keyContexts,
    label: 'help',
    group: 'help',
    help: 'help',
    title: 'help',
    synonyms: ['keys', 'manual'],
    run: ({ deck }) => showHelp(deck),
  },
];
