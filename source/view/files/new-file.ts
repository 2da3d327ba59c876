import type { Console } from '../../store/deck/deck.ts';
import { folderPaths, folderStart, folderOf } from '../../store/files/targets.ts';
import { nameIn } from '../../store/drafts/places.ts';
import { prompting } from '../../store/prompts/prompt.ts';
import { attempt, tell } from './attempt.ts';
import { filesSubject, type FilesSubject, selectFile, treeRowUnderCursor } from './subject.ts';

/** `a`: asks for the path of a new file, in the folder of the cursor to begin with. */
export function askNewFile(console: Console): void {
  const subject = filesSubject(console);
  if (subject === undefined) return;
  const row = treeRowUnderCursor(console);
  const folder = row?.folder === true ? row.path : folderOf(row?.path ?? '');
  const prompt = {
    label: `New file in ${subject.where}: `,
    completions: () => folderPaths(console.files.list.state.getState().rows),
    writes: true,
    submit: (path: string) => void create(console, subject, path),
  };
  console.screen.setState({ overlay: prompting(prompt, folderStart(folder)) });
}

async function create(console: Console, { place }: FilesSubject, path: string): Promise<void> {
  const { operations } = await console.fileWork();
  tell(console, await operations.create({ ...place, path }));
  await selectFile(console, place, path);
}

/** `A`: asks for the path that a copy of the file under the cursor gets. */
export function askCopy(console: Console): void {
  const subject = filesSubject(console);
  if (subject === undefined) return;
  const row = treeRowUnderCursor(console);
  if (row === undefined || row.folder) return console.say('There is no file here to copy.');
  const prompt = {
    label: `Copy ${nameIn(row.path)} to: `,
    completions: () => folderPaths(console.files.list.state.getState().rows),
    writes: true,
    submit: (path: string) => void copy(console, subject, row.path, path),
  };
  console.screen.setState({ overlay: prompting(prompt, row.path) });
}

async function copy(
  console: Console,
  { place, where }: FilesSubject,
  from: string,
  typed: string,
): Promise<void> {
  const to = typed.endsWith('/') ? typed + nameIn(from) : typed;
  const { operations } = await console.fileWork();
  const outcome = await attempt(console, where, 'Replace', (agreed) =>
    operations.copy({ ...place, path: from }, to, agreed),
  );
  tell(console, outcome);
  if (outcome?.ok === true) await selectFile(console, place, to);
}
