/** Finds out whether the changes happened that an earlier run intended, and had no answer to. */
import type { FilesClient } from '../../client/files.ts';
import { digestOf } from '../drafts/digest.ts';
import type { LocalPlace } from '../drafts/places.ts';
import { findUploaded, isUpload } from './find-uploaded.ts';
import { intentKey } from './intents.ts';
import type { ChangedFile, PendingRestart } from './journal.ts';
import type { RestartsStore } from './restarts.ts';

/** `other`: the file is as it would be without the change, or has changed since. */
type Finding = 'happened' | 'other' | 'unknown';

interface FoundIntent {
  readonly intent: PendingRestart;
  readonly finding: Finding;
  /** The files that it changed. */
  readonly changed: readonly ChangedFile[];
}

type Files = Pick<FilesClient, 'list' | 'get'>;
type Content = Awaited<ReturnType<Files['get']>>;

/**
 * Asks the service for the files of all intended changes. One that happened becomes a pending restart; one
 * whose file can't be read stays for the next start. Resolves to the sentences about what was found.
 *
 * @param onMoved called for each move that happened, with the time of its request in ms since the epoch.
 */
export async function resolveIntents(
  restarts: Pick<RestartsStore, 'leftIntents' | 'resolveIntent'>,
  files: Files,
  onMoved: (from: LocalPlace, to: string, since: number) => void = () => {},
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const intents of Map.groupBy(restarts.leftIntents(), intentKey).values()) {
    const found = await find(intents, files);
    // A save or a restart of this run may have ended them meanwhile.
    const left = restarts.leftIntents().filter((entry) => intents.includes(entry));
    const intent = left.find((entry) => entry === found?.intent) ?? left[0];
    if (intent === undefined || found === undefined) continue;
    const { finding, changed } = found;
    if (intent === found.intent) reportMove(found, onMoved);
    if (finding !== 'unknown') {
      for (const entry of left)
        restarts.resolveIntent(entry, entry === found.intent ? changed : []);
    }
    sentences.push(isUpload(intent) ? uploadSentence(intent, found) : sentenceOf(intent, finding));
  }
  return sentences;
}

function reportMove(
  { intent: { deploymentId, since }, changed: [file] }: FoundIntent,
  onMoved: (from: LocalPlace, to: string, since: number) => void,
): void {
  const { service = '', path = '', movedFrom } = file ?? {};
  if (movedFrom !== undefined) onMoved({ deploymentId, service, path: movedFrom }, path, since);
}

/** @param intents changes of one file, of which at most one is as the file is now. */
async function find(
  intents: readonly PendingRestart[],
  files: Files,
): Promise<FoundIntent | undefined> {
  const [first] = intents;
  const file = first?.files[0];
  if (first === undefined || file === undefined) return undefined;
  const all: FoundIntent[] = [];
  let content: Content | undefined;
  for (const intent of intents) {
    if (isUpload(intent)) {
      all.push(foundUpload(intent, await findUploaded(intent, files)));
      continue;
    }
    content ??= await files.get(first.deploymentId, file.service, file.path);
    const finding = await findOne(intent, content, files);
    all.push({ intent, finding, changed: finding === 'happened' ? intent.files : [] });
  }
  return (
    all.find(({ finding }) => finding === 'happened') ??
    all.find(({ finding }) => finding === 'unknown') ??
    all[0]
  );
}

function foundUpload(
  intent: PendingRestart,
  changed: readonly ChangedFile[] | undefined,
): FoundIntent {
  if (changed === undefined) return { intent, finding: 'unknown', changed: [] };
  return { intent, finding: changed.length > 0 ? 'happened' : 'other', changed };
}

/** @param content the answer for the file. */
async function findOne(
  { deploymentId, files: [file] }: PendingRestart,
  content: Content,
  files: Files,
): Promise<Finding> {
  if (file === undefined) return 'other';
  if (!content.ok && content.error.code !== 'not-found') return 'unknown';
  if (file.isDeleted === true) return content.ok ? 'other' : 'happened';
  if (!content.ok) return 'other';
  if (file.movedFrom !== undefined) {
    const source = await files.get(deploymentId, file.service, file.movedFrom);
    if (source.ok) return 'other';
    return source.error.code === 'not-found' ? 'happened' : 'unknown';
  }
  if ((await digestOf(content.value.bytes)) === file.digest) return 'happened';
  return content.value.certainty === 'certain' ? 'other' : 'unknown';
}

function uploadSentence(
  { name, files }: PendingRestart,
  { finding, changed }: Pick<FoundIntent, 'finding' | 'changed'>,
): string {
  const isOne = files.length === 1;
  const all = isOne ? `${files[0]?.path ?? ''} of ${name}` : `${files.length} files of ${name}`;
  switch (finding) {
    case 'happened': {
      const some = changed.length < files.length ? `${changed.length} of ${all}` : all;
      return `${some} ${isOne ? 'was' : 'were'} uploaded just before hostdeck was ended; ${isOne ? 'its' : 'their'} restart is pending.`;
    }
    case 'other':
      return `${all} ${isOne ? 'was' : 'were'} not uploaded when hostdeck was ended, or changed since.`;
    case 'unknown':
      return `Can't tell whether ${all} ${isOne ? 'was' : 'were'} uploaded when hostdeck was ended. The next start asks again.`;
  }
}

function sentenceOf({ name, files: [file] }: PendingRestart, finding: Finding): string {
  const [subject, done] = file === undefined ? [name, 'saved'] : changeOf(file, name);
  switch (finding) {
    case 'happened':
      return `${subject} was ${done} just before hostdeck was ended; its restart is pending.`;
    case 'other':
      return `${subject} was not ${done} when hostdeck was ended, or has changed since.`;
    case 'unknown':
      return `Can't tell whether ${subject} was ${done} when hostdeck was ended. The next start asks again.`;
  }
}

/** Returns the file and what was to happen to it: `app.yaml of shop`, `moved to b.yaml`. */
function changeOf(
  { path, isDeleted, movedFrom }: ChangedFile,
  name: string,
): readonly [subject: string, done: string] {
  if (movedFrom !== undefined) return [`${movedFrom} of ${name}`, `moved to ${path}`];
  return [`${path} of ${name}`, isDeleted === true ? 'deleted' : 'saved'];
}
