import { isRequestablePath } from '../../contract/routes.ts';
import { exists, type FileRefusal, unreachable } from './outcome.ts';
import { presenceOf } from './presence.ts';
import { putIntoTrash, type TrashingOptions } from './trashing.ts';
import type { LocalPlace } from '../drafts/places.ts';

/** What the person agreed to when an operation was refused at first. */
export interface Agreed {
  /** What is at the path goes into the trash and is replaced. */
  readonly replace?: boolean;
  /** What cannot be put into the trash is lost. */
  readonly unkept?: boolean;
}

/** Whether a path may be written. */
export type TransferCheck =
  | {
      readonly ok: true;
      /** Something is there and may be replaced. */
      readonly taken: boolean;
      /** The write was refused: what is there stays, so its copy in the trash goes. */
      readonly refused: () => Promise<void>;
    }
  | { readonly ok: false; readonly refusal: FileRefusal };

/** Looks whether a path is free; what is there goes into the trash when it may be replaced. */
export async function checkTransfer(
  options: TrashingOptions,
  place: LocalPlace,
  verb: string,
  { replace = false, unkept = false }: Agreed,
): Promise<TransferCheck> {
  const { path } = place;
  if (!isRequestablePath(path)) return { ok: false, refusal: unreachable(path) };
  const presence = await presenceOf(options.client, place, verb);
  if (presence.kind === 'blocked') return { ok: false, refusal: presence.refusal };
  if (presence.kind === 'free') return { ok: true, taken: false, refused: async () => undefined };
  if (!replace) return { ok: false, refusal: exists(path) };
  const kept = await putIntoTrash(options, place, 'replaced', unkept);
  if (kept.kind === 'blocked') return { ok: false, refusal: kept.refusal };
  const id = kept.kind === 'kept' ? kept.id : undefined;
  return {
    ok: true,
    taken: kept.kind === 'kept',
    async refused() {
      if (id !== undefined) await options.trash.remove(id);
    },
  };
}
