import { done, type FileOutcome, outcomeOf, refusal } from './outcome.ts';
import { restoreDraft, type RestoredDrafts } from './restore-draft.ts';
import type { FileWriteOptions } from './trashing.ts';
import { type Agreed, checkTransfer } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { FilesPlace } from './files.ts';

/** A consent for one path only: another file may be the newest in the trash by now. */
export interface AgreedRestore extends Agreed {
  readonly path: string;
}

/** Milliseconds after which the console that trashed a file has deleted it, or never will. */
const settledAfter = 120_000;

/**
 * Uploads the newest file in the trash of a service. A file that it replaces goes to the trash, so
 * that a second call reverts the first.
 */
export async function restoreFiles(
  options: FileWriteOptions & { readonly drafts: RestoredDrafts },
  { deploymentId, service }: FilesPlace,
  agreed: AgreedRestore | undefined,
): Promise<FileOutcome> {
  const { client, clock, trash, writes } = options;
  const entry = await trash.last(deploymentId, service);
  if (entry === undefined) {
    const sentence = `The trash holds no file of ${service}.`;
    return refusal('failed', '', sentence, 'Nothing was sent.');
  }
  const { path } = entry;
  const place = { deploymentId, service, path };
  const file = await trash.take(entry.id);
  if (file === undefined) {
    const sentence = `The trash copy of ${path} is damaged. Nothing was sent.`;
    return refusal('failed', path, sentence, 'The copy stays in the trash folder.');
  }
  const agreedHere = agreed?.path === path ? agreed : {};
  if (file.reason === 'discarded') return restoreDraft(options, entry.id, file, agreedHere);
  const check = await checkTransfer(options, place, 'restored', agreedHere);
  if (!check.ok) {
    if (check.refusal.kind !== 'exists') return check.refusal;
    const got = await client.get(deploymentId, service, path);
    if (!got.ok || !areEqual(got.value.bytes, file.bytes)) return check.refusal;
    // Another console may be about to delete the file; then the copy is the only one left.
    if (clock.now() - entry.at >= settledAfter) await trash.remove(entry.id);
    return done(`${path} is unchanged on the service. Nothing was sent.`);
  }
  const result = await writeFile(client, place, file.bytes);
  if (result.ok) {
    void writes.fileChanged(place);
    await trash.remove(entry.id);
  } else if (!result.error.unknownOutcome) {
    await check.refused();
  }
  return outcomeOf(result, path, 'restored', `Restored ${path}.`);
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
