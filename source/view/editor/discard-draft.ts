import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import type { EditorDefinition } from '../../store/editor/definition.ts';
import { isSaving } from '../../store/editor/save-state.ts';
import { type DraftPlace, type LocalPlace, nameIn, placeKey } from '../../store/drafts/places.ts';
import type { Confirmation } from '../../store/prompts/confirm.ts';
import { confirm } from '../command/confirm.ts';
import { shortDateText } from '../text/unfinished.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'drafts' | 'editor'>;

/** Discards the draft of a file after a confirmation (`U`). The trash keeps it. */
export async function confirmDiscard(deck: Handles, place: LocalPlace): Promise<void> {
  const name = nameIn(place.path);
  const head = deck.drafts.state.getState().drafts.get(placeKey(place));
  if (head === undefined) return deck.messages.say(`${name} has no draft.`);
  const { file } = deck.editor.state.getState();
  const isOpen = file !== undefined && placeKey(file.place) === placeKey(place);
  if (isOpen && isSaving(file.saving.state.getState())) return sayIsSaving(deck, name);
  const where = `${deck.deployments.label(place.deploymentId)}/${place.service} ${place.path}`;
  const typed = shortDateText(head.at, deck.clock.now());
  const question: Omit<Confirmation, 'answer'> = {
    title: `discard draft of ${name}?`,
    lines: [
      `${where}, typed ${typed}.`,
      `It goes to the trash; ${keyName('trash.undo', 'u')} restores it.`,
    ],
    options: [{ label: 'Cancel' }, { label: 'Discard', destroys: true }],
    escape: 'cancel',
  };
  if ((await confirm(deck, question)) === 0) return;
  await discardAll(deck, [place]);
}

/** Moves drafts to the trash, leaves their editor, and reports it. */
export async function discardAll(
  deck: Pick<Deck, 'screen' | 'messages' | 'drafts' | 'editor'>,
  drafts: readonly DraftPlace[],
): Promise<void> {
  for (const place of drafts) closeEditor(deck, place);
  const { names, failure } = await deck.drafts.discard(drafts);
  deck.messages.say(failure ?? discardedSentence(names), failure === undefined ? 'good' : 'bad');
}

/** Reports discarded drafts. */
function discardedSentence(names: readonly string[]): string {
  return names.length === 1
    ? `Discarded the draft of ${names[0]}. ${keyName('trash.undo', 'u')} restores it.`
    : `Discarded ${names.length} drafts. ${keyName('trash.undo', 'u')} restores them.`;
}

/** Discards the text in the editor after a confirmation, and leaves the editor (`F6`). */
export async function confirmDiscardHere(deck: Handles): Promise<void> {
  const { document, unsaved } = deck.editor.state.getState();
  if (document === undefined) return;
  if (document.busy() !== undefined) return sayIsSaving(deck, document.title);
  if (!unsaved)
    return deck.messages.say(
      `Nothing was typed. ${keyName('editor.leave', '^Q')} leaves the editor.`,
    );
  if (document.kind === 'file') return confirmDiscard(deck, document.place);
  await confirmDefinitionDiscard(deck, document);
}

async function confirmDefinitionDiscard(deck: Handles, document: EditorDefinition): Promise<void> {
  const question: Omit<Confirmation, 'answer'> = {
    title: 'discard the new deployment?',
    lines: [`It goes to the trash; ${keyName('trash.undo', 'u')} restores it.`],
    options: [{ label: 'Cancel' }, { label: 'Discard', destroys: true }],
    escape: 'cancel',
  };
  if ((await confirm(deck, question)) === 0) return;
  await discardAll(deck, [document.place]);
}

function sayIsSaving(deck: Pick<Deck, 'messages'>, name: string): void {
  deck.messages.say(
    `${name} is being saved, or may have been saved. ${keyName('editor.save', '^S')} saves it again.`,
  );
}

/** Closes the editor of a place, whose text then stays as a draft. */
export function closeEditor(
  { screen, editor }: Pick<Deck, 'screen' | 'editor'>,
  place: DraftPlace,
): void {
  const { document } = editor.state.getState();
  if (document === undefined || placeKey(document.place) !== placeKey(place)) return;
  screen.view.close('editor');
  editor.close();
}
