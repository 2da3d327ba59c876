import type { FilesClient } from '../../client/client.ts';
import { failed, refusal, type FileRefusal } from './outcome.ts';
import type { LocalPlace } from '../drafts/places.ts';

export type Presence =
  | { readonly kind: 'free' }
  | { readonly kind: 'file' }
  | { readonly kind: 'blocked'; readonly refusal: FileRefusal };

/**
 * What is at a path now, by a fresh listing and a GET: listings may leave files out. Where either
 * fails for another reason than that there is nothing, writing would be a guess.
 */
export async function presenceOf(
  client: FilesClient,
  { deploymentId, service, path }: LocalPlace,
  verb: string,
): Promise<Presence> {
  const listed = await client.list(deploymentId, service);
  if (!listed.ok) return { kind: 'blocked', refusal: failed(path, verb, listed.error) };
  let isFolder = false;
  for (const { value } of listed.value) {
    const at = value.directory === true ? value.path.replace(/\/+$/, '') : value.path;
    if (at === path && value.directory !== true) return { kind: 'file' };
    if (at === path || at.startsWith(`${path}/`)) isFolder = true;
    if (value.directory !== true && path.startsWith(`${at}/`)) return blocked(path, at, 'a file');
  }
  if (isFolder) return blocked(path, path, 'a folder');
  const got = await client.get(deploymentId, service, path);
  if (got.ok) return { kind: 'file' };
  if (got.error.code === 'not-found') return { kind: 'free' };
  return { kind: 'blocked', refusal: failed(path, verb, got.error) };
}

function blocked(path: string, at: string, what: string): Presence {
  const sentence = `${at} is ${what}. Nothing was sent.`;
  return { kind: 'blocked', refusal: refusal('failed', path, sentence, 'Take another name.') };
}
