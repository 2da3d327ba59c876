import type { Deck } from '../../store/deck/deck.ts';
import { folderPaths, folderStart, folderOf } from '../../store/files/targets.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { newPathRefusal } from '../../store/files/new-path.ts';
import { editNewFile } from '../editor/document.ts';
import { runWithConfirmation, reportOutcome } from './attempt.ts';
import {
  filesSubject,
  type FilesSubject,
  isNewRow,
  moveCursorToFile,
  sayNoFile,
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
  const prompt = {
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

/** Prompts for the path of a copy of the file under the cursor (`A`). */
export function promptCopy(deck: Handles): void {
  const subject = filesSubject(deck);
  if (subject === undefined) return;
  const row = treeRowUnderCursor(deck);
  if (row === undefined || row.folder || isNewRow(deck, row)) return sayNoFile(deck);
  const prompt = {
    label: `Copy ${nameIn(row.path)} to: `,
    completions: () => folderPaths(deck.files.list.state.getState().rows),
    writes: true,
    submit: (path: string) => void copy(deck, subject, row.path, path),
  };
  deck.screen.overlay.open(prompting(prompt, row.path));
}

async function copy(
  deck: Pick<Deck, 'lists' | 'screen' | 'messages' | 'files'>,
  { place, where }: FilesSubject,
  from: string,
  typed: string,
): Promise<void> {
  const to = typed.endsWith('/') ? typed + nameIn(from) : typed;
  const { operations } = await deck.files.work();
  const outcome = await runWithConfirmation(deck, where, 'Replace', (agreed) =>
    operations.copy({ ...place, path: from }, to, agreed),
  );
  reportOutcome(deck, outcome);
  if (outcome?.ok === true) await moveCursorToFile(deck, place, to);
}
