import type { Deck } from '../../store/deck/deck.ts';
import type { Terminal } from '../command/action.ts';
import { openDifference } from '../editor/diff-steps.ts';
import { editFile } from '../editor/document.ts';
import { editExternally } from '../editor/external-editor.ts';
import { servicesOf } from '../log/title.ts';
import { fileHere, treeRowUnderCursor } from './subject.ts';

/** `Enter`: shows the file under the cursor, or folds or unfolds the folder. */
export function openFileRow(deck: Pick<Deck, 'screen' | 'files'>): void {
  const row = treeRowUnderCursor(deck);
  if (row === undefined) return;
  if (row.folder) return deck.files.toggleFold(row.path);
  deck.screen.view.open({ kind: 'file' });
  void deck.files.open(row.path);
}

/** Edits the file of the row or the viewer; with a terminal, in the person's own editor. */
export async function editRow(
  deck: Pick<
    Deck,
    'screen' | 'messages' | 'deployments' | 'files' | 'restarts' | 'drafts' | 'editor'
  >,
  terminal?: Terminal,
): Promise<void> {
  const file = fileHere(deck, 'A folder is not edited. Enter unfolds it.');
  if (file !== undefined) await editFile(deck, file);
  if (terminal !== undefined) await editExternally(deck, terminal);
}

/** Compares the draft of the file with the file on the service. */
export function compareRow(deck: Pick<Deck, 'screen' | 'messages' | 'files' | 'editor'>): void {
  const file = fileHere(deck, 'A folder has no draft. Enter unfolds it.');
  if (file !== undefined) void openDifference(deck, file);
}

/** Folds or unfolds the folder under the cursor. */
export function setFold(deck: Pick<Deck, 'screen' | 'files'>, folded: boolean): void {
  const row = treeRowUnderCursor(deck);
  if (row?.folder === true && row.open === folded) deck.files.toggleFold(row.path);
}

/** Opens the picker of the service whose files are listed. */
export function askService(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened'>,
): void {
  if (servicesOf(deck).length === 0) {
    deck.messages.say('The service names no services of this deployment.');
    return;
  }
  deck.screen.overlay.open({ kind: 'services', narrow: '', caret: 0 });
}
