import type { Deck } from '../../store/deck/deck.ts';
import { staysUntilEscape } from '../../store/deck/screen.ts';
import { openHistory } from '../../store/deck/screen-steps.ts';

/** Shows what was done and said; the errors that stand in the message row are among it. */
export function showHistory({ screen }: Deck): void {
  screen.setState((state) => ({
    ...openHistory(state),
    message: staysUntilEscape(state.message) ? undefined : state.message,
  }));
}
