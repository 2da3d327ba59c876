import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idle, sdlOf, type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import type { ProgramEnd } from './run-program.ts';
import { startTwoServices } from './two-services.ts';

const home = new Home();
const cwd = path.join(home.folder, 'work');
const wallet = '0x9f000000000000000000000000000000000000a1';
let own: TemporaryHost;
let bare: Foreign;

beforeAll(async () => {
  mkdirSync(cwd);
  [own, bare] = await Promise.all([temporaryHost(), startForeign({ largestFile: 10_000_000 })]);
});

afterAll(async () => {
  await Promise.all([own.remove(), bare.close()]);
  home.remove();
});

const onOwn = (line: string, input = ''): Promise<ProgramEnd> => {
  const env = { HOSTDECK_BASE_URL: own.host.baseUrl, HOSTDECK_TOKEN: own.as(wallet).token };
  return runLine(line.split(' '), { home, cwd, input, env });
};

const write = (name: string, content: string): void => writeFileSync(path.join(cwd, name), content);

describe('on a terminal', () => {
  /** An editor that runs these shell commands with the file as `$1`. */
  const editor = (script: string): string => {
    write('editor.sh', `${script}\n`);
    return `sh ${path.join(cwd, 'editor.sh')}`;
  };

  const ask = (...args: readonly string[]) =>
    launch({ args, home, cwd, env: environmentOf(bare), cols: 100, rows: 24 });

  test('a file is replaced after a question', async () => {
    write('notes.txt', 'mine\n');
    bare.put(bare.sample, 'web', 'notes.txt', 'theirs\n');
    await using declined = ask('files', 'put', 'notes.txt', 'baz/web:');
    await declined.waitFor('Replace notes.txt of bazaar/web? [y/N]');
    declined.type('n\r');
    await declined.waitFor('Cancelled. Nothing was changed.');
    expect(await declined.exited).toMatchObject({ code: 1 });
    await using session = ask('files', 'put', 'notes.txt', 'baz/web:');
    await session.waitFor('Replace notes.txt of bazaar/web? [y/N]');
    session.type('y\r');
    await session.waitFor(/^replaced +bazaar\/web:notes\.txt +5 B$/m);
    expect(await session.exited).toMatchObject({ code: 0 });
    expect(bare.stored(bare.sample, 'web', 'notes.txt')?.toString()).toBe('mine\n');
  });

  test('large transfers show their progress, which is erased', async () => {
    write('large.bin', 'x'.repeat(8_000_000));
    await using put = ask('files', 'put', 'large.bin', 'bazaar/web:', '--yes');
    await put.waitFor(/^uploaded +bazaar\/web:large\.bin/m);
    await put.exited;
    expect(put.transcript).toMatch(/\rbazaar\/web:large\.bin {2}[\d.]+ kB of 8\.0 MB {2}\d+%/);
    expect(put.screen).not.toContain('%');
    await using get = ask('files', 'get', 'bazaar/web:large.bin', 'copy.bin');
    await get.exited;
    expect(get.screen).toMatch(/^saved +bazaar\/web:large\.bin/m);
    // This service does not announce the length of a file.
    expect(get.transcript).toMatch(/\rbazaar\/web:large\.bin {2}[\d.]+ MB/);
    for (const flag of ['--json', '--quiet']) {
      await using plain = ask('files', 'put', 'large.bin', 'bazaar/web:', '--yes', flag);
      await plain.exited;
      expect(plain.transcript).not.toContain('%');
    }
    const reader = { home, cwd, env: { ...environmentOf(bare), INK_SCREEN_READER: '1' } };
    const args = ['files', 'put', 'large.bin', 'bazaar/web:', '--yes'];
    await using read = launch({ ...reader, args });
    await read.exited;
    expect(read.transcript).not.toContain('%');
    expect((await runLine(args, reader)).stderr).toBe('bazaar is restarting.\n');
  });

  test('lists are tables, and files show no escape sequence', async () => {
    bare.put(bare.sample, 'web', 'evil.txt', '\u001b[2Jhidden\n');
    await using list = ask('files', 'list', 'bazaar/web', 'config');
    await list.waitFor(/^PATH\n/);
    await list.exited;
    expect(list.screen).not.toContain('SIZE');
    await using session = ask('files', 'cat', 'bazaar/web:evil.txt');
    await session.waitFor('^[[2Jhidden');
    expect(await session.exited).toMatchObject({ code: 0 });
  });

  test('a difference has colours, and no escape sequence of a file', async () => {
    write('evil.txt', 'plain\n');
    bare.put(bare.sample, 'web', 'evil.txt', '\u001b[2Jhidden\n');
    await using session = ask('files', 'diff', 'evil.txt', 'bazaar/web:evil.txt');
    await session.waitFor('+^[[2Jhidden');
    expect(session.transcript).toContain('\u001b[32m+^[[2Jhidden\u001b[39m');
    expect(await session.exited).toMatchObject({ code: 0 });
  });

  test('a file is edited in $EDITOR, which gets no token', async () => {
    bare.put(bare.sample, 'web', 'etc/app.ini', 'a=1\n');
    const env = {
      ...environmentOf(bare),
      EDITOR: editor(
        'echo EDITING $1; read line; [ -z "$HOSTDECK_TOKEN" ] && echo "$line" >> "$1"',
      ),
    };
    const args = ['files', 'edit', 'baz/web:etc/app.ini'];
    await using session = launch({ args, home, cwd, env, cols: 100, rows: 24 });
    await session.waitFor(/EDITING .*app\.ini/);
    session.type('b=2\r');
    await session.waitFor('bazaar is restarting.');
    expect(await session.exited).toMatchObject({ code: 0 });
    expect(bare.stored(bare.sample, 'web', 'etc/app.ini')?.toString()).toBe('a=1\nb=2\n');
  });
});

test('on our host a put waits for the restart', async () => {
  const sdl = sdlOf({ web: { ...idle, amount: 100 } }, 'shop');
  await own.as(wallet).call('createDeployment', { json: { sdl } });
  write('page.html', '<p>new\n');
  const end = await onOwn('files put page.html shop/web:public/ --wait --timeout 25s');
  expect(end.code).toBe(0);
  expect(end.stdout).toContain('uploaded\tshop/web:public/page.html\t\t7\n');
  expect(end.stdout).toMatch(/shop is active\.\n$/);
  const listed = await onOwn('files list shop/web --json');
  expect(JSON.parse(listed.stdout)).toMatchObject([{ path: 'public/page.html', size: 7 }]);
});

test('on our host files are renamed, read and deleted', async () => {
  expect((await onOwn('files mv shop/web:public/page.html index.html --restart none')).code).toBe(
    0,
  );
  expect((await onOwn('files cat shop/web:index.html')).stdout).toBe('<p>new\n');
  expect((await onOwn('files rm shop/web:index.html --yes -q')).stdout).toBe(
    'shop/web:index.html\n',
  );
  expect((await onOwn('files list shop/web')).stdout).toBe('');
});

test('the command that restarts later names the service that the flags named', async () => {
  await using services = await startTwoServices();
  const { prod, blue } = services;
  const before = blue.requests.length;
  const env = environmentOf(blue);
  const put = 'files put - shopfront/web:later.txt --restart none --profile prod';
  const { stderr, code } = await runLine(put.split(' '), {
    home: services.home,
    env,
    input: 'x',
  });
  expect(code).toBe(0);
  const [, command = ''] = /shopfront restarts: hostdeck (.*)/.exec(stderr) ?? [];
  expect(command).toBe('deployments restart shopfront --profile prod');
  expect((await runLine(command.split(' '), { home: services.home, env })).code).toBe(0);
  expect(prod.writes().at(-1)?.path).toMatch(/\/restart$/);
  expect(blue.requests).toHaveLength(before);
});
