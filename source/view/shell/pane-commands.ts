import type { Deck } from '../../store/deck/deck.ts';
import { digitOf, type Pane, panes } from '../../store/deck/screen/focus.ts';
import { type ListPane, listPaneNames, listPanes } from '../../store/lists/list-panes.ts';
import { type Command, contextOf, keyContexts, paneContexts } from '../command/command.ts';
import { followRecentRestart } from '../log/follow-restart.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'editor'>;

/** Milliseconds after which the editor is preloaded once the files pane has the focus. */
const prepareAfter = 300;

function focusPane(deck: Handles, pane: Pane): void {
  if (pane === 'files') deck.clock.after(prepareAfter, () => deck.editor.prepare());
  deck.screen.focus.to(pane);
}

function stepPane(deck: Handles, step: number): void {
  const { focus } = deck.screen.getState();
  const next = panes.at((panes.indexOf(focus) + step) % panes.length);
  if (next !== undefined) focusPane(deck, next);
}

/** Switches to the log, and back with a second press. */
function toggleTail(deck: Deck): void {
  deck.screen.view.toggleLog();
  const { focus, main } = deck.screen.getState();
  if (contextOf(focus, main) === 'logs') followRecentRestart(deck);
}

const contexts = paneContexts;

function focusCommand(pane: ListPane): Command {
  const name = listPanes[pane].title.toLowerCase();
  return {
    id: `pane.${pane}`,
    keys: [listPanes[pane].digit],
    contexts,
    group: 'panes',
    help: name,
    title: `go to ${name}`,
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => focusPane(deck, pane),
  };
}

/** Commands that focus, enlarge and widen panes. */
export const paneCommands: readonly Command[] = [
  {
    id: 'pane.fullscreen',
    keys: ['f'],
    contexts,
    label: 'full',
    group: 'command',
    help: 'full screen',
    title: 'fullscreen',
    synonyms: ['maximize', 'zoom'],
    run: ({ deck }) => deck.screen.focus.toggleFullscreen(),
  },
  ...listPaneNames.map(focusCommand),
  {
    id: 'pane.main',
    keys: [digitOf('main')],
    contexts,
    group: 'panes',
    help: 'log or view',
    title: 'go to pane 4',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => focusPane(deck, 'main'),
  },
  {
    id: 'pane.next',
    keys: ['tab'],
    contexts,
    group: 'panes',
    help: 'next pane',
    title: 'next pane',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => stepPane(deck, 1),
  },
  {
    id: 'pane.previous',
    keys: ['shift+tab'],
    contexts,
    group: 'panes',
    help: 'previous pane',
    title: 'previous pane',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => stepPane(deck, -1),
  },
  {
    id: 'pane.log',
    keys: ['ctrl+t'],
    contexts: keyContexts,
    label: { edit: 'tail' },
    group: 'panes',
    help: 'log and back',
    title: 'tail',
    synonyms: ['logs', 'output'],
    run: ({ deck }) => toggleTail(deck),
  },
  {
    id: 'pane.wider',
    keys: ['+'],
    contexts,
    group: 'screen',
    help: 'left side wider',
    title: 'wider',
    synonyms: ['grow', 'resize'],
    run: ({ deck }) => deck.screen.layout.widen(4),
  },
  {
    id: 'pane.narrower',
    keys: ['-'],
    contexts,
    group: 'screen',
    help: 'left side narrower',
    title: 'narrower',
    synonyms: ['shrink', 'resize'],
    run: ({ deck }) => deck.screen.layout.widen(-4),
  },
];
