import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Identifies a console process among all that ever ran, also where process ids repeat: the process id
 * and a hash of its start time. Safe in file names.
 */
export type ConsoleMark = string;

let own: Promise<ConsoleMark> | undefined;

/** Resolves with the mark of this process. */
export function ownMark(): Promise<ConsoleMark> {
  own ??= markOf(process.pid);
  return own;
}

async function markOf(pid: number): Promise<ConsoleMark> {
  return `${pid}-${(await startOf(pid)) ?? 'unknown'}`;
}

export const markPattern = /^(\d{1,10})-([0-9a-f]{12}|unknown)$/;

/** Resolves with true when the console with this mark has exited; in doubt, with false. */
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
    // EPERM: the process runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** Resolves with a hash of a process's start time; undefined where the system doesn't tell it. */
async function startOf(pid: number): Promise<string | undefined> {
  const start = (await startInProc(pid)) ?? (await startInPs(pid));
  return start && createHash('sha256').update(start).digest('hex').slice(0, 12);
}

/** Resolves with the boot id and the start in ticks since boot; `ended` for a zombie. */
async function startInProc(pid: number): Promise<string | undefined> {
  try {
    const [boot, stat] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ]);
    // The process name, which ends at the last parenthesis, may hold any character.
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
