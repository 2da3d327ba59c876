import type { Deck } from '../../source/store/deck/deck.ts';
import type { Clipboard, CopyForm } from '../../source/view/command/copy.ts';
import { dispatch } from '../../source/view/shell/dispatch.ts';
import { quietTerminal } from './quiet-terminal.ts';

/** Presses `y` or `Y` with the given clipboard. */
export function pressCopy(deck: Deck, clipboard: Clipboard, form: CopyForm): void {
  const name = form === 'short' ? 'y' : 'Y';
  const terminal = { ...quietTerminal(), clipboard };
  dispatch({ name, text: name }, { deck, terminal, viewport: { rows: 10, lines: 10 } });
}
