import type { Deck } from '../../store/deck/deck.ts';
import { fileNameOf } from '../../store/drafts/places.ts';
import type { Handed } from '../command/action.ts';
import { showHandedBack } from './diff-steps.ts';

interface Hand {
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
}

/**
 * Hands the text in the editor to another program. What comes back is the draft: nothing of it is
 * sent, and one undo takes it back. What differs is shown, and q goes on with the draft.
 */
export async function handOut(
  deck: Pick<Deck, 'screen' | 'messages' | 'drafts' | 'editor'>,
  { hand }: Hand,
): Promise<void> {
  const { editor, screen } = deck;
  const { document } = editor.state.getState();
  if (document === undefined || screen.getState().main.kind !== 'editor') return;
  const name = fileNameOf(document.place);
  const before = document.text.text();
  const handed = await hand(before, name);
  if (handed === undefined) return;
  if (handed.kind === 'failed') return deck.messages.say(handed.sentence, 'bad');
  if (handed.kind === 'unchanged') return deck.messages.say(`${name} is as it was.`);
  if (editor.state.getState().document !== document) {
    document.text.replaceText(handed.text);
    document.keepDraft();
    await deck.drafts.flush();
    const key = document.kind === 'file' ? 'e opens it' : 'a goes on with it';
    return deck.messages.say(`${name} came back changed and is kept as a draft. ${key}.`);
  }
  editor.act((text) => text.replaceText(handed.text));
  await showHandedBack(deck, document, before);
  deck.messages.say(
    `${name} came back changed. q goes to the draft; there ^S sends it, ^Z takes it back.`,
  );
}
