import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import { Home } from '../e2e/harness-home.ts';
import { launch } from '../e2e/harness.ts';
import { quit } from '../e2e/quit.ts';

/**
 * Uses an installed program as a stranger does first: the version, the console with the sample, its log
 * in a pipe, and a host of its own.
 * @param command that starts the program: a launcher, or Node and a script.
 * @param env of the program, in place of the PATH of the tests.
 */
export async function useProgram(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const home = new Home({ isFirst: true });
  try {
    const version = await output(command, ['--version'], home, env);
    expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);

    await using session = launch({ command, env, home });
    await session.waitFor(/job \d+/);
    const log = await output(command, ['logs', 'sample', '--no-follow'], home, env);
    expect(log).toMatch(/worker {2}.*job \d+/);
    await quit(session);
    expect(await session.exited).toEqual({ code: 0, signal: undefined });

    const args = ['host', '--port', '0', '--data', `${home.folder}/host`];
    const host = start(command, args, home, env);
    const [chunk] = (await once(host.stderr, 'data')) as [Buffer];
    expect(chunk.toString()).toContain('http://127.0.0.1:');
    host.kill('SIGTERM');
    expect(await once(host, 'close')).toEqual([0, null]);
  } finally {
    home.remove();
  }
}

function start(
  [file, ...before]: readonly [string, ...string[]],
  args: readonly string[],
  home: Home,
  env: Readonly<Record<string, string>>,
) {
  return spawn(file, [...before, ...args], {
    env: { PATH: process.env['PATH'], ...home.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Resolves with what a command wrote, once it has ended well. */
async function output(...parameters: Parameters<typeof start>): Promise<string> {
  const child = start(...parameters);
  let written = '';
  child.stdout.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  expect(code).toBe(0);
  return written;
}
