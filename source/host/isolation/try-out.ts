import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { feed, feeding } from './inputs.ts';
import type { Isolation } from './isolation.ts';

export interface TryOut {
  /** Exit code of a shell that ran the way a service would run: 0 where that works. */
  readonly code: number | null;
  /** Whether a service could run the Node that runs the host. */
  readonly runsNode: boolean;
  /** The words of the isolation where it failed. */
  readonly words: string;
}

const mostMs = 10_000;

/** Runs a shell the way a service would run, and asks it whether it could run Node. */
export async function tryOut(isolation: Isolation): Promise<TryOut> {
  const user = isolation.firstUser;
  await isolation.prepare(user);
  const { prefix, inputs } = isolation.confine('/usr', { user });
  const asking = ['/bin/sh', '-c', 'test -x "$1" && echo node; exit 0', 'sh', process.execPath];
  const [command = '', ...args] = [...prefix, ...asking];
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...feeding(inputs)],
    timeout: mostMs,
  });
  const { stdout, stderr } = child;
  try {
    feed(child, inputs);
    const [out, err] = await Promise.all([
      stdout === null ? '' : text(stdout),
      stderr === null ? '' : text(stderr),
      once(child, 'close'),
    ]);
    const [words = ''] = err.trim().split('\n');
    return { code: child.exitCode, runsNode: out.trim() === 'node', words };
  } catch (error) {
    return { code: null, runsNode: false, words: error instanceof Error ? error.message : '' };
  }
}
