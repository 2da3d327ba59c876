import { isRequestablePath } from '../../contract/routes.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { type FileRefusal, unreachable } from './outcome.ts';
import { presenceIn } from './path-presence.ts';

/**
 * Returns why a new file can't have a path: the path is invalid, or the listing has a folder there or
 * a file above it. Undefined for a path that is free or has a file.
 */
export function newPathRefusal(
  listed: readonly DecodedRecord<FileRecord>[],
  path: string,
): FileRefusal | undefined {
  if (!isRequestablePath(path)) return unreachable(path);
  const presence = presenceIn(listed, path);
  return presence.kind === 'blocked' ? presence.refusal : undefined;
}
