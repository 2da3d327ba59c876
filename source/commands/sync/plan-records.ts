/** The printed form of a plan: records for a table and JSON, and sentences. Pure. */
import { capitaliseTitle } from '../../client/http/errors.ts';
import type { RecordView } from '../output/record-view.ts';
import type { LocalTree } from './local-tree.ts';
import type { SyncPlan } from './plan-sync.ts';
import type { SyncWrite } from './send-sync.ts';

/** A row of a plan. */
export interface PlanRecord {
  readonly action:
    | 'create'
    | 'update'
    | 'delete'
    | 'conflict'
    | 'refused'
    | 'keep'
    | 'unsupported'
    | 'unreadable';
  readonly path: string;
  /** Bytes to send. */
  readonly size?: number | undefined;
  readonly reason?: string | undefined;
}

/** Returns the rows of a plan: first what is done, then what is not, and why. */
export function planRecords(
  plan: SyncPlan,
  { unsupported, unreadable }: Pick<LocalTree, 'unsupported' | 'unreadable'>,
): readonly PlanRecord[] {
  return [
    ...plan.creates.map(
      ({ path, content: { size } }) => ({ action: 'create', path, size }) as const,
    ),
    ...plan.updates.map(
      ({ path, content: { size } }) => ({ action: 'update', path, size }) as const,
    ),
    ...plan.deletes.map(({ path }) => ({ action: 'delete', path }) as const),
    ...plan.conflicts.map((conflict) => ({ action: 'conflict', ...conflict }) as const),
    ...plan.refused.map((each) => ({ action: 'refused', ...each }) as const),
    ...plan.kept.map((path) => ({ action: 'keep', path, reason: 'not in the folder' }) as const),
    ...unsupported.map((each) => ({ action: 'unsupported', ...each }) as const),
    ...unreadable.map((each) => ({ action: 'unreadable', ...each }) as const),
  ];
}

/** Plans as `files sync` prints them. */
export const planView: RecordView<PlanRecord> = {
  columns: [
    { title: 'ACTION', value: ({ action }) => action },
    { title: 'PATH', value: ({ path }) => path },
    {
      title: 'SIZE',
      value: ({ size }) => (size === undefined ? undefined : String(size)),
      align: 'right',
      isOptional: true,
    },
    { title: 'REASON', value: ({ reason }) => reason, isShrinkable: true },
  ],
  fields: ['action', 'path', 'size', 'reason'],
  json: (record) => ({ ...record }),
  id: ({ path }) => path,
};

/** Words of the counts, in their order; the action of a record with its noun. */
const counted: readonly (readonly [PlanRecord['action'], string])[] = [
  ['create', 'to create'],
  ['update', 'to update'],
  ['delete', 'to delete'],
  ['conflict', 'in conflict'],
  ['refused', 'refused'],
  ['keep', 'kept on the service'],
  ['unsupported', 'not supported'],
  ['unreadable', 'not readable'],
];

/** Returns the number of records of each action. */
export function planCounts(
  records: readonly PlanRecord[],
): Readonly<Record<PlanRecord['action'], number>> {
  const count = (action: PlanRecord['action']): number =>
    records.filter((record) => record.action === action).length;
  return {
    create: count('create'),
    update: count('update'),
    delete: count('delete'),
    conflict: count('conflict'),
    refused: count('refused'),
    keep: count('keep'),
    unsupported: count('unsupported'),
    unreadable: count('unreadable'),
  };
}

/** Returns the summary of a plan, such as `3 to create, 1 in conflict, 12 ignored.` */
export function planSummary(records: readonly PlanRecord[], ignored: number): string {
  const counts = planCounts(records);
  const parts = counted.flatMap(([action, words]) =>
    counts[action] === 0 ? [] : [`${counts[action]} ${words}`],
  );
  const all = [...parts, ...(ignored === 0 ? [] : [`${ignored} ignored`])];
  const changes = counts.create + counts.update + counts.delete;
  return `${changes === 0 ? ['Nothing to send', ...all].join(', ') : all.join(', ')}.`;
}

/** Returns a number of files, such as `1 file` or `3 files`. */
export function fileCount(count: number): string {
  return `${count} file${count === 1 ? '' : 's'}`;
}

/** Returns the result of a sync, such as `Sent 3 files, deleted 1 file.` */
export function sentSummary(written: readonly SyncWrite[]): string {
  const deleted = written.filter(({ action }) => action === 'delete').length;
  const uploaded = written.length - deleted;
  const parts = [
    ...(uploaded === 0 ? [] : [`sent ${fileCount(uploaded)}`]),
    ...(deleted === 0 ? [] : [`deleted ${fileCount(deleted)}`]),
  ];
  return parts.length === 0 ? 'Nothing was sent.' : `${capitaliseTitle(parts.join(', '))}.`;
}
