import { readFileSync } from 'node:fs';

/** True while a process runs: one that has ended, but is not waited for by its parent, does not. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  try {
    const [, state = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
    return !state.startsWith('Z');
  } catch {
    return false;
  }
}
