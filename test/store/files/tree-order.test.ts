import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRecord } from '../../../source/contract/files.ts';
import { treeRows } from '../../../source/store/files/tree.ts';
import type { TreeRow } from '../../../source/store/files/tree-nodes.ts';
import { searchTree } from '../../../source/store/files/tree-search.ts';
import { compareKeys, type ListOrder, timeKey } from '../../../source/store/lists/order.ts';
import type { SearchedTexts } from '../../../source/store/lists/searched-texts.ts';
import { read } from '../requests.ts';

const unfolded = () => false;
const matchingTreeRows = (
  records: Parameters<typeof searchTree>[0],
  matches: (path: string) => boolean,
  order?: ListOrder,
) => {
  const find = ({ texts }: SearchedTexts) =>
    [...texts.keys()].filter((index) => matches(texts[index] ?? '') && texts[index] !== undefined);
  return searchTree(records, find, order).rows;
};
const paths = (rows: readonly TreeRow[]) => rows.map(({ path }) => path);
const bySize: ListOrder = { by: 'size', reversed: false };
const byTime: ListOrder = { by: 'time', reversed: false };
const byName: ListOrder = { by: 'name', reversed: false };
const backwards = (order: ListOrder): ListOrder => ({ ...order, reversed: true });

describe('a tree', () => {
  const at = (day: number) => `2026-01-0${day}T00:00:00Z`;
  const records = [
    { path: 'b.txt', size: 10, modifiedAt: at(1) },
    { path: 'a.txt', size: 30, modifiedAt: at(3) },
    { path: 'z/1', size: 1, modifiedAt: at(5) },
    { path: 'z/2', size: 2, modifiedAt: at(4) },
    { path: 'y/x', size: 99, modifiedAt: at(2) },
    { path: 'c.txt' },
    { path: 'd.txt', size: 30, modifiedAt: at(2) },
  ].map((record) => read<FileRecord>(record));
  const shown = (order: ListOrder) => paths(treeRows(records, unfolded, order));

  it('by size has the largest files first in each folder, after its folders by name', () => {
    expect(shown(bySize)).toEqual([
      'y',
      'y/x',
      'z',
      'z/2',
      'z/1',
      'a.txt',
      'd.txt',
      'b.txt',
      'c.txt',
    ]);
  });

  it('by time has the newest files first, or the oldest when reversed', () => {
    expect(shown(byTime)).toEqual([
      'y',
      'y/x',
      'z',
      'z/1',
      'z/2',
      'a.txt',
      'd.txt',
      'b.txt',
      'c.txt',
    ]);
    expect(shown(backwards(byTime))).toEqual([
      'y',
      'y/x',
      'z',
      'z/2',
      'z/1',
      'b.txt',
      'd.txt',
      'a.txt',
      'c.txt',
    ]);
  });

  it('has folders before files when reversed too', () => {
    expect(shown(backwards(byName))).toEqual([
      'z',
      'z/2',
      'z/1',
      'y',
      'y/x',
      'd.txt',
      'c.txt',
      'b.txt',
      'a.txt',
    ]);
  });

  it('returns to the first order after other orders', () => {
    const first = shown(byName);
    shown(bySize);
    expect(shown(byName)).toEqual(first);
  });

  it('keeps its order when filtered', () => {
    const matches = (path: string) => path.includes('.txt');
    expect(paths(matchingTreeRows(records, matches, bySize))).toEqual([
      'a.txt',
      'd.txt',
      'b.txt',
      'c.txt',
    ]);
  });
});

const record = fc.record({
  path: fc
    .array(fc.constantFrom('a', 'b', 'v2', 'v10'), { minLength: 1, maxLength: 3 })
    .map((parts) => parts.join('/')),
  size: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  modifiedAt: fc.constantFrom(undefined, 'never', '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
});
const records = fc
  .array(record, { maxLength: 12 })
  .map((all) => all.map((one) => read<FileRecord>(one)));
const order = fc.record({ by: fc.constantFrom('name', 'size', 'time'), reversed: fc.boolean() });

/** Returns the direct rows of each folder, in order. */
function siblings(rows: readonly TreeRow[]): ReadonlyMap<string, readonly TreeRow[]> {
  return Map.groupBy(rows, ({ path }) => path.slice(0, path.lastIndexOf('/')));
}

it('has the same rows below the same folders in any order, folders first, then as asked', () => {
  fc.assert(
    fc.property(records, order, (some, asked) => {
      const rows = treeRows(some, unfolded, asked);
      expect(paths(rows).toSorted()).toEqual(paths(treeRows([...some], unfolded)).toSorted());
      for (const below of siblings(rows).values()) {
        const kinds = below.map(({ folder }) => folder);
        expect(kinds).toEqual(kinds.toSorted((a, b) => Number(b) - Number(a)));
        if (asked.by === 'name') continue;
        const keys = below
          .filter(({ folder }) => !folder)
          .map(({ record: found }) =>
            asked.by === 'size' ? found?.size : timeKey(found?.modifiedAt),
          );
        expect(keys).toEqual(
          keys.toSorted((left, right) => compareKeys(left, right, !asked.reversed)),
        );
      }
    }),
  );
});
