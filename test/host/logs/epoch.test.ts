import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstIdAt } from '../../../source/host/backup/restore-backup.ts';
import { StoredLogReader } from '../../../source/host/logs/reader.ts';
import type { LogRun } from '../../../source/host/logs/run.ts';
import { LogStore } from '../../../source/host/logs/store.ts';
import { logFolder } from './log-folder.ts';

const year = 365 * 24 * 60 * 60 * 1000;

describe('the first id of an epoch', () => {
  it('rises each second by more lines than a log takes, and stays an exact number', () => {
    const now = Date.parse('2026-11-23T03:00:00Z');
    expect(firstIdAt(now + 1000) - firstIdAt(now)).toBeGreaterThan(2_000_000);
    expect(Number.isSafeInteger(firstIdAt(now + 100 * year))).toBe(true);
  });

  it('is valid even with a clock that is far behind', () => {
    expect(firstIdAt(0)).toBe(1);
  });
});

const run = (first: number, count: number, from: number): LogRun => ({
  deployment: 1,
  first,
  count,
  service: 'web',
  stream: 'stdout',
  at: 1_000,
  text: Array.from({ length: count }, (_, index) => `line ${from + index}`).join('\n'),
});

describe('a log with epochs', () => {
  it('has the same pages as one without, in ids that rise', async () => {
    const counts = fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(counts, { minLength: 1, maxLength: 4 }),
        fc.nat(40),
        fc.integer({ min: 1, max: 20 }),
        async (epochs, offset, limit) => {
          using folder = logFolder();
          const store = new LogStore(folder.file);
          let total = 0;
          for (const [index, runs] of epochs.entries()) {
            if (index > 0) store.beginEpoch([1], index * 2 ** 40);
            for (const count of runs) {
              const first = (store.ends.get(1)?.lastId ?? 0) + 1;
              store.append([run(first, count, total)]);
              total += count;
            }
          }
          const owner = { number: 1, id: 'one' };
          const json = await new StoredLogReader(store).fetch(owner, { limit, offset });
          const page = JSON.parse(Buffer.from(json).toString()) as readonly {
            readonly id: number;
            readonly logLine: string;
          }[];
          const all = Array.from({ length: total }, (_, index) => `line ${index}`).toReversed();
          expect(page.map(({ logLine }) => logLine)).toEqual(all.slice(offset, offset + limit));
          const ids = page.map(({ id }) => id);
          expect(ids).toEqual([...new Set(ids)].sort((left, right) => right - left));
          store.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('never lets ids go back', () => {
    using folder = logFolder();
    const store = new LogStore(folder.file);
    store.append([run(1, 9, 0)]);
    store.beginEpoch([1, 2], 5);
    expect([store.ends.get(1)?.lastId, store.ends.get(2)?.lastId]).toEqual([9, 4]);
    store.close();
    const again = new LogStore(folder.file);
    expect([again.ends.get(1)?.lastId, again.ends.get(2)?.lastId]).toEqual([9, 4]);
    again.close();
  });
});
