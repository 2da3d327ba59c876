import { expect, it } from 'vitest';
import type { TrashEntry } from '../../../source/store/drafts/trash.ts';
import type { ProofRecord } from '../../../source/store/proof/proof-record.ts';
import { restorableFiles } from '../../../source/store/proof/restorable-files.ts';

const restartedAt = 1_000_000;
const web = (path: string) => ({ service: 'web', path });

const record = (paths: readonly string[], more: Partial<ProofRecord> = {}): ProofRecord => ({
  deploymentId: 'shop',
  name: 'shop',
  at: restartedAt,
  changedFrom: restartedAt - 60_000,
  requestedAt: restartedAt,
  files: paths.map(web),
  verdict: 'worse',
  isJudged: true,
  isUndone: false,
  ...more,
});

const entry = (
  path: string,
  secondsBefore: number,
  more: Partial<TrashEntry> = {},
): TrashEntry => ({
  ...web(path),
  id: `${path} ${secondsBefore}`,
  deploymentId: 'shop',
  reason: 'saved',
  written: `after ${secondsBefore}`,
  at: restartedAt - secondsBefore * 1000,
  size: 1,
  ...more,
});

const restorable = (
  one: ProofRecord,
  entries: readonly TrashEntry[],
  records: readonly ProofRecord[] = [],
) => {
  const { files, others } = restorableFiles(
    one,
    entries.map((each) => [each] as const),
    records,
  );
  return {
    files: files.map(({ entry: { id }, written }) => [id, written]),
    others: others.map(({ path }) => path),
  };
};

it('a file goes back to its version before the first of several saves', () => {
  const saves = [entry('a', 10), entry('a', 30), entry('a', 50)];
  expect(restorable(record(['a']), saves)).toEqual({
    files: [['a 50', 'after 10']],
    others: [],
  });
});

it('new files and those without a copy are named', () => {
  expect(restorable(record(['new', 'a']), [entry('a', 10)])).toEqual({
    files: [['a 10', 'after 10']],
    others: ['new'],
  });
});

it('copies of other restarts, services, deployments and drafts are left alone', () => {
  const others = [
    entry('a', -5),
    entry('a', 300),
    entry('a', 20, { service: 'worker' }),
    entry('a', 21, { deploymentId: 'ledger' }),
    entry('a', 22, { reason: 'discarded' }),
  ];
  expect(restorable(record(['a']), others)).toEqual({ files: [], others: ['a'] });
  const earlier = record(['a'], { requestedAt: restartedAt - 40_000, at: restartedAt - 40_000 });
  const saves = [entry('a', 20), entry('a', 45)];
  expect(restorable(record(['a']), saves, [earlier]).files).toEqual([['a 20', 'after 20']]);
});

it('a deleted file is restored, and a moved one goes back before its text does', () => {
  const moved = entry('a', 10, { reason: 'moved', movedTo: 'b', written: undefined });
  const changes = [moved, entry('a', 20), entry('c', 5, { reason: 'deleted', written: undefined })];
  expect(restorable(record(['a', 'b', 'c']), changes)).toEqual({
    files: [
      ['c 5', undefined],
      ['a 10', undefined],
      ['a 20', 'after 20'],
    ],
    others: [],
  });
});
