import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { FileRecord } from '../../../source/contract/files.ts';
import { progressAt } from '../../../source/store/transfers/progress.ts';
import {
  halvedLimits,
  itemsToSend,
  maxStoredBytes,
  nextBatch,
  planUpload,
  type UploadItem,
} from '../../../source/store/transfers/upload-plan.ts';

const place = { deploymentId: 'shop', service: 'web' };

function plan(paths: readonly string[], existing: readonly FileRecord[] = [], target = '') {
  const files = paths.map((path) => ({ file: `/local/${path}`, path, size: 1 }));
  return planUpload({ place, target, walked: { files, leftOut: [] }, existing });
}

function items(...sizes: readonly number[]): readonly UploadItem[] {
  return sizes.map((size, index) => {
    const path = String(index);
    return { file: `/${path}`, path, size, replaces: undefined };
  });
}

describe('a planned upload', () => {
  it('places local files below the target', () => {
    const made = plan(['site/a', 'b'], [], '/public/www/');
    expect(made.items.map(({ file, path }) => [file, path])).toEqual([
      ['/local/site/a', 'public/www/site/a'],
      ['/local/b', 'public/www/b'],
    ]);
  });

  it('marks replaced files and whether they fit into the trash', () => {
    const existing = [
      { path: 'a', size: 5 },
      { path: 'b', size: maxStoredBytes + 1 },
      { path: 'c' },
      { path: 'other' },
    ];
    const made = plan(['a', 'b', 'c', 'd'], existing);
    expect(made.items.map(({ replaces }) => replaces)).toEqual([
      { size: 5, kept: true },
      { size: maxStoredBytes + 1, kept: false },
      { size: undefined, kept: true },
      undefined,
    ]);
    const sent = (decision: 'replace' | 'skip' | 'cancel') =>
      itemsToSend(made, decision).map(({ path }) => path);
    expect(sent('replace')).toEqual(['a', 'b', 'c', 'd']);
    expect(sent('skip')).toEqual(['d']);
    expect(sent('cancel')).toEqual([]);
  });

  it('leaves out files without a valid path in the service', () => {
    const existing = [{ path: 'folder/x' }, { path: 'file' }, { path: 'empty/', directory: true }];
    const made = plan(['folder', 'file/x', 'empty', 'a', 'a', 'a/b', 'new/x', 'new'], existing);
    expect(made.items.map(({ path }) => path)).toEqual(['a', 'new/x']);
    expect(made.leftOut.map(({ reason }) => reason)).toEqual([
      'the service has a folder with the same name',
      'file is a file in the service',
      'the service has a folder with the same name',
      'another file has the same name',
      'a file has the name of its folder',
      'a folder has the same name',
    ]);
    expect(plan(['x'], [], 'a/../b').items).toEqual([]);
  });
});

test('batches respect the limits and contain every file', () => {
  const sizes = fc.array(fc.nat(20), { maxLength: 30 });
  fc.assert(
    fc.property(sizes, fc.integer({ min: 1, max: 5 }), fc.nat(40), (all, parts, bytes) => {
      let rest = items(...all);
      const sent: UploadItem[] = [];
      while (rest.length > 0) {
        const batch = nextBatch(rest, { parts, bytes });
        expect(batch.length).toBeGreaterThan(0);
        expect(batch.length).toBeLessThanOrEqual(parts);
        const sum = batch.reduce((total, { size }) => total + size, 0);
        if (batch.length > 1) expect(sum).toBeLessThanOrEqual(bytes);
        sent.push(...batch);
        rest = rest.slice(batch.length);
      }
      expect(sent).toEqual(items(...all));
    }),
  );
});

test('a file whose name no upload carries exactly is a request of its own', () => {
  const [all, sizes] = [['a', 'b"', 'c%22', 'd', 'e'], { parts: 9, bytes: 99 }];
  let rest = all.map((path) => ({ file: path, path, size: 1, replaces: undefined }));
  const batches: string[] = [];
  while (rest.length > 0) {
    const batch = nextBatch(rest, sizes);
    batches.push(batch.map(({ path }) => path).join(' '));
    rest = rest.slice(batch.length);
  }
  expect(batches).toEqual(['a', 'b"', 'c%22', 'd e']);
});

test('a rejected batch becomes smaller each time', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(100), { minLength: 2, maxLength: 40 }), (sizes) => {
      const refused = items(...sizes);
      expect(nextBatch(refused, halvedLimits(refused)).length).toBeLessThan(refused.length);
    }),
  );
});

test('the sent bytes determine the current file', () => {
  const files = items(3, 0, 2);
  expect([0, 2, 3, 4, 5].map((bytes) => progressAt(files, bytes))).toEqual([
    { done: 0, current: { path: '0', bytes: 3, bytesDone: 0 } },
    { done: 0, current: { path: '0', bytes: 3, bytesDone: 2 } },
    { done: 2, current: { path: '2', bytes: 2, bytesDone: 0 } },
    { done: 2, current: { path: '2', bytes: 2, bytesDone: 1 } },
    { done: 3, current: undefined },
  ]);
});
