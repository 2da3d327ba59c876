import type { Deck } from '../../store/deck/deck.ts';
import { type Pane, panes } from '../../store/deck/screen.ts';
import { holdsView, openView } from '../../store/deck/screen-steps.ts';
import { type Command, keyContexts, paneContexts } from '../command/command.ts';

/** Milliseconds of rest after which what is likely to be wanted next is loaded. */
const prepareAfter = 300;

function focusPane(deck: Deck, pane: Pane): void {
  if (pane === 'files') deck.clock.after(prepareAfter, () => deck.editor.prepare());
  deck.screen.setState(({ focus, cameFrom }) =>
    pane === 'main'
      ? { focus: pane, cameFrom: focus === 'main' ? cameFrom : focus }
      : { focus: pane, fullscreen: false },
  );
}

function stepPane(deck: Deck, step: number): void {
  const { focus } = deck.screen.getState();
  const next = panes.at((panes.indexOf(focus) + step) % panes.length);
  if (next !== undefined) focusPane(deck, next);
}

/** The log in front, and with a second press back to the pane or the editor that was left for it. */
function toggleTail(deck: Deck): void {
  const { document } = deck.editor.state.getState();
  deck.screen.setState((screen) => {
    const isEditor = holdsView(screen.main, 'editor');
    if (screen.tailOverEditor && !isEditor && document !== undefined) {
      return { main: { kind: 'editor' }, focus: 'main', tailOverEditor: false };
    }
    if (screen.focus === 'main' && screen.main.kind === 'logs') {
      return { focus: screen.cameFrom, fullscreen: false };
    }
    return { ...openView(screen, { kind: 'logs' }), tailOverEditor: isEditor };
  });
}

/** Columns: further, a key would have to be pressed as often before anything moves back. */
const mostWidened = 40;

const contexts = paneContexts;

/** Commands that choose, enlarge and widen panes. */
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
    run({ deck }) {
      focusPane(deck, 'main');
      deck.screen.setState(({ fullscreen }) => ({ fullscreen: !fullscreen }));
    },
  },
  {
    id: 'pane.deployments',
    keys: ['1'],
    contexts,
    group: 'panes',
    help: 'deployments',
    title: 'go to deployments',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => focusPane(deck, 'deployments'),
  },
  {
    id: 'pane.files',
    keys: ['2'],
    contexts,
    group: 'panes',
    help: 'files',
    title: 'go to files',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => focusPane(deck, 'files'),
  },
  {
    id: 'pane.grants',
    keys: ['3'],
    contexts,
    group: 'panes',
    help: 'grants',
    title: 'go to grants',
    synonyms: ['switch', 'focus'],
    run: ({ deck }) => focusPane(deck, 'grants'),
  },
  {
    id: 'pane.main',
    keys: ['4'],
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
    run: ({ deck }) =>
      deck.screen.setState(({ widen }) => ({ widen: Math.min(widen + 4, mostWidened) })),
  },
  {
    id: 'pane.narrower',
    keys: ['-'],
    contexts,
    group: 'screen',
    help: 'left side narrower',
    title: 'narrower',
    synonyms: ['shrink', 'resize'],
    run: ({ deck }) =>
      deck.screen.setState(({ widen }) => ({ widen: Math.max(widen - 4, -mostWidened) })),
  },
];
