import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { fileNameOf } from '../../store/drafts/places.ts';
import type { Handed } from '../command/action.ts';
import { compareExternalEdit } from './diff-steps.ts';

/** The part of the terminal that runs the external editor. */
interface ExternalEditor {
  readonly hand: (text: string, name: string) => Promise<Handed | undefined>;
}

/**
 * Opens the text in the external editor. The changed text becomes the draft: nothing is sent, and one
 * undo reverts it. The difference is shown; q returns to the draft.
 */
export async function editExternally(
  deck: Pick<Deck, 'screen' | 'messages' | 'drafts' | 'editor'>,
  { hand }: ExternalEditor,
): Promise<void> {
  const { editor, screen } = deck;
  const { document } = editor.state.getState();
  if (document === undefined || screen.getState().main.kind !== 'editor') return;
  const name = fileNameOf(document.place);
  const before = document.text.text();
  const result = await hand(before, name);
  if (result === undefined) return;
  if (result.kind === 'failed') return deck.messages.say(result.sentence, 'bad');
  if (result.kind === 'unchanged') return deck.messages.say(`${name} was not changed.`);
  if (editor.state.getState().document !== document) {
    document.text.replaceText(result.text);
    document.keepDraft();
    await deck.drafts.flush();
    const key =
      document.kind === 'file'
        ? `${keyName('files.edit', 'e')} opens it`
        : `${keyName('deployments.create', 'a')} opens it`;
    return deck.messages.say(`${name} changed in $EDITOR. Draft kept; ${key}.`);
  }
  editor.act((text) => text.replaceText(result.text));
  await compareExternalEdit(deck, document, before);
  deck.messages.say(
    `${name} changed in $EDITOR. ${keyName('app.quit', 'q')} opens the draft; there ${keyName('editor.save', '^S')} saves, ${keyName('editor.undo', '^Z')} undoes this.`,
  );
}
