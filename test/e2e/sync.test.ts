import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import type { ProgramEnd } from './run-program.ts';
import { foreignGround, hostGround, type SyncGround, writeFiles } from './sync-ground.ts';

const home = new Home();
let host: SyncGround;
let foreign: SyncGround;

beforeAll(async () => {
  [host, foreign] = await Promise.all([hostGround(), foreignGround()]);
});

afterAll(async () => {
  await Promise.all([host.close(), foreign.close()]);
  home.remove();
});

const sync = (ground: SyncGround, folder: string, ...args: readonly string[]) =>
  runLine(['files', 'sync', folder, ...args], { home, env: ground.env });

/** The rows of a plan, without sizes and reasons. */
const rows = ({ stdout }: ProgramEnd) =>
  stdout
    .trimEnd()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t').slice(0, 2).join(' '));

describe.each(['host', 'foreign'])('on the %s', (name) => {
  const ground = (): SyncGround => (name === 'host' ? host : foreign);

  test('a first sync creates, and overwrites and deletes nothing', async () => {
    const folder = temporaryFolder();
    await ground().put('one/theirs', 'theirs\n');
    await ground().put('one/same', 'same\n');
    await ground().put('one/other', 'other\n');
    await writeFiles(folder, { theirs: 'mine\n', same: 'same\n', 'new/file': 'new\n', log: '' });
    const plan = ['create log', 'create new/file', 'conflict theirs'];
    const first = await sync(ground(), folder, 'shop/web:one', '--delete');
    expect([rows(first), first.code]).toEqual([plan, 5]);
    expect(first.stderr).toMatch(/^2 to create, 1 in conflict\.\nSent 2 files\.\n/);
    expect(first.stderr).toContain('  theirs: already on the service, with another content\n');
    expect(first.stderr).toMatch(/shop is restarting\.\n$/);
    expect(await ground().files()).toMatchObject({
      'one/log': '',
      'one/new/file': 'new\n',
      'one/other': 'other\n',
      'one/same': 'same\n',
      'one/theirs': 'theirs\n',
    });
    await rm(path.join(folder, 'theirs'));
    const again = await sync(ground(), folder, 'shop/web:one', '--delete', '--yes', '--wait');
    expect([again.stdout, again.stderr, again.code]).toEqual(['', 'Nothing to send.\n', 0]);
  });

  test('a later sync sends what changed, deletes what it sent, and keeps what others did', async () => {
    const folder = temporaryFolder();
    const many = { a: 'a\n', b: 'b\n', 'c/d': 'd\n', 'c/e': 'e\n', f: 'f\n' };
    await ground().put('two/same', 'same\n');
    await writeFiles(folder, { ...many, same: 'same\n' });
    expect((await sync(ground(), folder, 'shop/web:/two/', '--restart', 'none')).code).toBe(0);
    await ground().put('two/b', 'theirs\n');
    await ground().put('two/c/e', 'E\n');
    await ground().put('two/more', 'more\n');
    await ground().remove('two/f');
    await writeFiles(folder, { a: 'A\n', b: 'B\n' });
    await rm(path.join(folder, 'c'), { recursive: true });
    await rm(path.join(folder, 'same'));

    const second = await sync(
      ground(),
      folder,
      'shop/web:two',
      '--delete',
      '--yes',
      '--restart',
      'none',
    );
    expect(rows(second).sort()).toEqual([
      'conflict b',
      'conflict c/e',
      'conflict f',
      'delete c/d',
      'keep same',
      'update a',
    ]);
    expect(second.code).toBe(5);
    expect(second.stderr).toContain(
      'Unapplied until shop restarts: hostdeck deployments restart shop',
    );
    const after = Object.entries(await ground().files()).filter(([path]) =>
      path.startsWith('two/'),
    );
    expect(Object.fromEntries(after)).toEqual({
      'two/a': 'A\n',
      'two/b': 'theirs\n',
      'two/c/e': 'E\n',
      'two/more': 'more\n',
      'two/same': 'same\n',
    });
  });

  test('a dry run prints the plan for the beginning of a name, and writes nothing', async () => {
    const folder = temporaryFolder();
    await writeFiles(folder, { a: 'a\n' });
    const dry = await sync(ground(), folder, 'sho/web:dry', '--dry-run');
    expect([dry.stdout, dry.code]).toEqual(['create\ta\t2\t\n', 0]);
    expect(Object.keys(await ground().files())).not.toContain('dry/a');
  });
});

test('what services do not hold is listed, what is ignored is counted', async () => {
  const folder = temporaryFolder();
  await writeFiles(folder, {
    '.gitignore': '*.log\n',
    'a.log': '',
    'b.txt': '',
    'in/.gitignore': '*.txt\n!keep.txt\n',
    'in/.hostdeckignore': 'secret\n',
    'in/a.log': '',
    'in/a.txt': '',
    'in/secret': '',
    'sub/.gitignore': '!a.log\n/b\n',
    'sub/a.log': '',
    'sub/b/c': '',
    '.git/config': '',
    'in/.git': '',
    'run.sh': 'echo\n',
  });
  await mkdir(path.join(folder, 'empty'));
  await symlink('b.txt', path.join(folder, 'link'));
  await chmod(path.join(folder, 'run.sh'), 0o755);
  const json = await sync(host, folder, 'shop/web:three', '--json', '--dry-run');
  expect([json.code, json.stderr]).toEqual([0, '']);
  const { counts, files } = JSON.parse(json.stdout);
  expect(counts).toMatchObject({ create: 7, unsupported: 3, ignored: 5 });
  expect(files.map(({ action, path: at }: Record<string, string>) => `${action} ${at}`)).toEqual([
    'create .gitignore',
    'create b.txt',
    'create in/.gitignore',
    'create in/a.txt',
    'create run.sh',
    'create sub/.gitignore',
    'create sub/a.log',
    'unsupported empty',
    'unsupported link',
    'unsupported run.sh',
  ]);
});

test('a file that no request carries under its name is refused, in the dry run as well', async () => {
  const folder = temporaryFolder();
  await writeFiles(folder, { plain: '', 'te"xt': 'text\n' });
  await writeFile(path.join(folder, 'by"tes'), Buffer.of(0xff));
  const plan = ['create plain', 'create te"xt', 'refused by"tes'];
  const problem =
    '1 file not synced.\n  by"tes: its name needs PUT, which carries only UTF-8 text\n';
  const dry = await sync(host, folder, 'shop/web:na"me', '--dry-run');
  expect([rows(dry), dry.code]).toEqual([plan, 1]);
  expect(dry.stderr).toContain(problem);
  const real = await sync(host, folder, 'shop/web:na"me', '--yes', '--restart', 'none');
  expect([rows(real), real.code]).toEqual([plan, 1]);
  expect(real.stderr).toContain(problem);
  const paths = Object.keys(await host.files()).filter((each) => each.startsWith('na"me/'));
  expect(paths.sort()).toEqual(['na"me/plain', 'na"me/te"xt']);
});

test('flags that contradict each other are refused', async () => {
  for (const flags of [
    ['--watch', '--wait'],
    ['--restart', 'none', '--wait'],
  ]) {
    expect((await sync(host, temporaryFolder(), 'shop/web', ...flags)).code).toBe(2);
  }
});

test('without a terminal, --yes and the whole name are needed', async () => {
  const folder = temporaryFolder();
  const prefix = await sync(host, folder, 'sho/web', '--yes');
  expect([prefix.code, prefix.stderr]).toEqual([2, expect.stringContaining('sho is only the')]);
  const watch = await sync(host, folder, 'shop/web', '--watch');
  expect(watch.code).toBe(2);
  expect(watch.stderr).toContain('error: Start? There is no terminal to ask on.');
});

test('a folder that is not there is named, and so is a wrong target', async () => {
  const folder = temporaryFolder();
  const missing = await sync(host, path.join(folder, 'no'), 'shop/web');
  expect([missing.code, missing.stderr]).toEqual([3, expect.stringMatching(/no: no such file/)]);
  expect((await sync(host, folder, 'shop/web:a/../b')).code).toBe(2);
});

test('a large file is read again before it is overwritten', async () => {
  const folder = temporaryFolder();
  const filled = (letter: string): string => letter.repeat(3 * 1024 * 1024);
  await writeFiles(folder, { mine: filled('a'), theirs: filled('a') });
  const args = ['shop/web:large', '--yes', '--restart', 'none'];
  expect((await sync(host, folder, ...args)).code).toBe(0);
  await writeFiles(folder, { mine: filled('b'), theirs: filled('b') });
  await host.put('large/theirs', filled('c'));
  const second = await sync(host, folder, ...args);
  expect([rows(second), second.code]).toEqual([['update mine', 'conflict theirs'], 5]);
});

test('more than twenty deletions want their number typed', async () => {
  const folder = temporaryFolder();
  await writeFiles(
    folder,
    Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`f${i}`, 'x'])),
  );
  const args = ['shop/web:many', '--restart', 'none'];
  expect((await sync(foreign, folder, ...args)).code).toBe(0);
  for (let i = 0; i < 25; i += 1) await rm(path.join(folder, `f${i}`));
  const remaining = async (): Promise<number> =>
    Object.keys(await foreign.files()).filter((each) => each.startsWith('many/')).length;
  const line = ['files', 'sync', folder, ...args, '--delete', '-q'];
  const typed = async (answer: string): Promise<number> => {
    await using session = launch({ home, env: foreign.env, args: line });
    await session.waitFor('Type 25 to confirm:');
    session.type(`${answer}\r`);
    return (await session.exited).code;
  };
  expect(await typed('y')).toBe(1);
  expect(await remaining()).toBe(25);
  expect(await typed('25')).toBe(0);
  expect(await remaining()).toBe(0);
});
