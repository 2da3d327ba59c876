import type { Deck } from '../../store/deck/deck.ts';
import type { Terminal } from '../command/action.ts';
import { placeKey } from '../../store/drafts/places.ts';
import { folderOf } from '../../store/files/targets.ts';
import { type Menu, openMenu } from '../../store/prompts/menu.ts';
import { openDifference } from '../editor/diff-steps.ts';
import { confirmDiscard } from '../editor/discard-draft.ts';
import { editFile } from '../editor/document.ts';
import { editExternally } from '../editor/external-editor.ts';
import { servicesOf } from '../log/title.ts';
import { isNewRow, sayNoFile, targetFile, treeRowUnderCursor } from './subject.ts';

type EditHandles = Pick<
  Deck,
  | 'lists'
  | 'clock'
  | 'screen'
  | 'messages'
  | 'deployments'
  | 'files'
  | 'restarts'
  | 'drafts'
  | 'editor'
>;

/**
 * Shows the file under the cursor, or toggles the fold of the folder (`Enter`). A file that only has a
 * draft opens in the editor.
 */
export function openFileRow(deck: EditHandles): void {
  const row = treeRowUnderCursor(deck);
  if (row === undefined) return;
  if (row.folder) return deck.files.toggleFold(row.path);
  if (isNewRow(deck, row)) return void editRow(deck);
  deck.screen.view.open({ kind: 'file' });
  void deck.files.open(row.path);
}

/** Edits the file of the row or the viewer; with a terminal, in the external editor. */
export async function editRow(deck: EditHandles, terminal?: Terminal): Promise<void> {
  const file = targetFile(deck, "Folders can't be edited. Enter opens.");
  if (file !== undefined) await editFile(deck, file);
  if (terminal !== undefined) await editExternally(deck, terminal);
}

/** Compares the draft of the file with the file on the service. */
export function compareRow(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'files' | 'editor'>,
): void {
  const row = deck.screen.getState().focus === 'files' ? treeRowUnderCursor(deck) : undefined;
  if (row !== undefined && isNewRow(deck, row)) return sayNoFile(deck);
  const file = targetFile(deck, 'Folders have no draft. Enter opens.');
  if (file !== undefined) void openDifference(deck, file);
}

/** Returns whether the file in the viewer has a draft. */
export function hasDraft({ files, drafts }: Pick<Deck, 'files' | 'drafts'>): boolean {
  const { opened } = files.state.getState();
  return opened !== undefined && drafts.state.getState().drafts.has(placeKey(opened));
}

/** Discards the draft of the file after a confirmation (`U`). */
export function discardRow(deck: EditHandles): void {
  const file = targetFile(deck, 'Folders have no draft. Enter opens.');
  if (file !== undefined) void confirmDiscard(deck, file);
}

/** Goes one step in: unfolds a folder, goes to its first row, or shows a file. */
export function enterRow(deck: EditHandles): void {
  const row = treeRowUnderCursor(deck);
  if (row?.folder === true && row.open) deck.lists.files.moveCursor(1);
  else openFileRow(deck);
}

/** Goes one step out: folds an unfolded folder, or goes to the folder of the row. */
export function leaveRow(deck: Pick<Deck, 'lists' | 'screen' | 'files'>): void {
  const row = treeRowUnderCursor(deck);
  if (row === undefined) return;
  if (row.folder && row.open) deck.files.toggleFold(row.path);
  else deck.lists.files.moveCursorTo(folderOf(row.path));
}

/** Opens the menu of the services of the opened deployment, whose files are then listed. */
export function openServiceMenu(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened'>,
): void {
  if (servicesOf(deck).length === 0) {
    deck.messages.say('This deployment lists no services.');
    return;
  }
  deck.screen.overlay.open(openMenu(serviceMenu(deck)));
}

export function serviceMenu(deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>): Menu {
  return {
    title: 'service',
    items: () =>
      servicesOf(deck).map((service) => ({
        id: service,
        label: service,
        choose() {
          deck.opened.chooseService(service);
          deck.screen.focus.to('files');
        },
      })),
  };
}
