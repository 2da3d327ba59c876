import type { Deck } from '../../store/deck/deck.ts';
import { openView } from '../../store/deck/screen-steps.ts';
import type { Terminal } from '../command/action.ts';
import { openDifference } from '../editor/diff-steps.ts';
import { editFile } from '../editor/document.ts';
import { handOut } from '../editor/external-editor.ts';
import { servicesOf } from '../log/title.ts';
import { fileHere, treeRowUnderCursor } from './subject.ts';

/** `Enter`: shows the file under the cursor, or folds or unfolds the folder. */
export function openFileRow(deck: Deck): void {
  const row = treeRowUnderCursor(deck);
  if (row === undefined) return;
  if (row.folder) return deck.files.toggleFold(row.path);
  deck.screen.setState((screen) => openView(screen, { kind: 'file' }));
  void deck.files.open(row.path);
}

/** Edits the file of the row or the viewer; with a terminal, in the person's own editor. */
export async function editRow(deck: Deck, terminal?: Terminal): Promise<void> {
  const file = fileHere(deck, 'A folder is not edited. Enter unfolds it.');
  if (file !== undefined) await editFile(deck, file);
  if (terminal !== undefined) await handOut(deck, terminal);
}

/** Compares the draft of the file with the file on the service. */
export function compareRow(deck: Deck): void {
  const file = fileHere(deck, 'A folder has no draft. Enter unfolds it.');
  if (file !== undefined) void openDifference(deck, file);
}

/** Folds or unfolds the folder under the cursor. */
export function setFold(deck: Deck, folded: boolean): void {
  const row = treeRowUnderCursor(deck);
  if (row?.folder === true && row.open === folded) deck.files.toggleFold(row.path);
}

/** Opens the picker of the service whose files are listed. */
export function askService(deck: Deck): void {
  if (servicesOf(deck).length === 0) {
    deck.say('The service names no services of this deployment.');
    return;
  }
  deck.screen.setState({ overlay: { kind: 'services', narrow: '', caret: 0 } });
}
