import { keyName } from '../prompts/key-names.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { digestOf } from '../drafts/digest.ts';
import { failed, type FileOutcome, outcomeOf, refusal, unreachable } from './outcome.ts';
import { ambiguousContent, type FileWriteOptions } from './trashing.ts';
import { type Agreed, checkTransfer, type TransferOptions } from './transfer-check.ts';
import { writeFile } from './write.ts';
import type { LocalPlace } from '../drafts/places.ts';

/** Copies a file to another path of its service, byte for byte. */
export async function copyFile(
  options: FileWriteOptions,
  from: LocalPlace,
  to: string,
  agreed: Agreed,
): Promise<FileOutcome> {
  const { client, writes } = options;
  const { deploymentId, service } = from;
  const refused = checkPaths(from.path, to);
  if (refused !== undefined) return refused;
  const got = await client.get(deploymentId, service, from.path);
  if (!got.ok) return failed(from.path, 'copied', got.error);
  if (got.value.certainty === 'ambiguous') {
    const sentence = `${from.path} was not copied. ${ambiguousContent}`;
    const next = 'Download it, then upload the part that is the file.';
    return refusal('failed', from.path, sentence, next);
  }
  const target = { deploymentId, service, path: to };
  const { bytes } = got.value;
  const written = await digestOf(bytes);
  const check = await checkTransfer({ ...options, written }, target, 'written', agreed);
  if (!check.ok) return check.refusal;
  await writes.intend(target, { kind: 'written', content: bytes });
  const result = await writeFile(client, target, bytes);
  if (result.ok) void writes.fileChanged(target);
  else if (!result.error.unknownOutcome) {
    writes.notChanged(target);
    await check.refused();
  }
  return outcomeOf(result, to, 'written', `Copied ${from.path} to ${to}.`);
}

/** Moves a file to another path of its service. */
export async function moveFile(
  options: FileWriteOptions & TransferOptions,
  from: LocalPlace,
  to: string,
  agreed: Agreed,
): Promise<FileOutcome> {
  const { client, writes } = options;
  const { deploymentId, service, path } = from;
  const refused = checkPaths(path, to);
  if (refused !== undefined) return refused;
  const target = { deploymentId, service, path: to };
  const check = await checkTransfer(options, target, 'replaced', agreed);
  if (!check.ok) return check.refusal;
  const rename = () => client.rename(deploymentId, service, path, to);
  const moved = `Moved ${path} to ${to}.`;
  await writes.intend(target, { kind: 'moved', from: path });
  let result = await rename();
  if (!result.ok && !result.error.unknownOutcome) writes.notChanged(target);
  if (!check.taken || result.ok || result.error.code !== 'conflict') {
    if (result.ok) void writes.fileChanged(target);
    else if (!result.error.unknownOutcome) await check.refused();
    return outcomeOf(result, path, 'moved', moved);
  }
  // A service may refuse to rename a file to an existing path.
  await writes.intend(target, { kind: 'deleted' });
  const removed = await client.delete(deploymentId, service, to);
  if (!removed.ok) {
    if (!removed.error.unknownOutcome) {
      writes.notChanged(target);
      await check.refused();
    }
    return failed(to, 'replaced', removed.error);
  }
  void writes.fileChanged(target);
  result = await rename();
  if (result.ok) return outcomeOf(result, path, 'moved', moved);
  const failure = failed(path, 'moved', result.error);
  return {
    ...failure,
    sentence: `${to} was deleted; ${keyName('trash.undo', 'u')} restores it. ${failure.sentence}`,
  };
}

function checkPaths(from: string, to: string): FileOutcome | undefined {
  const invalidPath = [from, to].find((path) => !isRequestablePath(path));
  if (invalidPath !== undefined) return unreachable(invalidPath);
  const sentence = `The file is already at ${to}. Nothing was sent.`;
  return from === to ? refusal('failed', to, sentence, 'Choose another name.') : undefined;
}
