import type { Deck } from '../../store/deck/deck.ts';
import { type Pane, panes } from '../../store/deck/screen/focus.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'editor'>;

/** Milliseconds of rest after which what is likely to be wanted next is loaded. */
const prepareAfter = 300;

export function focusPane(deck: Handles, pane: Pane): void {
  if (pane === 'files') deck.clock.after(prepareAfter, () => deck.editor.prepare());
  deck.screen.focus.to(pane);
}

export function stepPane(deck: Handles, step: number): void {
  const { focus } = deck.screen.getState();
  const next = panes.at((panes.indexOf(focus) + step) % panes.length);
  if (next !== undefined) focusPane(deck, next);
}

/** The log in front, and with a second press back to the pane or the editor that was left for it. */
export function toggleTail(deck: Pick<Deck, 'screen' | 'editor'>): void {
  const { document } = deck.editor.state.getState();
  deck.screen.view.toggleLog(document !== undefined);
}
