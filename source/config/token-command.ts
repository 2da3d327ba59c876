import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Milliseconds that a token command may take, long enough to unlock a password store. */
const tokenCommandTimeout = 60_000;

/** Runs a shell command and resolves with the first line it prints. Rejects as `execFile` does. */
export async function runTokenCommand(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
    timeout: tokenCommandTimeout,
  });
  return stdout.split('\n')[0] ?? '';
}
