import type { FilesClient } from '../../client/client.ts';
import type { ErrorCode, Result } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { FilesPlace } from '../files/files.ts';
import type { LeftOut } from './local-files.ts';
import type { UploadItem } from './upload-plan.ts';

/** Takes what is about to be replaced. */
export interface ReplacedTrash {
  put(
    file: FilesPlace & {
      readonly path: string;
      readonly reason: 'replaced';
      readonly bytes: Uint8Array;
      /** Ms since the epoch. */
      readonly at: number;
    },
  ): Promise<{ readonly ok: true } | { readonly ok: false; readonly sentence: string }>;
}

export interface Keeping {
  readonly client: Pick<FilesClient, 'get'>;
  readonly clock: Clock;
  readonly trash: ReplacedTrash;
  readonly place: FilesPlace;
  readonly items: readonly UploadItem[];
  /** Paths that are kept already; grows. */
  readonly kept: Set<string>;
  readonly signal: AbortSignal;
}

/** Requests at once: a folder of small files waits for the way there and back, not for bytes. */
const atOnce = 6;

const tooLarge: ReadonlySet<ErrorCode> = new Set(['too-large', 'oversized-answer']);

/**
 * Puts what the items replace into the trash. Gives those that may be sent then; what cannot be kept
 * is left out. An error says why nothing can be kept at all.
 */
export async function keepReplaced(
  keeping: Keeping,
): Promise<
  Result<{ readonly items: readonly UploadItem[]; readonly leftOut: readonly LeftOut[] }>
> {
  const { items, kept } = keeping;
  const waiting = items.filter(({ path, replaces }) => replaces?.kept === true && !kept.has(path));
  const reasons = new Map<UploadItem, string>();
  for (let index = 0; index < waiting.length; index += atOnce) {
    const some = waiting.slice(index, index + atOnce);
    const answers = await Promise.all(some.map((item) => keepOne(keeping, item)));
    for (const [offset, answer] of answers.entries()) {
      if (!answer.ok) return answer;
      const item = some[offset];
      if (item === undefined) continue;
      if (answer.value === undefined) kept.add(item.path);
      else reasons.set(item, answer.value);
    }
  }
  const leftOut = [...reasons].map(([{ file }, reason]) => ({ path: file, reason }));
  return { ok: true, value: { items: items.filter((item) => !reasons.has(item)), leftOut } };
}

/** Undefined once it is kept, or there is nothing any more; else why it could not be. */
async function keepOne(
  { client, clock, trash, place, signal }: Keeping,
  { path }: UploadItem,
): Promise<Result<string | undefined>> {
  const { deploymentId, service } = place;
  const found = await client.get(deploymentId, service, path, signal);
  if (!found.ok) {
    const { code } = found.error;
    if (code === 'not-found') return { ok: true, value: undefined };
    return tooLarge.has(code)
      ? { ok: true, value: 'what it replaces is too large to be kept' }
      : found;
  }
  const { bytes, reading } = found.value;
  if (reading === 'ambiguous') {
    // Put back, what may be an envelope around the file would be another file.
    const reason = 'whether the answer is what it replaces, and no more, is not sure';
    return { ok: true, value: reason };
  }
  const put = await trash.put({ ...place, path, reason: 'replaced', bytes, at: clock.now() });
  return { ok: true, value: put.ok ? undefined : put.sentence };
}
