import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Batch } from './batch-state.ts';
import { noMarks } from '../lists/marks.ts';

/** Removes the marks of rows that are not listed; returns the same set when all are listed. */
export function listedMarks(
  marks: ReadonlySet<string>,
  rows: readonly DecodedRecord<Deployment>[],
): ReadonlySet<string> {
  if (marks.size === 0) return marks;
  const listed = new Set(rows.map(({ value }) => value.id));
  return filterMarks(marks, (id) => listed.has(id));
}

/** Removes the marks of deployments that a batch has done, so that the same key retries the others. */
export function undoneMarks(marks: ReadonlySet<string>, { steps }: Batch): ReadonlySet<string> {
  return filterMarks(marks, (id) => steps.get(id)?.kind !== 'done');
}

function filterMarks(
  marks: ReadonlySet<string>,
  isKept: (id: string) => boolean,
): ReadonlySet<string> {
  const next = [...marks].filter(isKept);
  if (next.length === marks.size) return marks;
  return next.length === 0 ? noMarks : new Set(next);
}
