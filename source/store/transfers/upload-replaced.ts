import type { FilesClient } from '../../client/files.ts';
import type { ErrorCode, Result } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { FilesPlace } from '../files/files.ts';
import type { ExcludedPath, LocalFiles } from './local-files.ts';
import type { UploadItem } from './upload-plan.ts';

/** Trash for files that an upload replaces. */
export interface ReplacedTrash {
  put(
    file: FilesPlace & {
      readonly path: string;
      readonly reason: 'replaced';
      readonly bytes: Uint8Array;
      readonly batch: string;
      /** Digest of the content that replaces it. */
      readonly written: string | undefined;
      /** Milliseconds since the epoch. */
      readonly at: number;
    },
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly sentence: string }>;
}

export interface StoreReplacedOptions {
  readonly client: Pick<FilesClient, 'get'>;
  readonly local: Pick<LocalFiles, 'digest'>;
  readonly clock: Clock;
  readonly trash: ReplacedTrash;
  readonly place: FilesPlace;
  readonly items: readonly UploadItem[];
  /** Paths that are in the trash already; extended by each call. */
  readonly kept: Set<string>;
  /** The batch of the trash that the replaced files belong to. */
  readonly batch: string;
  readonly signal: AbortSignal;
}

/** Concurrent requests, because the round trip dominates for small files. */
const concurrency = 6;

const sizeErrors: ReadonlySet<ErrorCode> = new Set(['too-large', 'oversized-answer']);

/**
 * Stores the replaced files in the trash and returns the items that may be sent. An item whose
 * replaced file can't be stored is left out. An error means that no file can be stored.
 */
export async function storeReplaced(
  keeping: StoreReplacedOptions,
): Promise<
  Result<{ readonly items: readonly UploadItem[]; readonly leftOut: readonly ExcludedPath[] }>
> {
  const { items, kept } = keeping;
  const waiting = items.filter(({ path, replaces }) => replaces?.kept === true && !kept.has(path));
  const reasons = new Map<UploadItem, string>();
  for (let index = 0; index < waiting.length; index += concurrency) {
    const chunk = waiting.slice(index, index + concurrency);
    const answers = await Promise.all(chunk.map((item) => storeOne(keeping, item)));
    for (const [offset, answer] of answers.entries()) {
      if (!answer.ok) return answer;
      const item = chunk[offset];
      if (item === undefined) continue;
      if (answer.value === undefined) kept.add(item.path);
      else reasons.set(item, answer.value);
    }
  }
  const leftOut = [...reasons].map(([{ file }, reason]) => ({ path: file, reason }));
  return { ok: true, value: { items: items.filter((item) => !reasons.has(item)), leftOut } };
}

/** Stores one file. Returns undefined if it is stored or gone, else the reason of the failure. */
async function storeOne(
  { client, local, clock, trash, place, batch, signal }: StoreReplacedOptions,
  { path, file: source }: UploadItem,
): Promise<Result<string | undefined>> {
  const { deploymentId, service } = place;
  const current = await client.get(deploymentId, service, path, signal);
  if (!current.ok) {
    const { code } = current.error;
    if (code === 'not-found') return { ok: true, value: undefined };
    return sizeErrors.has(code)
      ? { ok: true, value: 'the file it replaces is too large for the trash' }
      : current;
  }
  const { bytes, certainty } = current.value;
  if (certainty === 'ambiguous') {
    // An undo would restore an envelope around the file instead of the file.
    const reason = 'the content of the file it replaces is uncertain';
    return { ok: true, value: reason };
  }
  const written = await local.digest(source);
  const at = clock.now();
  const reason = 'replaced' as const;
  const put = await trash.put({ ...place, path, reason, bytes, batch, written, at });
  return { ok: true, value: put.ok ? undefined : put.sentence };
}
