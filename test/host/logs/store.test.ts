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
  database.exec('alter table log_runs drop column partial; pragma user_version = 2');
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
