import { spawnSync } from 'node:child_process';
import { Refused } from './attack.ts';

const longestMs = 5000;

/** Runs a program and returns what it writes. Throws where it fails or isn't there. */
export function run(program: string, args: readonly string[]): string {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: longestMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error !== undefined)
    throw new Refused(`${program}: ${'code' in error ? String(error.code) : ''}`);
  if (status !== 0) throw new Refused(stderr.trim() || `${program}: ${status}`);
  return stdout.trim();
}

/** Runs lines of a shell that end at the first that fails. */
export function runLines(...lines: readonly string[]): string {
  return run('/bin/sh', ['-ec', lines.join('\n')]);
}

/** Runs lines as the root of a namespace of its own, which everybody may make. */
export function inNamespaces(...lines: readonly string[]): string {
  return run('unshare', [
    '--user',
    '--map-root-user',
    '--mount',
    '--cgroup',
    '/bin/sh',
    '-ec',
    lines.join('\n'),
  ]);
}
