import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { StoredLogReader } from '../../../source/host/logs/reader.ts';
import { LogStore } from '../../../source/host/logs/store.ts';
import { logFolder } from './log-folder.ts';

const run = {
  deployment: 1,
  count: 1,
  service: 'web',
  stream: 'stdout',
  at: 0,
} as const;

it('opens a log from before cut lines were marked', async () => {
  using folder = logFolder();
  const earlier = new LogStore(folder.file);
  earlier.append([{ ...run, first: 1, text: 'whole' }]);
  earlier.close();
  const database = new DatabaseSync(folder.file);
  database.exec(`
    alter table log_runs drop column partial;
    drop table log_cursors;
    pragma user_version = 2;
  `);
  database.close();
  const store = new LogStore(folder.file);
  store.append([{ ...run, first: 2, partial: true, text: 'cut' }]);
  const reader = new StoredLogReader(store);
  const json = await reader.fetch({ number: 1, id: 'a-1' }, { limit: 5, offset: 0 });
  store.close();
  const lines = JSON.parse(Buffer.from(json).toString()) as { logLine: string; partial?: true }[];
  expect(lines.map(({ logLine, partial }) => [logLine, partial])).toEqual([
    ['cut', true],
    ['whole', undefined],
  ]);
});

it('opens a log from before the services of sources were stored', () => {
  using folder = logFolder();
  const at = '2030-01-01T00:00:00.000000001Z';
  const earlier = new LogStore(folder.file);
  earlier.append([{ ...run, first: 1, text: 'one', cursor: { source: 'task/stdout', at } }]);
  earlier.close();
  const database = new DatabaseSync(folder.file);
  database.exec(`
    alter table log_cursors drop column service;
    alter table log_cursors drop column instance;
    pragma user_version = 4;
  `);
  database.close();
  const store = new LogStore(folder.file);
  const place = { deployment: 1, service: undefined, instance: undefined, at };
  expect([...store.readCursors()]).toEqual([['task/stdout', place]]);
  store.close();
});

it('forgets the place in a source that will never be read again', () => {
  using folder = logFolder();
  const at = '2030-01-01T00:00:00.000000001Z';
  const store = new LogStore(folder.file);
  for (const [index, source] of ['one/stdout', 'one/end', 'two/stdout'].entries()) {
    store.append([{ ...run, first: index + 1, text: source, cursor: { source, at } }]);
  }
  store.removeCursors(['one/stdout', 'one/stderr', 'one/end']);
  expect([...store.readCursors().keys()]).toEqual(['two/stdout']);
  store.close();
});

it('stores the place in a source with its lines, until the log is removed', () => {
  using folder = logFolder();
  const cursor = { source: 'task/stdout', at: '2030-01-01T00:00:00.000000001Z' };
  const later = { ...cursor, at: '2030-01-01T00:00:01.000000000Z' };
  const store = new LogStore(folder.file);
  store.append([{ ...run, first: 1, text: 'one', cursor }]);
  store.append([{ ...run, first: 2, text: 'two', instance: 2, cursor: later }]);
  // A batch that is sent again stores neither its lines nor its place.
  store.append([{ ...run, first: 1, text: 'one', cursor }]);
  store.close();
  const next = new LogStore(folder.file);
  const place = { deployment: 1, service: 'web', instance: 2, at: later.at };
  expect([...next.readCursors()]).toEqual([['task/stdout', place]]);
  next.removeThrough(1, 2, 0);
  next.removeEnd(1);
  expect(next.readCursors().size).toBe(0);
  next.close();
});
