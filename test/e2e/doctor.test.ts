import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';

const home = new Home();
let foreign: Foreign;
let late: Foreign;
let unreadable: Foreign;

beforeAll(async () => {
  foreign = await startForeign();
  late = await startForeign({ now: () => Date.now() + 3_600_000, chatter: 'none' });
  unreadable = await startForeign({ chatter: 'unreadable' });
});

afterAll(async () => {
  await Promise.all([foreign.close(), late.close(), unreadable.close()]);
  home.remove();
});

interface Row {
  readonly name: string;
  readonly state: string;
  readonly finding: string;
  readonly next?: string;
}

async function examined(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const end = await runLine(['doctor', '--json', ...args], { home, env });
  const rows = JSON.parse(end.stdout) as readonly Row[];
  return { ...end, rows, row: (name: string) => rows.find((row) => row.name === name) };
}

describe('doctor', () => {
  test('checks everything in order, and prints no token', async () => {
    const found = await examined({ ...environmentOf(foreign), LANG: 'C.UTF-8' });
    expect(found.rows.map(({ name }) => name)).toEqual([
      'node',
      'terminal',
      'locale',
      'time zone',
      'config',
      'profile',
      'token',
      'proxy',
      'service',
      'clock',
      'stream',
      'engine',
      'isolation',
      'state',
      'data',
    ]);
    expect(found.rows.filter(({ state }) => state === 'fail')).toEqual([]);
    expect(found.row('token')).toMatchObject({ state: 'ok', finding: 'from HOSTDECK_TOKEN' });
    expect(found.row('service')?.finding).toMatch(/ lists 1 deployment$/);
    expect(found.row('stream')).toMatchObject({
      state: 'ok',
      finding: 'opens; messages of other types are ignored: welcome',
    });
    expect(found.code).toBe(0);
    expect(found.stdout + found.stderr).not.toContain(foreign.token);
  });

  test('ends with 1 where something fails, and says what to do', async () => {
    const rejected = await examined({ ...environmentOf(foreign), HOSTDECK_TOKEN: 'wrong-token' });
    expect(rejected.code).toBe(1);
    expect(rejected.row('service')).toMatchObject({ state: 'fail' });
    expect(rejected.row('service')?.next).toContain('Use another token');
    expect(rejected.stdout).not.toContain('wrong-token');
    const gone = await examined({ HOSTDECK_BASE_URL: 'http://127.0.0.1:1', HOSTDECK_TOKEN: 'x' });
    expect([gone.code, gone.row('service')?.state]).toEqual([1, 'fail']);
    const bare = await examined({ HOSTDECK_BASE_URL: foreign.baseUrl });
    expect([bare.code, bare.row('token')?.state]).toEqual([1, 'fail']);
    const unknown = await examined({}, '--profile', 'nope');
    expect([unknown.code, unknown.row('profile')?.state]).toEqual([1, 'fail']);
  });

  test('tells which proxy is used, and why none is', async () => {
    const direct = await examined({ ...environmentOf(foreign), HTTP_PROXY: 'http://p.test:3128' });
    expect(direct.row('proxy')?.finding).toBe('none, because this machine needs no proxy');
    expect(direct.row('service')?.state).toBe('ok');
    const proxied = await examined({
      HOSTDECK_BASE_URL: 'https://service.test',
      HOSTDECK_TOKEN: 'x',
      HTTPS_PROXY: 'http://user:top-secret@127.0.0.1:1',
    });
    expect(proxied.row('proxy')?.finding).toBe(
      '127.0.0.1:1 from HTTPS_PROXY, with a user: requests and the stream use tunnels',
    );
    expect(proxied.row('service')).toMatchObject({
      state: 'fail',
      finding: 'service.test: The proxy 127.0.0.1:1 refused the connection.',
      next: 'Check HTTPS_PROXY, or add service.test to NO_PROXY.',
    });
    expect(proxied.stdout + proxied.stderr).not.toContain('top-secret');
  });

  test('names a mistake of the configuration and goes on', async () => {
    const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
    mkdirSync(folder, { recursive: true });
    const file = path.join(folder, 'config.yaml');
    writeFileSync(file, 'profiles:\n  prod: { token: top-secret }\n');
    const found = await examined({});
    expect(found.row('config')?.finding).toContain(`${file} line 2:`);
    expect([found.code, found.row('data')?.state]).toEqual([1, 'ok']);
    expect(found.stdout).not.toContain('top-secret');
    writeFileSync(file, '');
  });

  test('warns of a clock that differs and of a folder that can not be written to', async () => {
    const found = await examined(environmentOf(late));
    expect(found.row('clock')).toMatchObject({
      state: 'warn',
      finding: expect.stringMatching(/clock is (59m|1h) behind the service's\.$/),
    });
    expect(found.row('stream')?.finding).toBe('opens');
    const blocked = path.join(home.folder, 'blocked');
    writeFileSync(blocked, '');
    chmodSync(blocked, 0o600);
    const state = await examined({ ...environmentOf(foreign), XDG_STATE_HOME: blocked });
    expect([state.code, state.row('state')?.state]).toEqual([1, 'fail']);
  });

  test('warns of a stream whose messages can not be read', async () => {
    const found = await examined(environmentOf(unreadable));
    expect(found.row('stream')).toMatchObject({
      state: 'warn',
      finding: "The log stream sends messages that can't be read: not JSON.",
      next: 'Lines in them are missing until the log is fetched by HTTP.',
    });
    expect(found.code).toBe(0);
  });

  test('starts no host on this machine', async () => {
    const found = await examined({});
    expect(found.row('service')?.finding).toMatch(/^No host runs on /);
    expect(found.code).toBe(0);
    expect(home.survivors()).toEqual([]);
  });

  test('draws a row a check on a terminal, the next step below it', async () => {
    const env = { ...environmentOf(foreign), HOSTDECK_TOKEN: 'wrong-token' };
    await using session = launch({ home, args: ['doctor'], env, cols: 100, rows: 40 });
    expect((await session.exited).code).toBe(1);
    expect(session.screen).toMatch(/^ok {4}node {7}\d+\.\d+/m);
    expect(session.screen).toMatch(/^fail {2}service {4}127\.0\.0\.1:.*\n {17}Use another token/m);
    expect(session.screen).not.toContain('wrong-token');
  });
});
