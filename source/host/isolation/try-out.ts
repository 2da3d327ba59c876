import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { feed, feeding } from './inputs.ts';
import type { Isolation } from './isolation.ts';

export interface TryOut {
  /** Exit code of a shell that ran like a service: 0 when the isolation works. */
  readonly code: number | null;
  /** True when a service can run the host's own Node. */
  readonly runsNode: boolean;
  /** First line of the error output. */
  readonly words: string;
}

const timeoutMs = 10_000;

/** Tests an isolation: runs a shell like a service, which also tests access to the host's Node. */
export async function tryOut(isolation: Isolation): Promise<TryOut> {
  const user = isolation.firstUser;
  await isolation.prepare(user);
  const { prefix, inputs } = isolation.confine('/usr', { user });
  const test = ['/bin/sh', '-c', 'test -x "$1" && echo node; exit 0', 'sh', process.execPath];
  const [command = '', ...args] = [...prefix, ...test];
  const child = spawn(command, args, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'ignore', ...feeding(inputs)],
    timeout: timeoutMs,
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
