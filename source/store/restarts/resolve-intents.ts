/** Finds out whether the writes happened that an earlier run intended, and had no answer to. */
import type { FilesClient } from '../../client/files.ts';
import { digestOf } from '../drafts/digest.ts';
import type { PendingRestart } from './journal.ts';
import type { RestartsStore } from './restarts.ts';

/** `written`: the file has the content that was sent; `other`: it has another, or is not there. */
type Finding = 'written' | 'other' | 'unknown';

/**
 * Asks the service for the files of all intended writes. A written one becomes a pending restart; one
 * whose file can't be read stays for the next start. Resolves to the sentences about what was found.
 */
export async function resolveIntents(
  restarts: Pick<RestartsStore, 'leftIntents' | 'resolveIntent'>,
  files: Pick<FilesClient, 'get'>,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  for (const intent of restarts.leftIntents()) {
    const finding = await find(intent, files);
    if (finding !== 'unknown') restarts.resolveIntent(intent, finding === 'written');
    sentences.push(sentenceOf(intent, finding));
  }
  return sentences;
}

async function find(
  { deploymentId, files: [file] }: PendingRestart,
  files: Pick<FilesClient, 'get'>,
): Promise<Finding> {
  if (file?.digest === undefined) return 'other';
  const answer = await files.get(deploymentId, file.service, file.path);
  if (!answer.ok) return answer.error.code === 'not-found' ? 'other' : 'unknown';
  if ((await digestOf(answer.value.bytes)) === file.digest) return 'written';
  return answer.value.certainty === 'certain' ? 'other' : 'unknown';
}

function sentenceOf({ name, files: [file] }: PendingRestart, finding: Finding): string {
  const place = file === undefined ? name : `${file.path} of ${name}`;
  switch (finding) {
    case 'written':
      return `${place} was saved just before hostdeck was ended; its restart is pending.`;
    case 'other':
      return `${place} was not saved when hostdeck was ended, or has changed since.`;
    case 'unknown':
      return `Can't tell whether ${place} was saved when hostdeck was ended. The next start asks again.`;
  }
}
