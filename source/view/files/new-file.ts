import type { Deck } from '../../store/deck/deck.ts';
import { folderPaths, folderStart, folderOf } from '../../store/files/targets.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import { newPathRefusal } from '../../store/files/new-path.ts';
import { editNewFile } from '../editor/document.ts';
import {
  filesSubject,
  type FilesSubject,
  moveCursorToFile,
  treeRowUnderCursor,
} from './subject.ts';

/** Handles used by most functions of this module. */
type Handles = Pick<Deck, 'lists' | 'screen' | 'messages' | 'deployments' | 'opened' | 'files'>;

type NewFileHandles = Pick<Deck, 'clock' | 'restarts' | 'drafts' | 'editor'>;

/**
 * Prompts for the path of a new file, starting in the cursor's folder, and opens it in the editor
 * (`a`). The first save creates the file.
 */
export function promptNewFile(deck: Handles & NewFileHandles): void {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const row = treeRowUnderCursor(deck);
  const folder = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const prompt: Prompt = {
    pathOf: 'service',
    label: `New file in ${subject.where}: `,
    completions: () => folderPaths(deck.files.list.state.getState().rows),
    submit: (path: string) => void openNew(deck, subject, path),
  };
  deck.screen.overlay.open(prompting(prompt, folderStart(folder)));
}

async function openNew(
  deck: Handles & NewFileHandles,
  { place }: FilesSubject,
  path: string,
): Promise<void> {
  const refused = newPathRefusal(deck.files.list.state.getState().rows, path);
  if (refused !== undefined) return deck.messages.say(`${refused.sentence} ${refused.next}`);
  const file = await editNewFile(deck, { ...place, path });
  if (file === undefined) return;
  const stop = deck.editor.state.subscribe(({ document }) => {
    if (document === file) return;
    stop();
    if (!file.isNew() || file.text.isModified()) void moveCursorToFile(deck, place, path);
  });
}
