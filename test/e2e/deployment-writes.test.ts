import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { idle, sdlOf, type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { createDeployment, environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import type { ProgramEnd } from './run-program.ts';

const home = new Home();
const wallet = '0x9f000000000000000000000000000000000000a1';
let own: TemporaryHost;
let foreign: Foreign;
let bare: Foreign;

beforeAll(async () => {
  [own, foreign, bare] = await Promise.all([
    temporaryHost(),
    startForeign(),
    startForeign({ deployments: 'ids' }),
  ]);
  const folder = path.join(home.env['XDG_CONFIG_HOME'] ?? '', 'hostdeck');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'token'), foreign.token, { mode: 0o600 });
  writeFileSync(
    path.join(folder, 'config.yaml'),
    `profiles:\n  audit: { baseUrl: '${foreign.baseUrl}', tokenFile: token, readOnly: true }\n`,
  );
});

afterAll(async () => {
  await Promise.all([own.remove(), foreign.close(), bare.close()]);
  home.remove();
});

const ownEnvironment = () => ({
  HOSTDECK_BASE_URL: own.host.baseUrl,
  HOSTDECK_TOKEN: own.as(wallet).token,
});
const onOwn = (line: string, input = ''): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env: ownEnvironment(), input });
const onForeign = (line: string): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env: environmentOf(foreign) });

describe('on our host', () => {
  const definition = (name: string) => sdlOf({ web: { ...idle, amount: 100 } }, name);

  test('a definition with mistakes is not sent, and they are named with line and column', async () => {
    const wrong = definition('shop').replace('services', 'servces');
    const { stdout, stderr, code } = await onOwn('deployments create -f - --yes', wrong);
    expect([stdout, code]).toEqual(['', 1]);
    expect(stderr).toMatch(/^error: stdin has .*Nothing was sent\.\n {2}stdin:\d+:\d+: /);
  });

  test('a creation needs --yes where nobody can be asked, and --dry-run does nothing', async () => {
    const unasked = await onOwn('deployments create -f -', definition('shop'));
    expect(unasked).toMatchObject({ stdout: '', code: 2 });
    expect(unasked.stderr).toContain('Confirm with --yes.');
    const dry = await onOwn('deployments create -f - --dry-run', definition('shop'));
    expect(dry.stdout).toContain('Would create shop');
    expect(dry.stdout).toMatch(/Price in the definition: 0\.06 an hour|Cost: 0\.06 an hour/);
    expect((await onOwn('deployments list')).stdout).toBe('');
  });

  test('a deployment is created, restarted, waited for and closed', async () => {
    const created = await onOwn('deployments create -f - --yes -q', definition('shop'));
    expect(created).toMatchObject({ stderr: '', code: 0 });
    const id = created.stdout.trim();
    const waited = await onOwn('deployments wait shop --timeout 25s');
    expect(waited).toMatchObject({ stderr: '', code: 0 });
    expect(waited.stdout).toMatch(/shop is active\.\n$/);
    const restarted = await onOwn('deployments restart shop --wait --timeout 25s --json');
    expect(restarted.code).toBe(0);
    expect(restarted.stdout).toContain('"result":"restarted"');
    const prefix = await onOwn('deployments close sho --yes');
    expect(prefix).toMatchObject({ stdout: '', code: 2 });
    expect(prefix.stderr).toContain(`  ${id}  shop`);
    const dry = await onOwn('deployments close shop --dry-run');
    expect(dry).toMatchObject({ stdout: `Would close shop (${id}).\n`, code: 0 });
    const closed = await onOwn(`deployments close ${id} --yes`);
    expect(closed).toMatchObject({ stdout: 'Closed shop.\n', stderr: '', code: 0 });
    const gone = await onOwn(`deployments wait ${id} --for closed`);
    expect(gone.code).toBe(0);
  });

  test('a failed deployment ends waiting with 1 and its log', async () => {
    const failing = sdlOf(
      { web: { command: ['sh', '-c', 'echo out of cheese; exit 3'], amount: 100 } },
      'broken',
    );
    const { stdout, stderr, code } = await onOwn(
      'deployments create -f - --yes --wait --timeout 25s',
      failing,
    );
    expect(code).toBe(1);
    expect(stdout).toContain('out of cheese');
    expect(stderr).toMatch(/error: broken is failed/);
  });

  test('whoami tells the wallet and the source of the token, never the token', async () => {
    const { stdout, code } = await onOwn('whoami --json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      service: own.host.baseUrl,
      tokenSource: 'HOSTDECK_TOKEN',
      readOnly: false,
    });
    expect(stdout).not.toContain(own.as(wallet).token);
  });
});

describe('on a foreign service', () => {
  test('each of several restarts is reported, and one without an answer ends with 9', async () => {
    await createDeployment(foreign, 'ledger');
    foreign.failNext(1, { status: 504, method: 'POST' });
    const { stdout, stderr, code } = await onForeign('deployments restart bazaar ledger');
    expect(code).toBe(9);
    expect(stdout).toBe('ledger is restarting.\n');
    expect(stderr).toMatch(
      /^error: bazaar: [^]*\nhostdeck deployments get .* shows whether it did\.\n$/,
    );
  });

  test('a wrong name among several does nothing at all', async () => {
    const before = foreign.writes().length;
    const { stderr, code } = await onForeign('deployments restart bazaar nope');
    expect(code).toBe(3);
    expect(stderr).toContain('nope');
    expect(foreign.writes()).toHaveLength(before);
  });

  test('two deployments of one name end with 2 and both ids', async () => {
    await createDeployment(foreign, 'twin');
    await createDeployment(foreign, 'twin');
    const { stderr, code } = await onForeign('deployments restart twin --json');
    expect(code).toBe(2);
    const { error } = JSON.parse(stderr) as { error: { candidates: readonly unknown[] } };
    expect(error.candidates).toHaveLength(2);
  });

  test('a profile that is read-only refuses writes with 4, and sends none', async () => {
    const before = foreign.writes().length;
    const refused = await runLine(['deployments', 'restart', 'bazaar', '--profile', 'audit'], {
      home,
    });
    expect(refused).toMatchObject({ stdout: '', code: 4 });
    expect(refused.stderr).toMatch(/^error: audit is read-only\.\n/);
    expect(foreign.writes()).toHaveLength(before);
  });

  test('a service that tells no states can be restarted, but not waited for', async () => {
    const run = (line: string) => runLine(line.split(' '), { home, env: environmentOf(bare) });
    expect(await run(`deployments restart ${bare.sample}`)).toMatchObject({ code: 0 });
    const waited = await run(`deployments wait ${bare.sample}`);
    expect(waited.code).toBe(1);
    expect(waited.stderr).toContain('does not tell the state');
  });

  test('SIGTERM ends waiting with 143', async () => {
    const requests = foreign.requests.length;
    const child = spawn(
      process.execPath,
      [
        path.resolve(import.meta.dirname, '../../dist/cli.js'),
        'deployments',
        'wait',
        'bazaar',
        '--for',
        'closed',
      ],
      {
        env: { PATH: process.env['PATH'], ...home.env, ...environmentOf(foreign) },
        stdio: 'ignore',
      },
    );
    const ended = once(child, 'exit');
    // The list, and two looks at the deployment.
    await expect.poll(() => foreign.requests.length).toBeGreaterThan(requests + 2);
    child.kill('SIGTERM');
    expect(await ended).toEqual([143, null]);
  });
});

describe('on a terminal', () => {
  const ask = (...args: readonly string[]) =>
    launch({ args, home, env: environmentOf(foreign), cols: 100, rows: 24 });

  test('closing wants the name typed', async () => {
    await createDeployment(foreign, 'doomed');
    await using session = ask('deployments', 'close', 'doo');
    await session.waitFor('Type doomed to confirm:');
    session.type('doomed\r');
    await session.waitFor('Closed doomed.');
    expect(await session.exited).toMatchObject({ code: 0 });
  });

  test('another answer changes nothing', async () => {
    const before = foreign.writes().length;
    await using session = ask('deployments', 'close', 'bazaar');
    await session.waitFor('Type bazaar to confirm:');
    session.type('y\r');
    await session.waitFor('Cancelled. Nothing was changed.');
    expect(await session.exited).toMatchObject({ code: 1 });
    expect(foreign.writes()).toHaveLength(before);
  });

  test('^C at a question ends with 130', async () => {
    const before = foreign.writes().length;
    await using session = ask('deployments', 'close', 'bazaar');
    await session.waitFor('Type bazaar to confirm:');
    session.type('\u0003');
    expect(await session.exited).toMatchObject({ code: 130 });
    expect(foreign.writes()).toHaveLength(before);
  });
});
