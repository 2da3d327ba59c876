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
  const retention = new LogRetention(store, { maxLogBytes: 5000, maxAllLogBytes: 1e9 });
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
  const retention = new LogRetention(store, { maxLogBytes: 400_000, maxAllLogBytes: 1e9 });
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

it('leaves as many unused pages as are wanted', () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  store.append(toRuns(1, runsOf(Array.from({ length: 100 }, () => 8000))));
  const retention = new LogRetention(store, { maxLogBytes: 1e9, maxAllLogBytes: 1e9 });
  while (retention.remove(1));
  const unused = () => store.prepare('pragma freelist_count').get()?.['freelist_count'];
  for (const more of [true, false]) {
    expect(store.shrink(1000, 10)).toBe(more);
    expect(unused()).toBe(10);
  }
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
  const retention = new LogRetention(store, { maxLogBytes: 1e9, maxAllLogBytes: 1e9 });
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

it('keeps all logs within their limit, and takes lines from the largest only', () => {
  const maxAllLogBytes = 60_000;
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const retention = new LogRetention(store, { maxLogBytes: 1e9, maxAllLogBytes });
  const lengths = fc.array(fc.nat(900), { minLength: 1, maxLength: 60 });
  let first = 1;
  fc.assert(
    fc.property(fc.array(lengths, { minLength: 1, maxLength: 12 }), (logs) => {
      const numbers = logs.map((_, at) => first + at);
      first += logs.length;
      store.append(numbers.flatMap((number, at) => toRuns(number, runsOf(logs[at] ?? []))));
      const before = numbers.map((number) => storedBytes(store, number));
      retention.markFull(numbers);
      trimAll(retention);
      const after = numbers.map((number) => storedBytes(store, number));
      const sum = (bytes: readonly number[]) => bytes.reduce((total, each) => total + each, 0);
      expect(sum(after)).toBeLessThanOrEqual(maxAllLogBytes * (1 + 1 / 16));
      // No more is removed than a run of each log.
      if (sum(after) < sum(before)) {
        expect(sum(after)).toBeGreaterThan(maxAllLogBytes - 1001 * logs.length);
      }
      // A log that gave lines is as large as the largest of the others, up to a run.
      const largest = Math.max(...after);
      for (const [at, bytes] of after.entries()) {
        if (bytes < (before[at] ?? 0)) expect(bytes).toBeGreaterThan(largest - 2100);
      }
      for (const number of numbers) while (retention.remove(number));
    }),
    { numRuns: 40 },
  );
  store.close();
});

it('leaves all logs as they are when each is down to its last run', () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const retention = new LogRetention(store, { maxLogBytes: 1e9, maxAllLogBytes: 1000 });
  for (let number = 1; number <= 5; number += 1) store.append(toRuns(number, runsOf([800])));
  retention.markFull([1, 2, 3, 4, 5]);
  expect(trimAll(retention)).toBeLessThan(5);
  for (let number = 1; number <= 5; number += 1) expect(firstIds(store, number)).toEqual([1]);
  store.close();
});
