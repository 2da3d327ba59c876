import type { Deck } from '../../store/deck/deck.ts';
import type { KeyEvent } from '../../terminal/keys/keys.ts';
import { leaveQuestion } from './document.ts';

/** Types the text of a key or a paste without a command. */
export function typeKey({ editor }: Pick<Deck, 'editor'>, input: KeyEvent): void {
  const { text } = input;
  if (text === undefined) return;
  editor.act((edited) => (input.name === 'paste' ? edited.paste(text) : edited.insert(text)));
}

/** Takes the question back that the first Esc over unsaved text asked. */
export function takeLeaveQuestionBack({ screen }: Pick<Deck, 'screen'>): void {
  if (screen.getState().quitAskedAt !== undefined) screen.message.withdrawQuit(leaveQuestion);
}
