import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Starts a program of test/fixtures until the end of the test; resolves at its first line. */
export async function startFixture(
  name: string,
  ...args: readonly string[]
): Promise<ChildProcess> {
  const file = path.join(import.meta.dirname, '../fixtures', name);
  const child = spawn(process.execPath, [file, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  return child;
}

/** Kills it as nothing can be caught, and resolves when it is gone. */
export async function killAtOnce(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}
