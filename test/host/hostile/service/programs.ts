import { spawnSync } from 'node:child_process';
import { Refused } from './attack.ts';

/** Much longer than any of them takes, on a slow machine too. */
const timeoutMs = 60_000;

/** Runs a program and returns its output. Throws when it fails or is missing. */
export function run(program: string, args: readonly string[]): string {
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: timeoutMs,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  if (error !== undefined)
    throw new Refused(`${program}: ${'code' in error ? String(error.code) : ''}`);
  if (status !== 0) throw new Refused(stderr.trim() || `${program}: ${status}`);
  return stdout.trim();
}

/** Runs a shell script that ends at the first error. */
export function runLines(...lines: readonly string[]): string {
  return run('/bin/sh', ['-ec', lines.join('\n')]);
}

/** Runs a shell script as root of new namespaces, which need no privileges. */
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
