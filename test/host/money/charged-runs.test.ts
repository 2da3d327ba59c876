import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ChargedRuns } from '../../../source/host/money/charged-runs.ts';
import { Deployments } from '../../../source/host/deployments.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { fastFolder } from '../../support/fast-folder.ts';

it('the usage of old runs is added up by deployment, and unended ones stay', () => {
  const dataDir = mkdtempSync(path.join(fastFolder, 'hostdeck-runs-'));
  const storage = Storage.open(dataDir);
  onTestFinished(() => {
    storage.close();
    rmSync(dataDir, { recursive: true });
  });
  const deployments = new Deployments(storage, new ManualClock());
  const insert = () => {
    const definition = {
      name: 'x',
      services: [],
      placements: [],
      parts: [],
      warnings: [],
      price: 5n,
    };
    return deployments.insert('0xowner', '', definition).id;
  };
  const [even, odd] = [insert(), insert()];
  const runs = new ChargedRuns(storage);
  const total = 1500;
  const store = (number: number, isOver: boolean) => {
    runs.store({
      id: String(number),
      deployment: number % 2 === 0 ? even : odd,
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
  const count = () => storage.prepare('select count(*) as n from charged_runs').get()?.['n'];
  // The newest 1,000 and the one that has not ended.
  expect(count()).toBe(1001);
  expect(runs.listUnended().map(({ id }) => id)).toEqual(['4']);
  const sumOf = (first: number) => {
    let sum = 0;
    for (let number = first; number <= total - 1000; number += 2) sum += number;
    return sum;
  };
  const price = 5;
  const usages = storage.prepare('select run_usage from deployments order by number').all();
  expect(usages).toEqual([
    { run_usage: String((sumOf(2) - 4) * price) },
    { run_usage: String(sumOf(1) * price) },
  ]);
  store(4, true);
  expect(runs.listUnended()).toEqual([]);
  expect(count()).toBe(1000);
});
