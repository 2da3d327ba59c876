import type { Deck } from '../../store/deck/deck.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** Types the text of a key without a command, or of a paste. */
export function typeKey({ editor }: Pick<Deck, 'editor'>, input: KeyEvent): void {
  const { text } = input;
  if (text === undefined) return;
  editor.act((edited) => (input.name === 'paste' ? edited.paste(text) : edited.insert(text)));
}
