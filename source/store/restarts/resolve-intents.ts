/** Finds out whether the writes happened that an earlier run intended, and had no answer to. */
import type { FilesClient } from '../../client/files.ts';
import { digestOf } from '../drafts/digest.ts';
import type { PendingRestart } from './journal.ts';
import { intentKey, type RestartsStore } from './restarts.ts';

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
  for (const intents of Map.groupBy(restarts.leftIntents(), intentKey).values()) {
    const finding = await find(intents, files);
    // A save or a restart of this run may have ended them meanwhile.
    const [first, ...others] = restarts.leftIntents().filter((entry) => intents.includes(entry));
    if (first === undefined) continue;
    if (finding !== 'unknown') {
      restarts.resolveIntent(first, finding === 'written');
      for (const other of others) restarts.resolveIntent(other, false);
    }
    sentences.push(sentenceOf(first, finding));
  }
  return sentences;
}

/** @param intents writes of one file, of which at most one is its content now. */
async function find(
  intents: readonly PendingRestart[],
  files: Pick<FilesClient, 'get'>,
): Promise<Finding> {
  const digests = intents.map((intent) => intent.files[0]?.digest);
  const [intent] = intents;
  const file = intent?.files[0];
  if (intent === undefined || file === undefined) return 'other';
  const answer = await files.get(intent.deploymentId, file.service, file.path);
  if (!answer.ok) return answer.error.code === 'not-found' ? 'other' : 'unknown';
  if (digests.includes(await digestOf(answer.value.bytes))) return 'written';
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
