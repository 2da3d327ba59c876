import type { Deck } from '../../store/deck/deck.ts';
import { cursorIndex } from '../../store/lists/cursor.ts';
import { chosenPaths } from '../../store/files/targets.ts';
import type { TreeRow } from '../../store/files/tree.ts';
import type { FilesPlace } from '../../store/files/files.ts';
import type { LocalPlace } from '../../store/drafts/places.ts';
import { fileRows } from '../../store/deck/rows.ts';
import { pathsOf } from '../../store/deck/visible.ts';
import { openedText } from '../log/title.ts';

/** The service whose files are listed, as it is now: what is asked about it holds for it only. */
export interface FilesSubject {
  readonly place: FilesPlace;
  /** What it is called: `shop/web`. */
  readonly where: string;
}

/** `shop/web`: the service whose files are listed. */
export function filesPlaceText(deck: Pick<Deck, 'deployments' | 'opened' | 'files'>): string {
  const { place } = deck.files.state.getState();
  return place === undefined ? '' : `${openedText(deck)}/${place.service}`;
}

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

/** The row of the tree that the cursor is on. */
export function treeRowUnderCursor(deck: Pick<Deck, 'screen' | 'files'>): TreeRow | undefined {
  const rows = fileRows(deck);
  return rows[cursorIndex(pathsOf(rows), deck.screen.getState().cursors.files)];
}

/** The file in the viewer with the focus, else the one under the cursor; of a folder it says why not. */
export function fileHere(
  deck: Pick<Deck, 'screen' | 'messages' | 'files'>,
  ofFolder: string,
): LocalPlace | undefined {
  const { place, opened } = deck.files.state.getState();
  if (deck.screen.getState().focus === 'main') return opened;
  const row = treeRowUnderCursor(deck);
  if (place === undefined || row === undefined) {
    deck.messages.say('There is no file here.');
    return undefined;
  }
  if (!row.folder) return { ...place, path: row.path };
  deck.messages.say(ofFolder);
  return undefined;
}

/** Paths that a key acts on: the marked ones, else the one under the cursor. */
export function chosenHere(deck: Pick<Deck, 'screen' | 'files'>): readonly string[] {
  const { rows } = deck.files.list.state.getState();
  const { marks } = deck.screen.getState();
  return chosenPaths(rows, marks, treeRowUnderCursor(deck)?.path);
}

/** Lists the files anew and puts the cursor on one, wherever it is hidden. */
export async function selectFile(
  deck: Pick<Deck, 'screen' | 'files'>,
  place: FilesPlace,
  path: string,
): Promise<void> {
  const { files, screen } = deck;
  await files.list.refresh();
  if (files.state.getState().place !== place) return;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (files.isFolded(folder)) files.toggleFold(folder);
  }
  const indexOf = () => fileRows(deck).findIndex((row) => row.path === path);
  const { rows } = files.list.state.getState();
  if (indexOf() === -1 && rows.some(({ value }) => value.path === path)) {
    screen.lists.setFilter('files', '');
  }
  const index = indexOf();
  if (index === -1) return;
  screen.lists.setCursor('files', { id: path, index });
}
