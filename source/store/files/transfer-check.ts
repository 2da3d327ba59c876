import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Result } from '../../client/http/errors.ts';
import type { FileRecord } from '../../contract/files.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { exists, failed, type FileRefusal, unreachable } from './outcome.ts';
import { type PathPresence, presenceIn } from './path-presence.ts';
import { putIntoTrash, type TrashingOptions } from './trashing.ts';
import type { LocalPlace } from '../drafts/places.ts';

/** The person's consent after an operation was refused. */
export interface Agreed {
  /** True when the file at the path may be replaced; it goes to the trash. */
  readonly replace?: boolean;
  /** Digest of a content that may be replaced without that; it goes to the trash, too. */
  readonly replaceOnly?: string | undefined;
  /** True when the file may be lost if no copy can go to the trash. */
  readonly unkept?: boolean;
}

/** Consent, and the batch of the trash that the operation belongs to. */
export interface AgreedInBatch extends Agreed {
  readonly batch?: string | undefined;
}

/** Tells whether a path may be written. */
export type TransferCheck =
  | {
      readonly ok: true;
      /** True when a file at the path is replaced. */
      readonly taken: boolean;
      /** Removes the copy from the trash, for a write that was refused. */
      readonly refused: () => Promise<void>;
    }
  | { readonly ok: false; readonly refusal: FileRefusal };

export interface TransferOptions extends TrashingOptions {
  /** A fresh listing of the service; fetched when it is undefined. */
  readonly listed?: Result<readonly DecodedRecord<FileRecord>[]> | undefined;
}

/** Checks that a path may be written and copies a file that is to be replaced to the trash. */
export async function checkTransfer(
  options: TransferOptions,
  place: LocalPlace,
  verb: string,
  { replace = false, replaceOnly, unkept = false }: Agreed,
): Promise<TransferCheck> {
  const { path } = place;
  if (!isRequestablePath(path)) return { ok: false, refusal: unreachable(path) };
  const presence = await findPresence(options, place, verb);
  if (presence.kind === 'blocked') return { ok: false, refusal: presence.refusal };
  if (presence.kind === 'free') return { ok: true, taken: false, refused: async () => undefined };
  if (!replace && replaceOnly === undefined) return { ok: false, refusal: exists(path) };
  const expected = replace ? undefined : replaceOnly;
  const trashing = await putIntoTrash(options, place, 'replaced', unkept, expected);
  if (trashing.kind === 'blocked') return { ok: false, refusal: trashing.refusal };
  const id = trashing.kind === 'trashed' ? trashing.id : undefined;
  return {
    ok: true,
    taken: trashing.kind === 'trashed',
    async refused() {
      if (id !== undefined) await options.trash.remove(id);
    },
  };
}

/**
 * Finds out by a fresh listing and a GET whether a path is free; a listing may omit files. Blocks the
 * write when either fails for another reason than "not found".
 */
async function findPresence(
  { client, listed: known }: Pick<TransferOptions, 'client' | 'listed'>,
  { deploymentId, service, path }: LocalPlace,
  verb: string,
): Promise<PathPresence> {
  const listed = known ?? (await client.list(deploymentId, service));
  if (!listed.ok) return { kind: 'blocked', refusal: failed(path, verb, listed.error) };
  const presence = presenceIn(listed.value, path);
  if (presence.kind !== 'free') return presence;
  const got = await client.get(deploymentId, service, path);
  if (got.ok) return { kind: 'file' };
  if (got.error.code === 'not-found') return { kind: 'free' };
  return { kind: 'blocked', refusal: failed(path, verb, got.error) };
}
