import { done, type FileOutcome, outcomeOf, refusal } from './outcome.ts';
import type { TrashingOptions } from './trashing.ts';
import { type Agreed, checkTransfer } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { FilesPlace } from './files.ts';
import type { FileWrites } from '../drafts/file-writes.ts';

/** What was agreed to holds for the file that was asked about: another may be the last by now. */
export interface AgreedRestore extends Agreed {
  readonly path: string;
}

/** Milliseconds after which whoever put a file into the trash has deleted it, or never will. */
const settledAfter = 120_000;

interface PutBackOptions extends TrashingOptions {
  readonly writes: Pick<FileWrites, 'fileChanged'>;
}

/**
 * Uploads again what is on top of the trash of a service. What it replaces gets on top of the trash
 * instead, so that putting back once more undoes it.
 */
export async function restoreFiles(
  options: PutBackOptions,
  { deploymentId, service }: FilesPlace,
  agreed: AgreedRestore | undefined,
): Promise<FileOutcome> {
  const { client, clock, trash, writes } = options;
  const entry = await trash.last(deploymentId, service);
  if (entry === undefined) {
    const sentence = `No deleted or replaced file of ${service} is kept.`;
    return refusal('failed', '', sentence, 'Nothing was sent.');
  }
  const { path } = entry;
  const place = { deploymentId, service, path };
  const file = await trash.take(entry.id);
  if (file === undefined) {
    const sentence = `What was kept of ${path} is damaged. Nothing was sent.`;
    return refusal('failed', path, sentence, 'Its file stays in the trash folder.');
  }
  const way = await checkTransfer(options, place, 'put back', agreed?.path === path ? agreed : {});
  if (!way.ok) {
    if (way.refusal.kind !== 'exists') return way.refusal;
    const got = await client.get(deploymentId, service, path);
    if (!got.ok || !areEqual(got.value.bytes, file.bytes)) return way.refusal;
    // Another console may be about to delete it: what it kept is all that will be left.
    if (clock.now() - entry.at >= settledAfter) await trash.remove(entry.id);
    return done(`${path} is on the service as it was. Nothing was sent.`);
  }
  const result = await writeFile(client, place, file.bytes);
  if (result.ok) {
    void writes.fileChanged(place);
    await trash.remove(entry.id);
  } else if (!result.error.unknownOutcome) {
    await way.refused();
  }
  return outcomeOf(result, path, 'put back', `Put ${path} back.`);
}

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}
