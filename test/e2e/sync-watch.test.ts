import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { here } from './console-here.ts';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';
import { runLine } from './run-line.ts';
import {
  foreignGround,
  hostGround,
  RunningLine,
  RunningProgram,
  type SyncGround,
  writeFiles,
} from './sync-ground.ts';
import { startTwoServices } from './two-services.ts';

const home = new Home();
afterAll(() => home.remove());

const parametersOf = (
  ground: SyncGround,
  folder: string,
  { delay = '1', args = [] as readonly string[] } = {},
): ConstructorParameters<typeof RunningLine> => [
  ['files', 'sync', folder, 'shop/web', '--watch', '--yes', ...args],
  home,
  { ...ground.env, HOSTDECK_RESTART_DELAY: delay },
];

const watching = (...of: Parameters<typeof parametersOf>) =>
  new RunningLine(...parametersOf(...of));

/** The program, for tests of signals. */
const watchingProgram = (...of: Parameters<typeof parametersOf>) =>
  new RunningProgram(...parametersOf(...of));

/** Waits until a file on the service has a content; undefined for no file. */
async function arrives(ground: SyncGround, name: string, content: string | undefined) {
  await waitFor(async () => expect(await ground.read(name)).toBe(content), { interval: 100 });
}

/** Saves as editors do: to a file beside it, which is then renamed. */
async function save(folder: string, name: string, content: string): Promise<void> {
  const file = path.join(folder, name);
  await writeFile(`${file}.swp`, content);
  await rename(`${file}.swp`, file);
}

describe.concurrent.each([
  // Our host syncs each file to disk, which takes longer than all else here.
  ['host', hostGround, 40, 3],
  ['foreign', foreignGround, 200, 10],
] as const)('on the %s', (_, start, count, saves) => {
  test('an editor and a stranger lose nothing, and a pause is one restart', async (context) => {
    const ground: SyncGround = await start();
    const folder = temporaryFolder(context);
    const names = Array.from({ length: count }, (__, index) => `dir${index % 7}/file${index}.txt`);
    await writeFiles(folder, Object.fromEntries(names.map((name) => [name, `${name}\n`])));
    const watch = watching(ground, folder, { delay: '6' });
    await watch.says(`Sent ${count} files.`);
    const [theirs, edited] = [names.slice(0, saves), names.slice(-saves)];
    for (const name of theirs) await ground.put(name, `theirs ${name}\n`);
    for (const [round, name] of edited.entries()) {
      await save(folder, String(theirs[round]), `round ${round}\n`);
      await save(folder, name, `round ${round}\n`);
      // Each save is sent before the next one, or named.
      await watch.says(`  ${theirs[round]}: changed on the service`);
      await arrives(ground, name, `round ${round}\n`);
    }
    await watch.says('shop is restarting.');
    const expected = names.map((name) => {
      if (theirs.includes(name)) return [name, `theirs ${name}\n`];
      return [name, edited.includes(name) ? `round ${edited.indexOf(name)}\n` : `${name}\n`];
    });
    expect(await ground.files()).toEqual(Object.fromEntries(expected));
    await watch.end();
    expect(watch.count('shop is restarting.')).toBe(1);
    await ground.close();
  }, 120_000);
});

test.concurrent('folders come and go, deletions wait for a moment, and too many are held', async (context) => {
  const ground = await foreignGround();
  const folder = temporaryFolder(context);
  await writeFiles(folder, { 'a/b/c': 'c\n', d: 'd\n' });
  const watch = watchingProgram(ground, folder, { args: ['--delete', '--restart', 'none'] });
  await watch.says('Watching');
  await rm(path.join(folder, 'a'), { recursive: true });
  await arrives(ground, 'a/b/c', undefined);
  await writeFiles(folder, { 'a/b/c': 'again\n', 'a/new/e': 'e\n' });
  await arrives(ground, 'a/b/c', 'again\n');
  await writeFiles(folder, { 'a/new/e': 'more\n' });
  await arrives(ground, 'a/new/e', 'more\n');
  await rm(folder, { recursive: true });
  await watch.says('Waiting for it.');
  expect(Object.keys(await ground.files())).toEqual(['a/b/c', 'a/new/e', 'd']);
  await mkdir(folder);
  const many = Array.from({ length: 30 }, (_, index) => [`f${index}`, 'f']);
  await writeFiles(folder, {
    'a/b/c': 'back\n',
    'a/new/e': 'e\n',
    d: 'd\n',
    ...Object.fromEntries(many),
  });
  await arrives(ground, 'a/b/c', 'back\n');
  await arrives(ground, 'f29', 'f');
  for (const [name] of many) await rm(path.join(folder, String(name)));
  await watch.says('More than 20 deletions are not made.');
  await arrives(ground, 'f29', 'f');
  expect(await watch.end('SIGTERM')).toBe(143);
  expect(watch.stderr).toContain(
    'Unapplied until shop restarts: hostdeck deployments restart shop\n',
  );
  expect(watch.count('is restarting')).toBe(0);
  await ground.close();
});

test.concurrent('a service that is away is waited for, and a restart follows what is sent then', async (context) => {
  const ground = await foreignGround();
  const folder = temporaryFolder(context);
  await writeFiles(folder, { a: 'a\n' });
  const watch = watching(ground, folder, { delay: '0' });
  await watch.says('shop is restarting.');
  await ground.foreign.away();
  await writeFiles(folder, { a: 'b\n', b: 'b\n' });
  await watch.says('Retrying.');
  await writeFiles(folder, { a: 'c\n' });
  await ground.foreign.back();
  await watch.says('answers again.');
  await arrives(ground, 'a', 'c\n');
  await arrives(ground, 'b', 'b\n');
  await watch.says('shop is restarting.', 2);
  expect(watch.count('Retrying.')).toBe(1);
  await watch.end();
  await ground.close();
});

test.concurrent('a signal lets the upload in flight finish, and the next sync goes on', async (context) => {
  const ground = await foreignGround();
  const folder = temporaryFolder(context);
  await writeFiles(folder, { a: 'a\n' });
  const watch = watchingProgram(ground, folder);
  await watch.says('shop is restarting.');
  ground.foreign.delay(500);
  await writeFiles(folder, { a: 'b\n' });
  const uploads = (): number =>
    ground.foreign.writes().filter(({ path: at }) => at.endsWith('/files')).length;
  await waitFor(() => expect(uploads()).toBe(2));
  expect(await watch.end()).toBe(130);
  ground.foreign.delay(0);
  expect(await ground.files()).toEqual({ a: 'b\n' });
  expect(watch.stderr).toContain('error: shop was not restarted.');
  await writeFiles(folder, { a: 'c\n' });
  const next = watching(ground, folder);
  await arrives(ground, 'a', 'c\n');
  await next.end();
  await ground.close();
});

test.concurrent('a restart that counts when the sync is killed is offered by the next console', async (context) => {
  const ground = await foreignGround();
  const folder = temporaryFolder(context);
  await writeFiles(folder, { 'a/b': 'b\n' });
  const watch = watchingProgram(ground, folder, { delay: '600' });
  await watch.says('Watching');
  expect(await watch.end('SIGKILL')).toBe(null);
  {
    await using session = launch({ home, env: ground.env });
    await session.waitFor(/1 restart of shop \(1 file\)\. Nothing was sent/);
    session.kill('SIGTERM');
    await session.exited;
  }
  expect(ground.foreign.writes().some(({ path: at }) => at.endsWith('/restart'))).toBe(false);
  const sync = ['files', 'sync', folder, 'shop/web', '--restart', 'none'];
  const idle = await runLine(sync, { home, env: ground.env });
  expect(idle.stderr).toContain('shop has not restarted since earlier changes (1 file).');
  const again = await runLine(['deployments', 'restart', 'shop'], { home, env: ground.env });
  expect(again.code).toBe(0);
  await using after = launch({ run: here, home, env: ground.env });
  after.press('1');
  await after.waitFor(/^>?.*\bshop\b/m);
  expect(after.screen).not.toMatch(/unapplied|Nothing was sent/);
  await ground.close();
});

test.concurrent('a restart that counts at the end is told with its command, also as JSON and quietly', async (context) => {
  await using services = await startTwoServices();
  const { prod, home: twoHomes } = services;
  const folder = temporaryFolder(context);
  const [, shop = ''] = [...prod.deployments.keys()];
  const next = 'Unapplied until it restarts: hostdeck deployments restart shopfront --profile prod';
  const args = ['files', 'sync', folder, 'shopfront/web', '--watch', '--yes', '--profile', 'prod'];
  const env = { HOSTDECK_RESTART_DELAY: '600' };
  const endedBy = async (flag: string): Promise<string> => {
    await writeFiles(folder, { a: flag });
    const watch = new RunningLine([...args, flag], twoHomes, env);
    await waitFor(() => expect(prod.stored(shop, 'web', 'a')?.toString()).toBe(flag));
    await watch.end();
    return watch.stderr;
  };
  expect(await endedBy('--quiet')).toBe(`error: shopfront was not restarted.\n${next}\n`);
  expect(JSON.parse(await endedBy('--json'))).toEqual({
    error: { code: 'unapplied', message: 'shopfront was not restarted.', next },
  });
});

test.concurrent('an upload whose answer is lost is followed by a restart', async (context) => {
  const ground = await foreignGround();
  const { foreign } = ground;
  const folder = temporaryFolder(context);
  await writeFiles(folder, { a: 'a\n' });
  const watch = watching(ground, folder, { delay: '0' });
  await watch.says('shop is restarting.');
  foreign.failNext(1, { status: 504, method: 'POST', isExecuted: true });
  await writeFiles(folder, { a: 'b\n' });
  await watch.says('shop is restarting.', 2);
  await watch.end();
  await ground.close();
});
