import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { sdlOf } from '../host/support/temporary-host.ts';
import { isRunning } from '../host/support/processes.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { Home } from './harness-home.ts';
import { launch } from './harness.ts';
import { type RunningProgram, runProgram, startProgram } from './run-program.ts';

const preload = path.resolve(import.meta.dirname, '../fixtures/without-proc.ts');
const home = new Home();
const platform = { NODE_OPTIONS: `--import ${pathToFileURL(preload).href}` };

afterAll(() => home.remove());

/** A host as on macOS, and the environment of its wallet. */
async function startHost(data: string) {
  const args = ['host', '--data', data, '--port', '0'];
  const host: RunningProgram = startProgram(args, { home, env: platform });
  onTestFinished(() => host.kill('SIGTERM'));
  let [baseUrl, wallet] = ['', ''];
  await host.waitForNote((said) => {
    baseUrl = /http:\S+/.exec(said)?.[0] ?? '';
    wallet = /Your wallet: (\S+)\n/.exec(said)?.[1] ?? '';
    return wallet !== '';
  });
  const token = await runProgram(['host', 'token', '--data', data, '--wallet', wallet], {
    home,
    env: platform,
  });
  expect(token).toMatchObject({ stderr: '', code: 0 });
  const env = { ...platform, HOSTDECK_BASE_URL: baseUrl, HOSTDECK_TOKEN: token.stdout.trim() };
  return { host, env };
}

/** Tells the process of this test from all others. */
const seconds = 10_000_000 + process.pid;

/** Prints its process id and a file at each start. */
const definition = sdlOf(
  {
    web: {
      command: ['sh', '-c', `echo "process $$ reads $(cat greeting 2>&1)"; exec sleep ${seconds}`],
      amount: 1,
    },
  },
  'shop',
);

test('as on macOS, without /proc, services run, are edited, restarted, taken over and closed', async () => {
  const data = temporaryFolder();
  const first = await startHost(data);
  const run = (line: string, input = '') =>
    runProgram(line.split(' '), { home, env: first.env, input });
  expect(await run('deployments create -f - --yes', definition)).toMatchObject({
    stderr: '',
    code: 0,
  });
  expect(await run('deployments wait shop --timeout 60s')).toMatchObject({ stderr: '', code: 0 });
  expect(await run('files put - shop/web:greeting --yes', 'hello')).toMatchObject({ code: 0 });
  expect((await run('files cat shop/web:greeting')).stdout).toBe('hello');
  expect((await run('doctor')).stdout).toMatch(/isolation\tneeds Linux\./);

  await using session = launch({ env: first.env, home, cols: 120, rows: 30 });
  await session.waitFor(/process \d+ reads hello/);
  const [, pid = ''] = /process (\d+) reads hello/.exec(session.screen) ?? [];

  // A host that is killed leaves its processes to the next one.
  first.host.kill('SIGKILL');
  await first.host.ended;
  const second = await startHost(data);
  const again = (line: string) => runProgram(line.split(' '), { home, env: second.env });
  await waitFor(async () => {
    const { stdout } = await again('deployments list --json');
    expect(stdout).toContain('active');
  });
  const processes = () =>
    execFileSync('ps', ['axww', '-o', 'command='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line.startsWith(`sleep ${seconds}`)).length;
  expect(processes()).toBe(1);
  expect(await again('deployments close shop --yes')).toMatchObject({ stderr: '', code: 0 });
  await waitFor(() => expect(isRunning(Number(pid))).toBe(false));
  second.host.kill('SIGTERM');
  expect(await second.host.ended).toMatchObject({ code: 0 });
});
