import type { Deck } from '../../store/deck/deck.ts';
import { chosenPaths } from '../../store/files/targets.ts';
import { clipboardLines, clipboardText } from '../../terminal/clipboard.ts';
import { type Clipboard, type CopyForm, copyText } from '../command/copy.ts';
import { deploymentName } from '../command/row-under-cursor.ts';
import { viewedText } from './text.ts';

/** Copies the paths of the marked files, else of the row; the whole form adds deployment and service. */
export function copyPaths(
  deck: Pick<Deck, 'screen' | 'messages' | 'lists' | 'deployments' | 'files'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const id = deck.lists.files.idUnderCursor();
  return copyText(deck, clipboard, clipboardText(pathsToCopy(deck, id, form)));
}

function pathsToCopy(
  deck: Pick<Deck, 'screen' | 'deployments' | 'files'>,
  underCursor: string | undefined,
  form: CopyForm,
): readonly string[] {
  const { rows } = deck.files.list.state.getState();
  const { place } = deck.files.state.getState();
  const { marks } = deck.screen.getState();
  const selection = marks.size > 0 ? [...marks].sort() : [underCursor ?? ''];
  // Expand each path separately, because a folder and a file below it may both be marked.
  const paths = selection.flatMap((path) => chosenPaths(rows, new Set([path]), undefined));
  if (form === 'short' || place === undefined) return paths;
  const prefix = `${deploymentName(deck, place.deploymentId)}/${place.service}`;
  return paths.map((path) => `${prefix}/${path}`);
}

/** Copies the line of the current match in the viewer, else the whole text; the whole form always that. */
export function copyViewed(
  deck: Pick<Deck, 'messages' | 'files' | 'textSearch'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const body = deck.files.state.getState().opened?.body;
  const { at } = deck.textSearch.state.getState();
  const line = at === undefined || body === undefined ? undefined : viewedText(body).lines[at];
  const text = (form === 'short' ? line : undefined) ?? body?.text ?? '';
  return copyText(deck, clipboard, clipboardLines(text));
}
