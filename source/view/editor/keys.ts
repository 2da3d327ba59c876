import type { Deck } from '../../store/deck/deck.ts';
import { leaveWarning } from './document.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** Types the text of a key without a command, or of a paste. */
export function typeKey({ editor }: Pick<Deck, 'editor'>, input: KeyEvent): void {
  const { text } = input;
  if (text === undefined) return;
  editor.act((edited) => (input.name === 'paste' ? edited.paste(text) : edited.insert(text)));
}

/** Withdraws the warning that the first Esc over unsaved text showed. */
export function takeLeaveQuestionBack({ screen }: Pick<Deck, 'screen'>): void {
  if (screen.getState().quitAskedAt !== undefined) screen.message.withdrawQuit(leaveWarning);
}
