import { isRequestablePath } from '../../contract/routes.ts';
import { failed, type FileOutcome, outcomeOf, refusal, unreachable } from './outcome.ts';
import type { TrashingOptions } from './trashing.ts';
import { type Agreed, checkTransfer } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace } from '../drafts/places.ts';

interface MoveOptions extends TrashingOptions {
  readonly writes: Pick<FileWrites, 'fileChanged'>;
}

/** Copies a file of a service to another path of it, its bytes as they are. */
export async function copyFile(
  options: MoveOptions,
  from: LocalPlace,
  to: string,
  agreed: Agreed,
): Promise<FileOutcome> {
  const { client, writes } = options;
  const { deploymentId, service } = from;
  const refused = refusedPaths(from.path, to);
  if (refused !== undefined) return refused;
  const got = await client.get(deploymentId, service, from.path);
  if (!got.ok) return failed(from.path, 'copied', got.error);
  if (got.value.certainty === 'ambiguous') {
    const sentence = `${from.path} was not copied. Whether its content is the whole answer is not sure.`;
    return refusal('failed', from.path, sentence, 'Save it to disk and upload what is the file.');
  }
  const target = { deploymentId, service, path: to };
  const way = await checkTransfer(options, target, 'written', agreed);
  if (!way.ok) return way.refusal;
  const result = await writeFile(client, target, got.value.bytes);
  if (result.ok) void writes.fileChanged(target);
  else if (!result.error.unknownOutcome) await way.refused();
  return outcomeOf(result, to, 'written', `Copied ${from.path} to ${to}.`);
}

/** Gives a file of a service another path. */
export async function moveFile(
  options: MoveOptions,
  from: LocalPlace,
  to: string,
  agreed: Agreed,
): Promise<FileOutcome> {
  const { client, writes } = options;
  const { deploymentId, service, path } = from;
  const refused = refusedPaths(path, to);
  if (refused !== undefined) return refused;
  const target = { deploymentId, service, path: to };
  const way = await checkTransfer(options, target, 'replaced', agreed);
  if (!way.ok) return way.refusal;
  const rename = () => client.rename(deploymentId, service, path, to);
  const moved = `Moved ${path} to ${to}.`;
  let result = await rename();
  if (!way.taken || result.ok || result.error.code !== 'conflict') {
    if (result.ok) void writes.fileChanged(target);
    else if (!result.error.unknownOutcome) await way.refused();
    return outcomeOf(result, path, 'moved', moved);
  }
  // This service renames only to paths that are free.
  const removed = await client.delete(deploymentId, service, to);
  if (!removed.ok) {
    if (!removed.error.unknownOutcome) await way.refused();
    return failed(to, 'replaced', removed.error);
  }
  void writes.fileChanged(target);
  result = await rename();
  if (result.ok) return outcomeOf(result, path, 'moved', moved);
  const stopped = failed(path, 'moved', result.error);
  return { ...stopped, sentence: `${to} was deleted; u puts it back. ${stopped.sentence}` };
}

function refusedPaths(from: string, to: string): FileOutcome | undefined {
  const unreachablePath = [from, to].find((path) => !isRequestablePath(path));
  if (unreachablePath !== undefined) return unreachable(unreachablePath);
  const sentence = `${to} is its name already. Nothing was sent.`;
  return from === to ? refusal('failed', to, sentence, 'Take another name.') : undefined;
}
