import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { chosenPaths } from '../../store/files/targets.ts';
import type { TreeRow } from '../../store/files/tree-nodes.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import type { LocalPlace } from '../../store/drafts/places.ts';
import { fileRows } from '../../store/files/visible.ts';
import { openedText } from '../log/title.ts';

/** The listed service at the time of a key; a question about it is answered for this service only. */
export interface FilesSubject {
  readonly place: FilesPlace;
  /** Label of deployment and service: `shop/web`. */
  readonly where: string;
}

/** Returns the label of the listed service, `shop/web`; empty without one. */
export function filesPlaceText(deck: Pick<Deck, 'deployments' | 'opened' | 'files'>): string {
  const { place } = deck.files.state.getState();
  return place === undefined ? '' : `${openedText(deck)}/${place.service}`;
}

/** Returns the listed service, or undefined after a message when no files are listed. */
export function filesSubject(
  deck: Pick<Deck, 'messages' | 'deployments' | 'opened' | 'files'>,
): FilesSubject | undefined {
  const { place } = deck.files.state.getState();
  if (place === undefined) {
    deck.messages.say('No files are listed.');
    return undefined;
  }
  return { place, where: filesPlaceText(deck) };
}

/** Returns the tree row under the cursor. */
export function treeRowUnderCursor({
  screen,
  lists,
  files,
}: Pick<Deck, 'screen' | 'lists' | 'files'>): TreeRow | undefined {
  const { filters, orders } = screen.getState();
  const rows = fileRows(files, { filter: filters.files, order: orders.files });
  return rows[lists.files.cursorIndex()];
}

/**
 * Returns the file in the focused viewer, else the file under the cursor. Without a file it shows a
 * message: `folderMessage` on a folder.
 */
export function targetFile(
  deck: Pick<Deck, 'screen' | 'messages' | 'lists' | 'files'>,
  folderMessage: string,
): LocalPlace | undefined {
  const { place, opened } = deck.files.state.getState();
  if (deck.screen.getState().focus === 'main') return opened;
  const row = treeRowUnderCursor(deck);
  if (place === undefined || row === undefined) {
    deck.messages.say('Select a file first.');
    return undefined;
  }
  if (!row.folder) return { ...place, path: row.path };
  deck.messages.say(folderMessage);
  return undefined;
}

/** Tells whether a row is a file that only has a draft. */
export function isNewRow({ files }: Pick<Deck, 'files'>, { path }: TreeRow): boolean {
  return files.drafted().newPaths.has(path);
}

/** Says why a command has no file of the service: the row has only a draft, or there is no row. */
export function sayNoFile(deck: Pick<Deck, 'screen' | 'messages' | 'lists' | 'files'>): void {
  const row = treeRowUnderCursor(deck);
  deck.messages.say(
    row !== undefined && isNewRow(deck, row)
      ? `${row.name} is not on the service yet. ${keyName('files.edit', 'e')} opens its draft.`
      : 'Select a file first.',
  );
}

/** Returns the paths for a command: the marked ones, else the one under the cursor. */
export function targetPaths(deck: Pick<Deck, 'screen' | 'lists' | 'files'>): readonly string[] {
  const { rows } = deck.files.list.state.getState();
  const { marks } = deck.screen.getState();
  return chosenPaths(rows, marks, treeRowUnderCursor(deck)?.path);
}

/** Reloads the files and moves the cursor to `path`; unfolds its folders and clears a hiding filter. */
export async function moveCursorToFile(
  { files, lists, screen }: Pick<Deck, 'screen' | 'lists' | 'files'>,
  place: FilesPlace,
  path: string,
): Promise<void> {
  await files.list.refresh();
  if (files.state.getState().place !== place) return;
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
    const folder = path.slice(0, end);
    if (files.isFolded(folder)) files.toggleFold(folder);
  }
  const { rows } = files.drafted();
  if (lists.files.moveCursorTo(path) || !rows.some(({ value }) => value.path === path)) return;
  screen.listViews.setFilter('files', '');
  lists.files.moveCursorTo(path);
}
