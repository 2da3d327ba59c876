import { statSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { LogRetention } from '../../../source/host/logs/retention.ts';
import { LogStore } from '../../../source/host/logs/store.ts';
import { toRuns, logFolder } from './log-folder.ts';

const firstIds = (store: LogStore, deployment: number) =>
  store
    .prepare('select first from log_runs where deployment = ? order by first')
    .all(deployment)
    .map((row) => Number(row['first']));

const storedBytes = (store: LogStore, deployment: number) =>
  Number(
    store
      .prepare('select sum(octet_length(text) + 100) as bytes from log_runs where deployment = ?')
      .get(deployment)?.['bytes'] ?? 0,
  );

/** Trims until nothing is left to trim, and returns the number of slices. */
function trimAll(retention: LogRetention): number {
  let slices = 1;
  while (retention.trim()) slices += 1;
  return slices;
}

const runsOf = (lengths: readonly number[]) =>
  lengths.map((length) => ({
    service: 'web',
    stream: 'stdout',
    at: 0,
    lines: ['x'.repeat(length)],
  }));

it('keeps the newest lines up to the limit, the last run of any size, and the last id', () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const retention = new LogRetention(store, 5000);
  let deployment = 0;
  fc.assert(
    fc.property(fc.array(fc.nat(1500), { minLength: 1, maxLength: 40 }), (lengths) => {
      deployment += 1;
      store.append(toRuns(deployment, runsOf(lengths)));
      const whole = storedBytes(store, deployment);
      retention.markFull([deployment]);
      trimAll(retention);
      const kept = firstIds(store, deployment);
      expect(kept).toEqual(lengths.map((_, index) => index + 1).slice(-kept.length));
      const bytes = storedBytes(store, deployment);
      expect(store.ends.get(deployment)).toEqual({ lastId: lengths.length, bytes });
      if (whole <= 5000) expect(bytes).toBe(whole);
      expect(bytes <= 5312 || kept.length === 1).toBe(true);
      const next = lengths.at(-kept.length - 1);
      if (next !== undefined) expect(bytes + next + 100).toBeGreaterThan(5000);
    }),
    { numRuns: 60 },
  );
  store.close();
});

it('removes one slice at a time, frees unused pages, and changes no other log', () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  store.append([
    ...toRuns(1, runsOf(Array.from({ length: 1000 }, () => 8000))),
    ...toRuns(2, runsOf([10, 10])),
  ]);
  store.sync();
  const before = statSync(folder.file).size;
  const retention = new LogRetention(store, 400_000);
  retention.markFull([1, 2]);
  retention.trim();
  expect(firstIds(store, 1).length).toBeGreaterThan(400);
  expect(trimAll(retention)).toBeGreaterThan(4);
  expect(firstIds(store, 1).length).toBeLessThanOrEqual(50);
  expect(firstIds(store, 2)).toEqual([1, 2]);
  store.sync();
  expect(statSync(folder.file).size).toBeLessThan(before / 5);
  store.close();
});

it('removes a whole log one slice at a time, frees its pages, and changes no other log', () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  store.append([
    ...toRuns(1, runsOf(Array.from({ length: 2000 }, () => 8000))),
    ...toRuns(2, runsOf([10, 10])),
  ]);
  store.sync();
  const before = statSync(folder.file).size;
  const retention = new LogRetention(store, 1e9);
  let slices = 0;
  while (retention.remove(1)) slices += 1;
  expect(slices).toBeGreaterThan(2);
  trimAll(retention);
  store.sync();
  expect(firstIds(store, 1)).toEqual([]);
  expect([...store.ends.keys()]).toEqual([2]);
  expect(firstIds(store, 2)).toEqual([1, 2]);
  expect(statSync(folder.file).size).toBeLessThan(before / 100);
  expect(retention.remove(1)).toBe(false);
  store.close();
  const reopened = new LogStore(folder.file);
  expect([...reopened.ends.keys()]).toEqual([2]);
  reopened.close();
});
