import type { Deck } from '../../store/deck/deck.ts';

/** Shows what was done and said; the errors that stand in the message row are among it. */
export function showHistory({ screen }: Pick<Deck, 'screen'>): void {
  screen.view.openHistory();
}
