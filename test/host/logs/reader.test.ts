import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { StoredLogReader } from '../../../source/host/logs/reader.ts';
import type { LogOwner, LogSelection } from '../../../source/host/logs/run.ts';
import { LogStore } from '../../../source/host/logs/store.ts';
import { toRuns, logFolder, messagesOf, anyLine, anyLineGroup } from './log-folder.ts';

let deployments = 0;
const newOwner = () => ({ number: (deployments += 2), id: `deployment-${deployments}` });

const selections: fc.Arbitrary<LogSelection> = fc.record({
  limit: fc.integer({ min: 1, max: 12 }),
  offset: fc.nat(12),
  service: fc.option(fc.constantFrom('web', 'job', 'Größe', 'nobody'), { nil: undefined }),
  search: fc.option(fc.oneof(anyLine, fc.constantFrom('', '\n', 'a\nb')), { nil: undefined }),
});

/** Folds case; the capital sigma has two small letters. */
const foldCase = (text: string) => text.toLowerCase().replaceAll('ς', 'σ');

async function read(
  reader: StoredLogReader,
  owner: LogOwner,
  selection: LogSelection,
): Promise<unknown> {
  return JSON.parse(Buffer.from(await reader.fetch(owner, selection)).toString());
}

it('returns the same lines as a linear scan, newest first', async () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const reader = new StoredLogReader(store);
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyLineGroup, { maxLength: 12 }),
      fc.array(selections, { minLength: 1, maxLength: 6 }),
      async (all, wanted) => {
        const owner = newOwner();
        store.append([...toRuns(owner.number, all), ...toRuns(owner.number + 1, all)]);
        const messages = messagesOf(owner.id, all).toReversed();
        for (const selection of wanted) {
          const { service, search = '', limit, offset } = selection;
          const matching = messages.filter(
            ({ serviceName, logLine }) =>
              (service === undefined || serviceName === service) &&
              foldCase(logLine).includes(foldCase(search)),
          );
          expect(await read(reader, owner, selection)).toEqual(
            matching.slice(offset, offset + limit),
          );
        }
      },
    ),
    { numRuns: 150 },
  );
  store.close();
});

it('reads many runs in turns between which lines can be written', async () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const reader = new StoredLogReader(store);
  const owner = newOwner();
  const many = Array.from({ length: 20_000 }, (_, index) => ({
    service: index % 5000 === 3 ? 'job' : 'web',
    stream: 'stdout',
    at: 0,
    lines: [`line ${index} a`, `line ${index} b`],
  }));
  store.append(toRuns(owner.number, many));
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const found = await read(reader, owner, { limit: 10, offset: 0, search: 'LINE 7 A' });
  isRead = true;
  expect(found).toMatchObject([{ id: 15, logLine: 'line 7 a' }]);
  expect(turns).toBeGreaterThan(2);
  const jobs = await read(reader, owner, { limit: 3, offset: 5, service: 'job' });
  expect(jobs).toMatchObject([
    { logLine: 'line 5003 a' },
    { logLine: 'line 3 b' },
    { logLine: 'line 3 a' },
  ]);
  const searches = Array.from({ length: 8 }, (_, index) =>
    read(reader, owner, { limit: 1, offset: 0, search: `line ${index} b` }),
  );
  expect(await Promise.all(searches)).toMatchObject(
    searches.map((_, index) => [{ id: 2 * index + 2 }]),
  );
  expect(await read(reader, owner, { limit: 2, offset: 39_999 })).toMatchObject([{ id: 1 }]);
  store.close();
});

it('lets lines be written between runs that are slow to search', async () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const reader = new StoredLogReader(store);
  const owner = newOwner();
  const runs = Array.from({ length: 48 }, () => ({
    service: 'web',
    stream: 'stdout',
    at: 0,
    lines: ['a'.repeat(16_000)],
  }));
  store.append(toRuns(owner.number, runs));
  const search = `${'a'.repeat(12)}b${'a'.repeat(987)}`;
  let turns = 0;
  let isRead = false;
  const count = () => {
    turns += 1;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  expect(await read(reader, owner, { limit: 1, offset: 0, search })).toEqual([]);
  isRead = true;
  expect(turns).toBeGreaterThan(4);
  store.close();
});

it('is fast with text that nearly matches everywhere', async () => {
  using folder = logFolder();
  const store = new LogStore(folder.file);
  const reader = new StoredLogReader(store);
  const owner = newOwner();
  const line = 'a'.repeat(16_000);
  const runs = Array.from({ length: 600 }, () => ({
    service: 'web',
    stream: 'stdout',
    at: 0,
    lines: [line],
  }));
  store.append(toRuns(owner.number, runs));
  const search = `${'a'.repeat(999)}b`;
  expect(await read(reader, owner, { limit: 10, offset: 0, search })).toEqual([]);
  const all = 'a'.repeat(1000);
  expect(await read(reader, owner, { limit: 2, offset: 0, search: all })).toHaveLength(2);
  store.close();
});
