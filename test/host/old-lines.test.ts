import { DatabaseSync } from 'node:sqlite';
import { copyFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, it } from 'vitest';
import { deploy, readLogs } from './support/bodies.ts';
import { storeDefinitionsInRows } from './support/earlier-records.ts';
import { logLinesTable } from './support/first-database.ts';
import { HostFolder } from './support/host-folder.ts';
import { idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

const recordsFile = () => path.join(folder.dataDir, 'host.db');

/** Rewrites the records to the version that stored log lines in them, with these ids. */
function makeOld(from: number, last: number): void {
  const database = new DatabaseSync(recordsFile());
  storeDefinitionsInRows(database);
  database.exec(`
    drop table service_users;
    alter table deployments add column last_log integer not null default 0;
    update deployments set last_log = ${last};
    ${logLinesTable}
    pragma user_version = 2;
  `);
  const insert = database.prepare('insert into log_lines values (?, ?, ?, ?, ?, ?)');
  const numbers = database.prepare('select number from deployments').all();
  database.exec('begin');
  for (const { number = 0 } of numbers) {
    for (let id = from; id <= last; id += 1) {
      insert.run(number, id, 'web', 'stdout', 1000 + id, `Zeile ${id}`);
    }
  }
  database.exec('commit');
  database.close();
}

async function deployments(count: number): Promise<readonly string[]> {
  const host = await folder.start();
  const caller = await folder.caller();
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    ids.push((await deploy(caller, sdlOf({ web: idle }))).id);
  }
  for (const id of ids) await caller.call('closeDeployment', { id });
  await host.close();
  return ids;
}

/** Deletes the database of the log lines. */
function forgetLog(): void {
  const database = new DatabaseSync(path.join(folder.dataDir, 'logs.db'));
  database.exec('delete from log_runs; delete from log_ends');
  database.close();
}

it('log lines of an older version are moved, and the next line has the next id', async () => {
  const ids = await deployments(2);
  forgetLog();
  makeOld(501, 5500);
  const host = await folder.start();
  const caller = await folder.caller();
  for (const id of ids) {
    const logs = await readLogs(caller, id);
    expect(logs.map((line) => line.id)).toEqual(
      Array.from({ length: 5000 }, (_, index) => 501 + index),
    );
    expect(logs.at(-1)).toMatchObject({
      logLine: 'Zeile 5500',
      timestamp: new Date(6500).toISOString(),
    });
  }
  await host.close();
  const database = new DatabaseSync(recordsFile());
  const tables = database.prepare(`select name from sqlite_schema where name like '%log%'`).all();
  expect(tables).toEqual([]);
  database.close();
});

it('an interrupted move loses and duplicates no line', async () => {
  const [id = ''] = await deployments(1);
  forgetLog();
  makeOld(1, 3000);
  const before = `${recordsFile()}.before`;
  await copyFile(recordsFile(), before);
  const first = await folder.start();
  await first.close();
  // Restore the records: half of the lines had been moved, and none dropped.
  await copyFile(before, recordsFile());
  const database = new DatabaseSync(path.join(folder.dataDir, 'logs.db'));
  database.exec('delete from log_runs where first > 2000; update log_ends set last = 2000');
  database.close();
  await folder.start();
  const logs = await readLogs(await folder.caller(), id);
  expect(logs.map((line) => line.id)).toEqual(logs.map((_, index) => index + 1));
  expect(logs).toHaveLength(3000);
});

it('a log without lines continues after its last id', async () => {
  const [id = ''] = await deployments(1);
  forgetLog();
  makeOld(10, 9);
  const database = new DatabaseSync(recordsFile());
  database.exec(`update deployments set phase = 'running', closed_at = null`);
  database.close();
  const host = await folder.start();
  const caller = await folder.caller();
  await caller.call('closeDeployment', { id });
  const logs = await readLogs(caller, id);
  expect(logs[0]?.id).toBe(10);
  await host.close();
});

it('a log whose records are lost is not reused by another deployment', async () => {
  await deployments(1);
  for (const end of ['', '-wal', '-shm']) await rm(`${recordsFile()}${end}`, { force: true });
  await folder.start();
  const caller = await folder.caller();
  const { id } = await deploy(caller, sdlOf({ web: idle }));
  await waitFor(async () => {
    expect((await readLogs(caller, id)).map(({ logLine }) => logLine).slice(1)).toEqual([
      'started',
    ]);
  });
});
