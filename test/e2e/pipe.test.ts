import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startFlood } from '../bench/flood.ts';
import { startForeign } from '../servers/foreign.ts';
import { environmentOf, launchOnForeign } from './foreign-console.ts';
import { Home } from './harness-home.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

interface Ended {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number | null;
}

/** Runs the real program into pipes; `on` sees what it has written so far. */
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  on: (written: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
): Promise<Ended> {
  const home = new Home();
  onTestFinished(() => home.remove());
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env['PATH'], ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const written = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
    on(written.stdout, (signal) => child.kill(signal));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  await once(child, 'close');
  return { ...written, code: child.exitCode };
}

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('%s in the middle of a flood leaves whole lines only', async (signal, code) => {
  const flood = await startFlood(200_000, 300);
  const env = { HOSTDECK_BASE_URL: flood.baseUrl, HOSTDECK_TOKEN: 'flood' };
  let sent = false;
  const ended = await run(['logs', flood.deployment, '--json'], env, (written, kill) => {
    if (sent || written.length < 500_000) return;
    sent = true;
    kill(signal);
  });
  await flood.close();
  expect(ended.code).toBe(code);
  expect(ended.stdout.endsWith('}\n')).toBe(true);
  const ids = ended.stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { readonly id: number }).id);
  expect(ids).toEqual(Array.from({ length: ids.length }, (_, index) => index + 1));
});

test('a reader that closes the pipe ends it quietly', async () => {
  const flood = await startFlood(200_000, 300);
  const home = new Home();
  onTestFinished(() => home.remove());
  const child = spawn(
    'sh',
    [
      '-c',
      `"$0" "$1" logs ${flood.deployment} --history-timeout 60 | head -n 1; echo done >&2`,
      process.execPath,
      program,
    ],
    {
      env: {
        PATH: process.env['PATH'],
        ...home.env,
        HOSTDECK_BASE_URL: flood.baseUrl,
        HOSTDECK_TOKEN: 'flood',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  await once(child, 'close');
  await flood.close();
  expect(stderr).toBe('done\n');
});

test('a name that fits nothing is told on stderr alone, with exit code 3', async () => {
  const foreign = await startForeign();
  const ended = await run(['logs', 'nope'], environmentOf(foreign));
  await foreign.close();
  expect(ended).toMatchObject({ stdout: '', code: 3 });
  expect(ended.stderr).toContain('has the name or id nope, or one that starts with it.');
});

test('on a terminal it opens the console on the full-screen log', async () => {
  await using deck = await launchOnForeign({ args: ['logs', 'bazaar'] });
  const { session, foreign } = deck;
  await session.waitFor('started');
  await session.waitFor(/^127\.0\.0\.1:\d+ bazaar +live \d+\/s/);
  foreign.append(foreign.sample, 'web', 'a line of its own');
  await session.waitFor('a line of its own');
  expect(session.screen).not.toContain('1 Deployments');
});
