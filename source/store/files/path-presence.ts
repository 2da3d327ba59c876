import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { type FileRefusal, refusal } from './outcome.ts';

/** Tells whether a path is free for a file. */
export type PathPresence =
  | { readonly kind: 'free' }
  | { readonly kind: 'file' }
  | { readonly kind: 'blocked'; readonly refusal: FileRefusal };

/** Returns what a listing has at a path; a folder there or a file above it blocks the path. */
export function presenceIn(
  listed: readonly DecodedRecord<FileRecord>[],
  path: string,
): PathPresence {
  let isFolder = false;
  for (const { value } of listed) {
    const entry = value.directory === true ? value.path.replace(/\/+$/, '') : value.path;
    if (entry === path && value.directory !== true) return { kind: 'file' };
    if (entry === path || entry.startsWith(`${path}/`)) isFolder = true;
    if (value.directory !== true && path.startsWith(`${entry}/`)) {
      return blocked(path, entry, 'a file');
    }
  }
  return isFolder ? blocked(path, path, 'a folder') : { kind: 'free' };
}

function blocked(path: string, obstacle: string, kind: string): PathPresence {
  const sentence = `${obstacle} is ${kind}. Nothing was sent.`;
  return { kind: 'blocked', refusal: refusal('failed', path, sentence, 'Choose another name.') };
}
