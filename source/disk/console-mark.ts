import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Tells a running console from every other one, also from a later one with the same process id: the
 * id and a hash of when it started. Safe in file names.
 */
export type ConsoleMark = string;

let own: Promise<ConsoleMark> | undefined;

/** The mark of this process. */
export function ownMark(): Promise<ConsoleMark> {
  own ??= markOf(process.pid);
  return own;
}

async function markOf(pid: number): Promise<ConsoleMark> {
  return `${pid}-${(await startOf(pid)) ?? 'unknown'}`;
}

export const markPattern = /^(\d{1,10})-([0-9a-f]{12}|unknown)$/;

/** True when the console that had this mark runs no more. In doubt it is taken for running. */
export async function isGone(mark: ConsoleMark): Promise<boolean> {
  const [, pid, start] = markPattern.exec(mark) ?? [];
  if (pid === undefined) return false;
  if (!isRunning(Number(pid))) return true;
  const startNow = await startOf(Number(pid));
  return startNow !== undefined && start !== 'unknown' && startNow !== start;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs, as somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A hash of when a process started; undefined where the system does not tell. */
async function startOf(pid: number): Promise<string | undefined> {
  const start = (await startInProc(pid)) ?? (await startInPs(pid));
  return start && createHash('sha256').update(start).digest('hex').slice(0, 12);
}

/** Ticks since boot, and which boot. A process that only waits to be reaped started "never". */
async function startInProc(pid: number): Promise<string | undefined> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The name before the last parenthesis may hold anything.
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return state === 'Z' || state === 'X' ? 'ended' : `${boot.trim()} ${fields[18]}`;
  } catch {
    return undefined;
  }
}

async function startInPs(pid: number): Promise<string | undefined> {
  try {
    const options = { env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, timeout: 5000 };
    const { stdout } = await promisify(execFile)(
      'ps',
      ['-o', 'lstart=', '-p', String(pid)],
      options,
    );
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
