import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ChargedRuns } from '../../../source/host/money/charged-runs.ts';
import { Storage } from '../../../source/host/records/storage.ts';

it('old runs are added up by deployment and price, and unended ones stay', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdeck-runs-'));
  const storage = Storage.open(dataDir);
  onTestFinished(() => {
    storage.close();
    rmSync(dataDir, { recursive: true });
  });
  const runs = new ChargedRuns(storage);
  const total = 10_500;
  const store = (number: number, isOver: boolean) => {
    runs.store({
      id: String(number),
      deployment: number % 2 === 0 ? 'even' : 'odd',
      service: 'web',
      instance: 1,
      price: 5n,
      beganAt: number,
      ranMs: number,
      seen: { at: number, monotonic: number, boot: 'boot' },
      isOver,
    });
  };
  storage.transaction(() => {
    for (let number = 1; number <= total; number += 1) store(number, number !== 4);
  });
  const count = (table: string) =>
    Number(storage.prepare(`select count(*) as n from ${table}`).get()?.['n']);
  // The newest 10,000 and the one that has not ended.
  expect(count('charged_runs')).toBe(10_001);
  expect(runs.listUnended().map(({ id }) => id)).toEqual(['4']);
  const folded = storage.prepare('select deployment, price, ran_ms from run_times').all();
  const sumOf = (first: number) => {
    let sum = 0;
    for (let number = first; number <= total - 10_000; number += 2) sum += number;
    return sum;
  };
  const price = '0.000000000000000005';
  expect(folded).toEqual([
    { deployment: 'even', price, ran_ms: sumOf(2) - 4 },
    { deployment: 'odd', price, ran_ms: sumOf(1) },
  ]);
  store(4, true);
  expect(runs.listUnended()).toEqual([]);
  expect(count('charged_runs')).toBe(10_000);
});
