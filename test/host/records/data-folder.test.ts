import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { issueToken, walletBalance } from '../../../source/host/administration.ts';
import { claimDataFolder } from '../../../source/host/records/data-folder.ts';
import { writeFailureNote } from '../../../source/host/failure-note.ts';
import { joinHost } from '../../../source/host/join.ts';
import { StartFailure } from '../../../source/host/start-failure.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { deploy } from '../support/bodies.ts';
import { makeFirstDatabase } from '../support/first-database.ts';
import { HostFolder, outcome, serving } from '../support/host-folder.ts';
import { idle, sdlOf } from '../support/temporary-host.ts';

const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.error('Tests of folders of other users are SKIPPED: only root can make them.');

/** Returns a path below a folder that is removed after the test. */
function below(...names: readonly string[]): string {
  return path.join(temporaryFolder(), ...names);
}

function folderOf(mode: number, files: Readonly<Record<string, string>> = {}): string {
  const folder = below('data');
  mkdirSync(folder);
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(path.join(folder, name), content);
  }
  chmodSync(folder, mode);
  return folder;
}

const modeOf = (file: string) => statSync(file).mode & 0o7777;

/** Returns names, kinds, modes, owners, sizes and times of a folder and its entries. */
function snapshotOf(folder: string): unknown {
  const there = lstatSync(folder, { throwIfNoEntry: false });
  if (there?.isDirectory() !== true) return there?.size;
  return ['.', ...readdirSync(folder)].map((name) => {
    const { mode, uid, gid, size, mtimeMs } = lstatSync(path.join(folder, name));
    return { name, mode, uid, gid, size, mtimeMs };
  });
}

function openAndClose(folder: string): void {
  Storage.open(folder).close();
}

/** Returns the refusal, after checking that the folder is unchanged. */
async function refusalOf(folder: string): Promise<StartFailure> {
  const before = snapshotOf(folder);
  const failures: unknown[] = [];
  const attempts = [
    async () => claimDataFolder(folder),
    async () => openAndClose(folder),
    () => issueToken(folder, '0xabc'),
    () => walletBalance(folder, '0xabc', '1'),
    async () => {
      const spawn = () => {
        throw new Error('no host may start there');
      };
      const joined = await joinHost({ dataDir: folder, spawn });
      if (!joined.ok) throw joined.error;
    },
  ];
  for (const attempt of attempts) {
    try {
      await attempt();
    } catch (error) {
      failures.push(error);
    }
  }
  const [failure] = failures;
  if (!(failure instanceof StartFailure)) throw new Error(`not refused: ${String(failure)}`);
  expect(failures).toHaveLength(attempts.length);
  writeFailureNote(folder, failure);
  expect(snapshotOf(folder)).toEqual(before);
  return failure;
}

describe('a data folder is claimed', () => {
  it.each([
    ['missing', 'data'],
    ['missing with its parents', 'a/b/data'],
    ['named with spaces and non-ASCII letters', 'my data/Größe/資料'],
  ])('when it is %s, and is created for its owner only', (_, name) => {
    const folder = below(name);
    openAndClose(folder);
    expect(modeOf(folder)).toBe(0o700);
    openAndClose(folder);
  });

  it.each([0o700, 0o755, 0o711])('when it is empty with mode %o, which does not change', (mode) => {
    const folder = folderOf(mode);
    openAndClose(folder);
    expect(modeOf(folder)).toBe(mode);
    openAndClose(folder);
  });

  it('when it is a mount point that contains only lost+found', () => {
    const folder = folderOf(0o755);
    mkdirSync(path.join(folder, 'lost+found'));
    openAndClose(folder);
    expect(modeOf(folder)).toBe(0o755);
  });

  it('when it is a link to an empty folder', () => {
    const folder = folderOf(0o700);
    const link = below('link');
    symlinkSync(folder, link);
    openAndClose(link);
    openAndClose(folder);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
  });

  it.each([0o700, 0o750, 0o755])('when an earlier version created it with mode %o', (mode) => {
    const folder = folderOf(mode, { 'notes of mine': 'x' });
    makeFirstDatabase(folder, '0xowner');
    openAndClose(folder);
    expect(modeOf(folder)).toBe(mode);
    expect(modeOf(path.join(folder, 'host.db'))).toBe(0o600);
    // Its marker identifies it from now on.
    rmSync(path.join(folder, 'host.db'));
    openAndClose(folder);
  });

  it('when an earlier version was killed with its tables in the write-ahead log only', () => {
    const folder = folderOf(0o700);
    const source = below('source');
    makeFirstDatabase(source, '0xowner');
    const tables = new DatabaseSync(path.join(source, 'host.db'))
      .prepare(`select sql from sqlite_schema where sql is not null and name not like 'sqlite_%'`)
      .all();
    const database = new DatabaseSync(path.join(source, 'killed.db'));
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = wal');
    database.exec(tables.map(({ sql }) => String(sql)).join(';'));
    for (const [from, to] of [
      ['killed.db', 'host.db'],
      ['killed.db-wal', 'host.db-wal'],
    ] as const) {
      writeFileSync(path.join(folder, to), readFileSync(path.join(source, from)));
    }
    database.close();
    // The unrelated file is ignored, since the log decides.
    writeFileSync(path.join(folder, 'other'), 'x');
    claimDataFolder(folder);
    expect(existsSync(path.join(folder, 'host.db-wal'))).toBe(true);
  });

  it.each([
    ['an empty database', { 'host.db': '' }],
    ['the log of a console', { 'host.log': 'text\n', 'start-failure.json': '{}' }],
  ])('when a host that was killed early left %s', (_, files) => {
    const folder = folderOf(0o700, files);
    openAndClose(folder);
  });

  it('when its marker was removed', () => {
    const folder = below('data');
    openAndClose(folder);
    const names = readdirSync(folder).filter((name) => name.startsWith('.'));
    expect(names).toHaveLength(1);
    for (const name of names) rmSync(path.join(folder, name));
    writeFileSync(path.join(folder, 'other'), 'x');
    openAndClose(folder);
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(names));
  });
});

describe('a data folder is refused in a sentence without any change to it', () => {
  it.each(['/', '/proc', '/etc', process.env['HOME'] ?? '/usr'])(
    'when it is %s',
    async (folder) => {
      const before = modeOf(folder);
      expect(() => claimDataFolder(folder)).toThrow(
        /is not empty and is not a data folder\. Name an empty/,
      );
      expect(modeOf(folder)).toBe(before);
    },
  );

  it('when it is shared, as /tmp is', async () => {
    const shared = folderOf(0o1777, { someone: 'x' });
    expect(await refusalOf(shared)).toMatchObject({
      code: 'refused-folder',
      sentence: `${shared} is not empty and is not a data folder.`,
      next: `Name an empty or a new folder, such as ${shared}/hostdeck, with --data.`,
    });
    const empty = folderOf(0o1777);
    const { sentence, next } = await refusalOf(empty);
    expect(sentence).toBe(`Other users can write to ${empty}.`);
    expect(next).not.toContain('chmod');
  });

  it.each([0o770, 0o775, 0o777, 0o702])('when others can write to it: %o', async (mode) => {
    const { sentence, next } = await refusalOf(folderOf(mode));
    expect(sentence).toMatch(/^Other users can write to /);
    expect(next).toContain('chmod go-w');
  });

  it('when it belongs to a host and others can write to it', async () => {
    const folder = below('data');
    openAndClose(folder);
    chmodSync(folder, 0o777);
    expect((await refusalOf(folder)).sentence).toMatch(/^Other users can write to /);
    chmodSync(folder, 0o755);
    openAndClose(folder);
  });

  it('when it is a file or a broken link', async () => {
    const file = path.join(folderOf(0o700, { file: 'x' }), 'file');
    expect((await refusalOf(file)).sentence).toBe(`${file} is not a folder.`);
    const link = below('link');
    symlinkSync('nowhere', link);
    expect((await refusalOf(link)).sentence).toBe(`${link} is a broken link.`);
  });

  it.each([
    ['files of someone’s', { 'letter.txt': 'x' }],
    ['a hidden file', { '.profile': 'x' }],
    ['an invalid database', { 'host.db': 'hosts of the network' }],
    ['an invalid database and files', { 'host.db': 'x', 'letter.txt': 'x' }],
    ['an empty database and files', { 'host.db': '', 'letter.txt': 'x' }],
  ])('when it has %s', async (_, files) => {
    expect(await refusalOf(folderOf(0o700, files))).toMatchObject({ code: 'refused-folder' });
  });

  it.each(['create table hosts (name text)', 'create table meta (a); create table tokens (a)'])(
    'when its host.db is the database of another program: %s',
    async (sql) => {
      const folder = folderOf(0o700);
      const database = new DatabaseSync(path.join(folder, 'host.db'));
      database.exec(sql);
      database.close();
      const { sentence } = await refusalOf(folder);
      expect(sentence).toBe(`The file host.db in ${folder} is not the database of a host.`);
    },
  );

  it.skipIf(!isRoot)('when it belongs to another user, whatever its content', async () => {
    const empty = folderOf(0o700);
    chownSync(empty, 1000, 1000);
    expect(await refusalOf(empty)).toMatchObject({
      code: 'refused-folder',
      sentence: `${empty} belongs to another user (user id 1000).`,
    });
    const copied = below('data');
    openAndClose(copied);
    chownSync(copied, 1000, 1000);
    expect((await refusalOf(copied)).next).toContain('chown');
    const old = folderOf(0o700);
    makeFirstDatabase(old, '0xowner');
    chownSync(old, 1000, 1000);
    expect((await refusalOf(old)).code).toBe('refused-folder');
  });

  it.skipIf(!isRoot)('when the link to it belongs to another user', async () => {
    const folder = folderOf(0o700);
    const link = below('link');
    symlinkSync(folder, link);
    lchownSync(link, 1000, 1000);
    expect((await refusalOf(link)).sentence).toContain('user id 1000');
  });
});

it.each([
  ['a token', (folder: string) => issueToken(folder, '0xabc')],
  ['a balance', (folder: string) => walletBalance(folder, '0xabc', '1')],
])('%s for a missing folder is refused without creating it', async (_, work) => {
  const folder = below('mistyped');
  await expect(work(folder)).rejects.toMatchObject({
    code: 'refused-folder',
    sentence: `There is no data folder ${folder}.`,
  });
  expect(existsSync(folder)).toBe(false);
});

it('a failure note is written only into a folder of a host', () => {
  const failure = new StartFailure('port-taken', 'Port 1 is taken.', 'Name another one.');
  const foreign = folderOf(0o700);
  writeFailureNote(foreign, failure);
  expect(readdirSync(foreign)).toEqual([]);
  const own = below('data');
  openAndClose(own);
  writeFailureNote(own, failure);
  expect(readdirSync(own)).toContain('start-failure.json');
});

describe('a data folder that other users can list', () => {
  const host = HostFolder.ofEachTest('data');

  it('discloses nothing of the host during its start, whatever the umask', async () => {
    mkdirSync(host.dataDir);
    chmodSync(host.dataDir, 0o755);
    const child = host.run(serving, { through: ['/bin/sh', '-c', 'umask 0; exec "$@"', 'sh'] });
    const entries = new Set<string>();
    const exposed = new Set<string>();
    const checkModes = () => {
      for (const name of readdirSync(host.dataDir)) {
        const stats = lstatSync(path.join(host.dataDir, name), { throwIfNoEntry: false });
        if (stats === undefined) continue;
        entries.add(name);
        if ((stats.mode & 0o077) !== 0) exposed.add(name);
      }
    };
    const started = new AbortController();
    const caller = host.caller().finally(() => {
      started.abort();
    });
    while (!started.signal.aborted) {
      checkModes();
      await setImmediate();
    }
    await deploy(await caller, sdlOf({ web: idle }));
    checkModes();
    expect([...entries]).toEqual(
      expect.arrayContaining(['host.db', 'logs.db', 'local-token', 'host.sock', 'deployments']),
    );
    expect([...exposed]).toEqual([]);
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
    expect(existsSync(path.join(host.dataDir, 'host.sock'))).toBe(false);
  });

  it('that is missing is created by two concurrent starts, of which one host runs', async () => {
    const codes = [host.run(serving), host.run(serving)].map(outcome);
    const first = await Promise.race(codes);
    expect(first).toMatchObject({
      code: 1,
      notes: expect.stringContaining('Another host runs on'),
    });
    expect((await (await host.caller()).call('listDeployments')).status).toBe(200);
  });
});
