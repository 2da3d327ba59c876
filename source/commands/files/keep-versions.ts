/** Keeps the files that a proved command replaces or deletes, so that its restart can be undone. */
import { readFile } from 'node:fs/promises';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import { digestOf } from '../../store/drafts/digest.ts';
import { putIntoTrash } from '../../store/files/trashing.ts';
import { CommandFailure, failureProblem } from '../command-problem.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { UnappliedFile } from './restart-record.ts';
import type { RestartChoice } from './restart-flags.ts';

/** A file of a service that is about to be written. */
export interface KeptFile extends UnappliedFile {
  readonly reason: 'replaced' | 'deleted';
  /** Digest of the content that replaces it. */
  readonly written: string | undefined;
}

/**
 * Copies files to the trash where their restart is proved. With `--auto-restore`, rejects with a
 * {@link CommandFailure} where a file can't be copied; else names it.
 * @returns a function that removes the copies after a write that did not happen.
 */
export async function keepVersions(
  context: ServiceCommandContext,
  files: readonly KeptFile[],
  choice: RestartChoice,
): Promise<() => Promise<void>> {
  if (!choice.prove || files.length === 0) return async () => {};
  const { client, clock, folders, output, service } = context;
  const trash = createTrashFolder(folders.state, service.stateKey);
  const batch = `${clock.now()} shell`;
  const ids: string[] = [];
  const forget = async (): Promise<void> => {
    for (const id of ids) await trash.remove(id);
  };
  for (const { place, path, reason, written } of files) {
    const options = { client: client.files, trash, clock, batch, written };
    const at = { deploymentId: place.deployment.id, service: place.service, path };
    const kept = await putIntoTrash(options, at, reason, false);
    if (kept.kind === 'trashed' && kept.id !== undefined) ids.push(kept.id);
    if (kept.kind !== 'blocked') continue;
    const sentence = `${path} can't be kept, so that it could be restored. ${kept.refusal.sentence}`;
    if (choice['auto-restore'] === true) {
      await forget();
      throw new CommandFailure(failureProblem(sentence, 'Nothing was sent.'));
    }
    output.note(sentence);
  }
  return forget;
}

/** Bytes of the largest local file whose digest is taken; a larger one is no file to edit. */
const largestDigest = 64 * 1024 * 1024;

/** Returns the digest of a local file; undefined where it can't be read, or is too large. */
export async function localDigest(file: string, size = 0): Promise<string | undefined> {
  if (size > largestDigest) return undefined;
  return readFile(file).then(digestOf, () => undefined);
}
