import { readFileSync } from 'node:fs';

/** Returns true while a process runs; false for a zombie. */
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
