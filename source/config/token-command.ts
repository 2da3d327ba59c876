import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Milliseconds a token command may take: long enough to unlock a password store. */
const tokenCommandTimeout = 60_000;

/** The first line that a command of the person's shell prints; throws as `execFile` does. */
export async function runTokenCommand(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], {
    timeout: tokenCommandTimeout,
  });
  return stdout.split('\n')[0] ?? '';
}
