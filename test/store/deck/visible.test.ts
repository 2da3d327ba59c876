import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { FileRecord } from '../../../source/contract/files.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import {
  type ListOrder,
  orderNames,
  readOrder,
  reversedOrder,
} from '../../../source/store/lists/order.ts';
import { emptyAddressBook } from '../../../source/store/grants/address-book.ts';
import {
  firstMatch,
  idsOf,
  pathsOf,
  visibleDeployments,
  visibleFiles,
  visibleGrants,
} from '../../../source/store/deck/visible.ts';
import { read } from '../requests.ts';

function orderOf(by: (typeof orderNames)['grants'][number]): ListOrder {
  return readOrder('grants', by) ?? { by, reversed: false };
}

const folded = { startsFolded: true, toggled: new Set<string>() };
const unfolded = { startsFolded: false, toggled: new Set<string>() };

describe('visible deployments', () => {
  const rows = [
    read<Deployment>({
      id: '3f0c2a44-7d1e-4a6b-9c55-0123456789ab-1',
      name: 'shop',
      state: 'active',
      services: [{ name: 'web' }, { name: 'api' }],
    }),
    read<Deployment>({ id: 'batch-2', state: 'inactive', services: [{ name: 'job' }] }),
    read<Deployment>({ id: 'old-3', services: [] }),
  ];
  const visible = (typed: string) =>
    visibleDeployments(rows, typed).map((row) => rows.indexOf(row));

  it('are the same array without a filter', () => {
    expect(visibleDeployments(rows, '  ')).toBe(rows);
  });

  it('are found by name, by any part of the id, and by service', () => {
    expect(visible('shop')).toEqual([0]);
    expect(visible('4a6b')).toEqual([0]);
    expect(visible('job')).toEqual([1]);
    expect(visible('service:api')).toEqual([0]);
    expect(visible('!web')).toEqual([1, 2]);
  });

  it('are found by state; a deployment without a state matches none', () => {
    expect(visible('state:active')).toEqual([0]);
    expect(visible('!state:active')).toEqual([1, 2]);
  });

  it('stay in the order of the service', () => {
    expect(visible('-')).toEqual([0, 1, 2]);
  });

  it('are the matching rows in the requested order, and the same array each time', () => {
    const byName = { by: 'name', reversed: false } as const;
    for (const typed of ['', '-']) {
      const shown = visibleDeployments(rows, typed, byName);
      expect(shown.map((row) => rows.indexOf(row))).toEqual([1, 2, 0]);
      expect(visibleDeployments(rows, typed, byName)).toBe(shown);
      expect(idsOf(shown)).toBe(idsOf(visibleDeployments(rows, typed, byName)));
      expect(visibleDeployments([...rows], typed, byName)).toEqual(shown);
    }
    expect(visible('')).toEqual([0, 1, 2]);
  });
});

describe('visible grants', () => {
  const now = Date.UTC(2026, 5, 1);
  const grant = (id: string, more: Partial<Grant> = {}) =>
    read<Grant>({
      id,
      grantor: '0xAAAA',
      grantee: '0xBBBB',
      limit: 10,
      spent: 0,
      expires_at: new Date(now + 1000).toISOString(),
      created_at: '2026-01-01T00:00:00Z',
      ...more,
    });
  const rows = [grant('1'), grant('2', { spent: 10 }), grant('3', { grantee: '0xCCCC' })];
  const visible = (typed: string, at = now) =>
    visibleGrants(rows, typed, at).map((row) => row.value.id);

  it('are the same array without a filter', () => {
    expect(visibleGrants(rows, '', now)).toBe(rows);
  });

  it('are found by either address', () => {
    expect(visible('0xaaaa')).toEqual(['1', '2', '3']);
    expect(visible('cccc')).toEqual(['3']);
  });

  it('are found by the name of either address', () => {
    const book = [{ name: 'Dana', address: '0xcccc' }];
    const ids = visibleGrants(rows, 'dana', now, book).map((row) => row.value.id);
    expect(ids).toEqual(['3']);
  });

  it("are found by the state they are in by the service's clock", () => {
    expect(visible('state:active')).toEqual(['1', '3']);
    expect(visible('state:limit')).toEqual(['2']);
    expect(visible('state:expired', now + 1000)).toEqual(['1', '2', '3']);
    expect(visible('state:expired', now)).toEqual([]);
  });

  it('are the same array at any time until a grant expires', () => {
    const byTime = { by: 'time left', reversed: false } as const;
    const at = (moment: number) =>
      visibleGrants(rows, 'state:active', moment, emptyAddressBook, byTime, '0xAAAA');
    const shown = at(now);
    expect(at(now + 999)).toBe(shown);
    expect(at(now - 999)).toBe(shown);
    expect(at(now + 1000)).toEqual([]);
    expect(at(now)).toEqual(shown);
  });

  it('depend only on rows, filter, order and time, in any sequence of calls', () => {
    const some = [
      grant('1', { spent: 3, expires_at: new Date(now + 2000).toISOString() }),
      grant('2', { spent: 10 }),
      grant('3', { grantor: '0xCCCC', grantee: '0xAAAA', status: 'revoked' }),
      grant('4', { spent: 5, expires_at: new Date(now - 1000).toISOString() }),
    ];
    const ask = fc.record({
      typed: fc.constantFrom('', ' ', 'b', 'state:active', '!STATE:exp'),
      by: fc.constantFrom(...orderNames.grants),
      reversed: fc.boolean(),
      moment: fc.constantFrom(...[-2, -1, 0, 1, 2, 3].map((seconds) => now + seconds * 1000)),
      wallet: fc.constantFrom(undefined, '0xAAAA'),
      book: fc.constantFrom(emptyAddressBook, [{ name: 'bob', address: '0xCCCC' }]),
    });
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 8 }), (asked) => {
        for (const { typed, by, reversed, moment, wallet, book } of asked) {
          const order = reversed ? reversedOrder(orderOf(by)) : orderOf(by);
          expect(visibleGrants(some, typed, moment, book, order, wallet)).toEqual(
            visibleGrants([...some], typed, moment, book, order, wallet),
          );
        }
      }),
    );
  });
});

describe('visible files', () => {
  const rows = ['config/app.yaml', 'config/nginx.conf', 'public/app/logo.png', 'app.ts'].map(
    (path) => read<FileRecord>({ path }),
  );
  const visible = (typed: string) => visibleFiles(rows, typed, folded).map((row) => row.path);

  it('are the folded tree without a filter', () => {
    expect(visible('')).toEqual(['config', 'public', 'app.ts']);
  });

  it('are unfolded down to the matches', () => {
    expect(visible('nginx')).toEqual(['config', 'config/nginx.conf']);
    expect(visible('!app')).toEqual(['config', 'config/nginx.conf']);
  });

  it('depend only on listing, filter and folds, in any sequence of calls', () => {
    const folders = fc.uniqueArray(fc.constantFrom('config', 'public', 'public/app'));
    const ask = fc.record({
      typed: fc.constantFrom('', ' ', 'app', 'nginx'),
      startsFolded: fc.boolean(),
      toggled: folders.map((some) => new Set(some)),
    });
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 6 }), (asked) => {
        for (const { typed, ...folds } of asked) {
          const shown = visibleFiles(rows, typed, folds);
          expect(visibleFiles([...rows], typed, folds)).toEqual(shown);
          expect(visibleFiles(rows, typed, folds)).toBe(shown);
          expect(pathsOf(shown)).toEqual(shown.map(({ path }) => path));
        }
      }),
    );
  });

  it('keep their array while neither the listing nor the filter changes', () => {
    const filtered = visibleFiles(rows, 'app', folded);
    expect(visibleFiles(rows, 'app', unfolded)).toBe(filtered);
    expect(visible('app.ts')).toEqual(['app.ts']);
    expect(visible('app')).toEqual(filtered.map((row) => row.path));
    expect(visibleFiles([...rows].slice(3), 'app', folded)).toHaveLength(1);
  });

  it('start the cursor on the first matching file, not on a folder above it', () => {
    const first = (typed: string) => visible(typed)[firstMatch(visibleFiles(rows, typed, folded))];
    expect(first('nginx')).toBe('config/nginx.conf');
    expect(first('app')).toBe('config/app.yaml');
    expect(first('nothing')).toBeUndefined();
  });

  it('start the cursor on a listed directory where no file matches', () => {
    const listed = [read<FileRecord>({ path: 'var/log', directory: true })];
    expect(firstMatch(visibleFiles(listed, 'log', folded))).toBe(1);
  });

  it('start the cursor on a row that matches, for any filter', () => {
    const typedArbitrary = fc.constantFrom('a', 'app', 'g', 'config', '!app', 'zzz', 'o !n');
    fc.assert(
      fc.property(fc.subarray(rows), typedArbitrary, (some, typed) => {
        const shown = visibleFiles(some, typed, folded);
        const row = shown[firstMatch(shown)];
        expect(row === undefined).toBe(shown.length === 0);
        if (row !== undefined) expect(row.record?.path).toBe(row.path);
      }),
    );
  });
});
