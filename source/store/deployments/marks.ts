import type { DecodedRecord } from '../../client/client.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Batch } from './batch-state.ts';
import { noMarks } from '../lists/marks.ts';

/** The marks of rows that are still listed; the same set when all are. */
export function listedMarks(
  marks: ReadonlySet<string>,
  rows: readonly DecodedRecord<Deployment>[],
): ReadonlySet<string> {
  if (marks.size === 0) return marks;
  const listed = new Set(rows.map(({ value }) => value.id));
  return kept(marks, (id) => listed.has(id));
}

/** The marks without what a batch has done: what is left is what the same key asks for again. */
export function undoneMarks(marks: ReadonlySet<string>, { steps }: Batch): ReadonlySet<string> {
  return kept(marks, (id) => steps.get(id)?.kind !== 'done');
}

function kept(marks: ReadonlySet<string>, keeps: (id: string) => boolean): ReadonlySet<string> {
  const next = [...marks].filter(keeps);
  if (next.length === marks.size) return marks;
  return next.length === 0 ? noMarks : new Set(next);
}
