import type { Console } from '../store/console.ts';
import { cursorIndex } from '../store/cursor.ts';
import type { FileOutcome } from '../store/file-operations.ts';
import {
  deletionQuestion,
  deletedSentence,
  filesText,
  putBackQuestion,
  replaceQuestion,
  stoppedSentence,
  unkeptQuestion,
} from '../store/file-questions.ts';
import { chosenPaths, filesBelow } from '../store/file-targets.ts';
import type { TreeRow } from '../store/file-tree.ts';
import type { Agreed } from '../store/file-way.ts';
import type { FilesPlace } from '../store/files.ts';
import { fileRows } from '../store/rows.ts';
import { noMarks } from '../store/screen.ts';
import { formatTimeOfDay } from './age.ts';
import { ask } from './ask.ts';
import { filesPlaceText } from './subject.ts';

/** The service whose files are listed, as it is now: what is asked about it holds for it only. */
export interface FilesSubject {
  readonly place: FilesPlace;
  /** What it is called: `shop/web`. */
  readonly where: string;
}

export function filesSubject(console: Console): FilesSubject | undefined {
  const { place } = console.files.state.getState();
  if (place === undefined) {
    console.say('No files are listed.');
    return undefined;
  }
  return { place, where: filesPlaceText(console) };
}

/** The row of the tree that the cursor is on. */
export function treeRowUnderCursor(console: Console): TreeRow | undefined {
  const rows = fileRows(console);
  const ids = rows.map(({ path }) => path);
  return rows[cursorIndex(ids, console.screen.getState().cursors.files)];
}

/** Paths that a key acts on: the marked ones, else the one under the cursor. */
export function chosenHere(console: Console): readonly string[] {
  const { rows } = console.files.list.state.getState();
  const { marks } = console.screen.getState();
  return chosenPaths(rows, marks, treeRowUnderCursor(console)?.path);
}

/** `X`: deletes what is marked or under the cursor, when the box is answered so. */
export async function askDeletion(console: Console): Promise<void> {
  const subject = filesSubject(console);
  if (subject === undefined) return;
  const paths = filesBelow(console.files.list.state.getState().rows, chosenHere(console));
  if (paths.length === 0) return console.say('There is no file here to delete.');
  if ((await ask(console, deletionQuestion(paths, subject.where))) === 0) return;
  console.say(`Deleting ${filesText(paths)}...`);
  await deleteAll(console, subject, paths);
  console.screen.setState({ marks: noMarks });
  await console.files.list.refresh();
}

/** Deletes; what cannot be kept only when the person agrees to lose that file. */
async function deleteAll(
  console: Console,
  { place, where }: FilesSubject,
  paths: readonly string[],
): Promise<void> {
  const { operations } = await console.fileWork();
  let lost = 0;
  for (let waiting = paths; waiting.length > 0; ) {
    const outcome = await operations.delete(place, waiting);
    if (outcome.ok && lost === 0) return tell(console, outcome);
    if (outcome.ok) break;
    if (outcome.kind !== 'unkept') return tell(console, outcome);
    const { path, done } = outcome;
    if ((await ask(console, unkeptQuestion(outcome, 'Delete'))) === 0) {
      return console.say(stoppedSentence(path, paths.length - waiting.length + done.length));
    }
    const forGood = await operations.delete(place, [path], { unkept: true });
    if (!forGood.ok) return tell(console, forGood);
    lost += 1;
    const gone = new Set([...done, path]);
    waiting = waiting.filter((one) => !gone.has(one));
  }
  console.say(deletedSentence(paths, lost, where), 'good');
}

/** `u`: puts back what was deleted or replaced last in the service that is listed. */
export async function askPutBack(console: Console): Promise<void> {
  const subject = filesSubject(console);
  if (subject === undefined) return;
  const { place, where } = subject;
  const { operations } = await console.fileWork();
  const last = await operations.lastKept(place);
  if (last === undefined) {
    return console.say(`No deleted or replaced file of ${where} is kept.`);
  }
  const { path } = last;
  const question = putBackQuestion(last, where, formatTimeOfDay(last.at));
  if ((await ask(console, question)) === 0) return;
  if ((await operations.lastKept(place))?.id !== last.id) {
    return console.say('Another file was deleted or replaced meanwhile. u asks again.');
  }
  await attempt(console, where, 'Put back', (agreed) =>
    operations.putBack(place, { path, ...agreed }),
  );
  await selectFile(console, place, path);
}

/**
 * Does something with a file, asking where something is in its way; what came of it is said. Gives
 * whether it was done.
 */
export async function attempt(
  console: Console,
  where: string,
  verb: string,
  act: (agreed: Agreed) => Promise<FileOutcome>,
): Promise<boolean> {
  for (let agreed: Agreed = {}; ; ) {
    const outcome = await act(agreed);
    const isAsked = !outcome.ok && (outcome.kind === 'exists' || outcome.kind === 'unkept');
    if (!isAsked || (outcome.kind === 'exists' && agreed.replace === true)) {
      tell(console, outcome);
      return outcome.ok;
    }
    const question =
      outcome.kind === 'exists' ? replaceQuestion(outcome, where) : unkeptQuestion(outcome, verb);
    if ((await ask(console, question)) === 0) {
      console.say(`${outcome.path} stays as it is. Nothing was sent.`);
      return false;
    }
    agreed = outcome.kind === 'exists' ? { ...agreed, replace: true } : { ...agreed, unkept: true };
  }
}

function tell(console: Console, outcome: FileOutcome): void {
  if (outcome.ok) console.say(outcome.sentence, 'good');
  else console.say(`${outcome.sentence} ${outcome.next}`, 'bad');
}

/** Lists the files anew and puts the cursor on one, wherever it is hidden. */
export async function selectFile(console: Console, place: FilesPlace, path: string): Promise<void> {
  const { files, screen } = console;
  await files.list.refresh();
  if (files.state.getState().place !== place) return;
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    const folder = path.slice(0, at);
    if (files.isFolded(folder)) files.toggleFold(folder);
  }
  const indexOf = () => fileRows(console).findIndex((row) => row.path === path);
  const { rows } = files.list.state.getState();
  if (indexOf() === -1 && rows.some(({ value }) => value.path === path)) {
    screen.setState(({ filters }) => ({ filters: { ...filters, files: '' } }));
  }
  const index = indexOf();
  if (index === -1) return;
  screen.setState(({ cursors }) => ({ cursors: { ...cursors, files: { id: path, index } } }));
}
