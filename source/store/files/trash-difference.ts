import {
  type ChangedLine,
  changedLines,
  countChangedLines,
  diffLines,
  type LineCounts,
} from '../../editor/diff.ts';
import { splitLines } from '../../editor/text-lines.ts';
import { digestOf } from '../drafts/digest.ts';
import type { TrashEntry } from '../drafts/trash.ts';
import type { TrashingOptions } from './trashing.ts';
import { decodeFileText } from './write.ts';

/** The way from the content on the service back to a version in the trash. */
export type TrashDifference =
  | {
      readonly kind: 'text';
      readonly counts: LineCounts;
      /** The first changed lines. */
      readonly lines: readonly ChangedLine[];
      /** True when somebody has changed the file since our last change. */
      readonly isLater: boolean;
    }
  /** The file is not text, or is not there. */
  | { readonly kind: 'other' | 'missing'; readonly isLater: boolean }
  | { readonly kind: 'unread'; readonly sentence: string };

/** Changed lines that a difference names. */
const mostLines = 8;

/**
 * Compares the file on the service with its version in the trash.
 * @param expected digest of our last change.
 */
export async function compareWithTrash(
  { client, trash }: Pick<TrashingOptions, 'client' | 'trash'>,
  entry: TrashEntry,
  expected: string | undefined,
): Promise<TrashDifference> {
  const { deploymentId, service, path } = entry;
  const [kept, got] = await Promise.all([
    trash.take(entry.id),
    client.get(deploymentId, service, path),
  ]);
  if (kept === undefined) {
    return { kind: 'unread', sentence: `The trash copy of ${path} can't be read.` };
  }
  if (!got.ok) {
    if (got.error.code === 'not-found') return { kind: 'missing', isLater: expected !== undefined };
    return { kind: 'unread', sentence: got.error.sentence };
  }
  const { bytes } = got.value;
  const isLater = expected === undefined || (await digestOf(bytes)) !== expected;
  const [now, before] = [decodeFileText(bytes), decodeFileText(kept.bytes)];
  if (now === undefined || before === undefined) return { kind: 'other', isLater };
  const sides = [splitLines(now), splitLines(before)] as const;
  const hunks = diffLines(...sides);
  const lines = changedLines(hunks, ...sides, mostLines);
  return { kind: 'text', counts: countChangedLines(hunks), lines, isLater };
}
