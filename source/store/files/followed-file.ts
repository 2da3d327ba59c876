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

/** The last fetch of a file's content. */
export interface ContentFetch {
  /** Mark of the file when the request was sent. */
  readonly mark: ContentMark;
  /** ms since the epoch. */
  readonly at: number;
  readonly hasFailed: boolean;
}

/** Milliseconds between two fetches of a file whose list tells no change, and after a failed one. */
export const refetchInterval = 30_000;

/** Bytes from which a file is not fetched without a sign of a change. */
export const mostRefetched = 64 * 1024;

/** Returns whether to fetch the content of an open file again. */
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
  // A clock that was set back delays nothing.
  const isLongAgo = now.at < last.at || now.at - last.at >= refetchInterval;
  if (now.mark !== undefined) return now.mark !== last.mark && (!last.hasFailed || isLongAgo);
  return now.isShown && now.size < mostRefetched && isLongAgo;
}
