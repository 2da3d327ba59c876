/** Decides when the content of an open file is fetched again. */
import type { FileRecord } from '../../contract/files.ts';

/** Size and time of a file in a list, which change with its content; undefined where a list has neither. */
export type ContentMark = string | undefined;

/**
 * Returns the mark of a file in a list: its size and time of modification. Undefined where the list tells
 * neither; the service may then change the file without a sign.
 * @param record undefined for a file that is not listed.
 */
export function contentMark(record: FileRecord | undefined): ContentMark {
  if (record === undefined) return 'not listed';
  const { size, modifiedAt } = record;
  return size === undefined && modifiedAt === undefined
    ? undefined
    : `${size ?? ''} ${modifiedAt ?? ''}`;
}

/** Tells whether a fetch found another content than the last one, the same, or none. */
type FetchOutcome = 'changed' | 'same' | 'failed';

/** The last fetch of a file's content. */
export interface ContentFetch {
  /** Mark of the file when the request was sent, or the one before a fetch that failed. */
  readonly mark: ContentMark;
  /** ms since the epoch. */
  readonly at: number;
  /** Undefined until the answer is there, and for the content that was opened. */
  readonly outcome: FetchOutcome | undefined;
}

/** Milliseconds between two fetches of a file whose list tells no change, and after a fetch in vain. */
export const refetchInterval = 30_000;

/** Milliseconds after a fetch of a large file that found the same content. */
export const largeRefetchInterval = 600_000;

/** Bytes from which a file is large; it is not fetched without a sign of a change. */
export const mostRefetched = 64 * 1024;

/**
 * Returns whether to fetch the content of an open file again: when its mark is another one than at the last
 * fetch. The mark need not agree with the content, and some services change it in every list; after a mark
 * that changed while the content stayed, the next one has to wait.
 */
export function isRefetchDue(
  last: ContentFetch,
  now: {
    readonly mark: ContentMark;
    /** ms since the epoch. */
    readonly at: number;
    /** Bytes of the content that was fetched last. */
    readonly size: number;
    /** True while the file is on the screen. */
    readonly isShown: boolean;
  },
): boolean {
  const isLarge = now.size >= mostRefetched;
  const interval = isLarge && last.outcome === 'same' ? largeRefetchInterval : refetchInterval;
  // A clock that was set back delays nothing.
  const isLongAgo = now.at < last.at || now.at - last.at >= interval;
  if (now.mark === undefined) return now.isShown && !isLarge && isLongAgo;
  const isInVain = last.outcome === 'same' || last.outcome === 'failed';
  return now.mark !== last.mark && (!isInVain || isLongAgo);
}
