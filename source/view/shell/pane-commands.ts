import type { Deck } from '../../store/deck/deck.ts';
import { type Pane, panes } from '../../store/deck/screen.ts';
import { holdsView, openView } from '../../store/deck/screen-steps.ts';

/** Milliseconds of rest after which what is likely to be wanted next is loaded. */
const prepareAfter = 300;

export function focusPane(deck: Deck, pane: Pane): void {
  if (pane === 'files') deck.clock.after(prepareAfter, () => deck.editor.prepare());
  deck.screen.setState(({ focus, cameFrom }) =>
    pane === 'main'
      ? { focus: pane, cameFrom: focus === 'main' ? cameFrom : focus }
      : { focus: pane, fullscreen: false },
  );
}

export function stepPane(deck: Deck, step: number): void {
  const { focus } = deck.screen.getState();
  const next = panes.at((panes.indexOf(focus) + step) % panes.length);
  if (next !== undefined) focusPane(deck, next);
}

/** The log in front, and with a second press back to the pane or the editor that was left for it. */
export function toggleTail(deck: Deck): void {
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
