import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileRecord } from '../../../source/contract/files.ts';
import { treePreparations, treeRows } from '../../../source/store/files/tree.ts';
import type { TreeRow } from '../../../source/store/files/tree-nodes.ts';
import { searchTree } from '../../../source/store/files/tree-search.ts';
import type { ListOrder } from '../../../source/store/lists/order.ts';
import type { SearchedTexts } from '../../../source/store/lists/searched-texts.ts';
import { read } from '../requests.ts';

const files = (...paths: readonly string[]) => paths.map((path) => read<FileRecord>({ path }));
const directory = (path: string) => read<FileRecord>({ path, directory: true });
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
const pathsOf = (rows: readonly TreeRow[]) => rows.map((row) => row.path);
const above = (path: string) => path.slice(0, path.lastIndexOf('/'));
const hasAbove = (path: string) => path.includes('/');

/** Returns the folders above a path, nearest first. */
function ancestors(path: string): readonly string[] {
  return hasAbove(path) ? [above(path), ...ancestors(above(path))] : [];
}

const segment = fc.constantFrom('a', 'b', 'v2', 'v10', '', '.', '..', '__proto__', 'é', 'e\u0301');
const pathArbitrary = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join('/'));
const recordArbitrary = fc
  .record(
    { path: pathArbitrary, directory: fc.constantFrom(undefined, false, true) },
    { noNullPrototype: true },
  )
  .map((record) => read<FileRecord>(record));
const recordsArbitrary = fc.array(recordArbitrary, { maxLength: 12 });

/** Returns the tree path of a record, without the trailing slash of a directory. */
function treePathOf({ path, directory: isDirectory }: FileRecord): string {
  return isDirectory === true && path.length > 1 ? path.replace(/\/$/, '') : path;
}

/** Compares names without accents and case, and numbers by their value. */
function compareNaturally(left: string, right: string): number {
  const [a, b] = [left, right].map((name) => {
    const plain = name.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
    return plain.match(/\d+|\D/gs) ?? [];
  });
  for (const [index, one] of (a ?? []).entries()) {
    const other = b?.[index];
    if (other === undefined) return 1;
    const numbers = [one, other].map((part) => (/\d/.test(part) ? BigInt(part) : undefined));
    const [m, n] = numbers;
    if (m !== undefined && n !== undefined && m !== n) return m < n ? -1 : 1;
    if (m !== undefined && n !== undefined) continue;
    const [x, y] = [m === undefined ? one : '0', n === undefined ? other : '0'];
    if (x !== y) return x < y ? -1 : 1;
  }
  return (a?.length ?? 0) - (b?.length ?? 0);
}

describe('a tree', () => {
  it('puts folders first, each with its files below it, and numbers by their value', () => {
    const rows = treeRows(
      files('z.txt', 'config/v10', 'config/v2', 'B.txt', 'a.txt', 'config/deep/x', 'app/main.ts'),
      unfolded,
    );
    expect(
      rows.map((row) => `${'  '.repeat(row.depth)}${row.name}${row.folder ? '/' : ''}`),
    ).toEqual([
      'app/',
      '  main.ts',
      'config/',
      '  deep/',
      '    x',
      '  v2',
      '  v10',
      'a.txt',
      'B.txt',
      'z.txt',
    ]);
  });

  it('hides what is below a folded folder, and keeps the folder', () => {
    const rows = treeRows(files('a/b/c', 'a/d', 'e'), (path) => path === 'a');
    expect(pathsOf(rows)).toEqual(['a', 'e']);
    expect(rows[0]).toMatchObject({ folder: true, open: false });
  });

  it('shows an empty directory that the service lists', () => {
    expect(treeRows([directory('logs')], unfolded)).toEqual([
      {
        path: 'logs',
        name: 'logs',
        depth: 0,
        folder: true,
        open: true,
        record: { path: 'logs', directory: true },
      },
    ]);
  });

  it('ignores the trailing slash of a directory', () => {
    expect(pathsOf(treeRows([directory('a/'), ...files('a/x')], unfolded))).toEqual(['a', 'a/x']);
  });

  it('shows a path that is both a file and a folder as one row', () => {
    for (const records of [files('a', 'a/b'), files('a/b', 'a')]) {
      const rows = treeRows(records, unfolded);
      expect(pathsOf(rows)).toEqual(['a', 'a/b']);
      expect(rows[0]).toMatchObject({ folder: true, record: { path: 'a' } });
    }
  });

  it('shows paths that no URL can address', () => {
    expect(pathsOf(treeRows(files('', '/', 'a//b', '../x', './y', 'z/'), unfolded))).toEqual([
      '',
      '/',
      '.',
      './y',
      '..',
      '../x',
      'a',
      'a/',
      'a//b',
      'z',
      'z/',
    ]);
    expect(pathsOf(treeRows([directory(''), directory('/')], unfolded))).toEqual(['', '/']);
  });

  it('can be deeper than the call stack', () => {
    const depth = 12_000;
    const path = Array.from({ length: depth }, () => 'd').join('/');
    expect(treeRows(files(path), (folder) => folder.length > 1)).toHaveLength(2);
    expect(treeRows(files(path), unfolded)).toHaveLength(depth);
  });

  it('returns the same rows for the same listing', () => {
    const records = files('a/b', 'a/c', 'd');
    const open = treeRows(records, unfolded);
    const folded = treeRows(records, () => true);
    expect(folded[1]).toBe(open[3]);
    for (const [index, row] of treeRows(records, unfolded).entries()) expect(row).toBe(open[index]);
  });
});

describe('any tree', () => {
  it('has exactly one row for each listed or implied path', () => {
    fc.assert(
      fc.property(recordsArbitrary, (records) => {
        const listed = records.map(({ value }) => treePathOf(value));
        const wanted = new Set([...listed, ...listed.flatMap(ancestors)]);
        expect(pathsOf(treeRows(records, unfolded)).toSorted()).toEqual([...wanted].toSorted());
      }),
    );
  });

  it('has every record on the row of its path', () => {
    fc.assert(
      fc.property(recordsArbitrary, (records) => {
        const newest = new Map(records.map(({ value }) => [treePathOf(value), value]));
        const rows = treeRows(records, unfolded).filter((row) => row.record !== undefined);
        expect(new Map(rows.map((row) => [row.path, row.record]))).toEqual(newest);
        expect(rows).toHaveLength(newest.size);
      }),
    );
  });

  it('has a folder where a path has children or is a listed directory', () => {
    fc.assert(
      fc.property(recordsArbitrary, (records) => {
        const folders = new Set(
          records.flatMap(({ value }) => [
            ...ancestors(treePathOf(value)),
            ...(value.directory === true ? [treePathOf(value)] : []),
          ]),
        );
        for (const row of treeRows(records, unfolded)) {
          expect(row.folder).toBe(folders.has(row.path));
          expect(row.open).toBe(row.folder);
        }
      }),
    );
  });

  it('is in order: below its folder, at its depth, folders before files, then by name', () => {
    fc.assert(
      fc.property(recordsArbitrary, (records) => {
        const lastOf = new Map<string, TreeRow>();
        const open: TreeRow[] = [];
        for (const row of treeRows(records, unfolded)) {
          open.splice(row.depth);
          expect(row.depth).toBe(ancestors(row.path).length);
          expect(open.at(-1)?.path).toBe(hasAbove(row.path) ? above(row.path) : undefined);
          const key = `${row.depth} ${open.at(-1)?.path}`;
          const before = lastOf.get(key);
          if (before !== undefined) {
            expect(Number(before.folder)).toBeGreaterThanOrEqual(Number(row.folder));
            if (before.folder === row.folder) {
              expect(compareNaturally(before.name, row.name)).toBeLessThanOrEqual(0);
            }
          }
          lastOf.set(key, row);
          open.push(row);
        }
      }),
    );
  });

  it('does not depend on the order of the listing', () => {
    const shuffled = fc
      .uniqueArray(recordArbitrary, { maxLength: 10, selector: ({ value }) => treePathOf(value) })
      .chain((records) =>
        fc.tuple(
          fc.constant(records),
          fc.shuffledSubarray(records, { minLength: records.length, maxLength: records.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([records, others]) => {
        expect(treeRows(others, unfolded)).toEqual(treeRows(records, unfolded));
      }),
    );
  });

  it('hides exactly the rows below a folded folder', () => {
    fc.assert(
      fc.property(recordsArbitrary, fc.array(pathArbitrary), (records, foldedPaths) => {
        const folded = new Set(foldedPaths);
        const rows = treeRows(records, (path) => folded.has(path));
        const shown = treeRows(records, unfolded).filter(
          (row) => !ancestors(row.path).some((path) => folded.has(path)),
        );
        expect(pathsOf(rows)).toEqual(pathsOf(shown));
        for (const row of rows) expect(row.open).toBe(row.folder && !folded.has(row.path));
      }),
    );
  });
});

describe('a filtered tree', () => {
  it('has a folder for a path listed both as a folder and as a file', () => {
    const records = [
      read<FileRecord>({ path: 'a', directory: true }),
      read<FileRecord>({ path: 'a' }),
    ];
    expect(matchingTreeRows(records, () => true)).toEqual(treeRows(records, unfolded));
  });

  it('has the matches and the folders above them, unfolded', () => {
    fc.assert(
      fc.property(recordsArbitrary, (records) => {
        const matches = (path: string) => path.includes('a');
        const matching = records.filter(({ value }) => matches(value.path));
        const rows = matchingTreeRows(records, matches);
        expect(rows).toEqual(treeRows(matching, unfolded));
      }),
    );
  });
});

it('orders numbers by their value and ignores case and accents', () => {
  const names = ['v10', 'V2', 'v1', 'été', 'ete2', 'Ete10', 'file', 'v01'];
  const rows = treeRows(
    names.map((path) => read<FileRecord>({ path })),
    unfolded,
  );
  const shown = rows.map(({ name }) => name);
  expect(shown).toEqual(['été', 'ete2', 'Ete10', 'file', 'v01', 'v1', 'V2', 'v10']);
});

it('filters to the rows of a tree that has only the matching records', () => {
  fc.assert(
    fc.property(recordsArbitrary, fc.constantFrom('a', '.', '/', 'b', ''), (records, word) => {
      const unique = [...new Map(records.map((one) => [treePathOf(one.value), one])).values()];
      const matches = (path: string) => path.includes(word);
      expect(matchingTreeRows(unique, matches)).toEqual(
        treeRows(
          unique.filter(({ value }) => matches(value.path)),
          unfolded,
        ),
      );
    }),
  );
});

it('updates a tree to the rows of a newly built tree, in each order', () => {
  const changed = fc.array(
    fc.record({ path: pathArbitrary, sizes: fc.tuple(fc.nat(3), fc.nat(3)) }),
    {
      maxLength: 12,
    },
  );
  const order = fc.constantFrom<ListOrder>(
    { by: 'name', reversed: false },
    { by: 'size', reversed: false },
    { by: 'size', reversed: true },
  );
  fc.assert(
    fc.property(changed, order, (all, by) => {
      const [before, after, again] = [0, 1, 1].map((at) =>
        all.map(({ path, sizes }) => read<FileRecord>({ path, size: sizes[at] ?? 0 })),
      );
      treeRows(before ?? [], unfolded, by);
      matchingTreeRows(before ?? [], () => true, by);
      const rows = treeRows(after ?? [], unfolded, by);
      const matching = matchingTreeRows(after ?? [], (path) => path.includes('a'), by);
      // Another listing in between discards the cached tree.
      treeRows(files('other'), unfolded);
      expect(rows).toEqual(treeRows(again ?? [], unfolded, by));
      expect(matching).toEqual(matchingTreeRows(again ?? [], (path) => path.includes('a'), by));
      expect(treeRows(before ?? [], unfolded, by).map(({ record }) => record?.size)).toEqual(
        treeRows(structuredClone(before ?? []), unfolded, by).map(({ record }) => record?.size),
      );
    }),
  );
});

it('has the same rows before, while and after they are prepared', () => {
  const isFolded = fc.constantFrom<(path: string) => boolean>(unfolded, (path) => path === 'a');
  const paths = fc.uniqueArray(pathArbitrary, { maxLength: 12 });
  const sizes = fc.tuple(fc.nat(3), fc.nat(3));
  fc.assert(
    fc.property(paths, isFolded, fc.nat({ max: 5 }), sizes, (all, folded, count, [one, two]) => {
      const order: ListOrder = { by: 'size', reversed: false };
      const other: ListOrder = { by: 'name', reversed: true };
      const matches = (text: string) => text.includes('v');
      const listed = (size: number) =>
        all.map((path, at) => read<FileRecord>({ path, size: (at * size) % 4 }));
      const shown = (records: ReturnType<typeof listed>) => [
        treeRows(records, folded, order),
        matchingTreeRows(records, matches, order),
      ];
      const records = listed(one);
      const steps = treePreparations(records, order);
      for (const step of steps.slice(0, count)) step();
      const before = shown(records);
      matchingTreeRows(records, matches, other);
      for (const step of steps.slice(count, -1)) step();
      const changed = listed(two);
      const early = shown(changed);
      for (const step of steps.slice(-1)) step();
      const after = shown(changed);
      // Another listing in between discards the cached tree.
      treeRows(files('other'), unfolded);
      expect(before).toEqual(shown(structuredClone(records)));
      treeRows(files('other'), unfolded);
      expect(early).toEqual(shown(structuredClone(changed)));
      expect(after).toEqual(early);
    }),
  );
});
