import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The variable that every process of a run inherits, with the run's id. */
export const runVariable = 'HOSTDECK_RUN';

const pollMs = 50;

/** What SIGKILL does not end within this time hangs in the kernel and is given up. */
const hopelessMs = 5000;

/**
 * Ids of the processes that carry one of these runs in their environment: also those that left
 * their process group. A process id alone would not do, as the system gives it to others later.
 */
export async function findCarriers(runs: ReadonlySet<string>): Promise<readonly number[]> {
  if (runs.size === 0) return [];
  return process.platform === 'linux' ? await fromProc(runs) : await fromPs(runs);
}

/** Ends all processes of these runs: asks first, and after `graceMs` makes them. */
export async function endCarriers(runs: ReadonlySet<string>, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  let carriers = await findCarriers(runs);
  for (const pid of carriers) signal(pid, 'SIGTERM');
  while (carriers.length > 0 && performance.now() < deadline + hopelessMs) {
    if (performance.now() >= deadline) for (const pid of carriers) signal(pid, 'SIGKILL');
    await setTimeout(pollMs);
    carriers = await findCarriers(runs);
  }
}

/** True when there was something to signal. A negative id is a process group. */
export function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

async function fromProc(runs: ReadonlySet<string>): Promise<readonly number[]> {
  const names = await readdir('/proc').catch(() => []);
  const carriers = await Promise.all(
    names
      .filter((name) => /^\d+$/.test(name))
      .map(async (name) => {
        // Gone meanwhile, or another user's.
        const environment = await readFile(`/proc/${name}/environ`, 'utf8').catch(() => '');
        const carries = environment.split('\0').some((entry) => isRun(entry, runs));
        return carries ? [Number(name)] : [];
      }),
  );
  return carriers.flat();
}

/** Systems without /proc: `ps` shows the environment behind the command. */
async function fromPs(runs: ReadonlySet<string>): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  }).catch(() => ({ stdout: '' }));
  return stdout.split('\n').flatMap((line) => {
    const [pid = '', ...words] = line.trim().split(/\s+/);
    return words.some((word) => isRun(word, runs)) ? [Number(pid)] : [];
  });
}

function isRun(entry: string, runs: ReadonlySet<string>): boolean {
  const name = `${runVariable}=`;
  return entry.startsWith(name) && runs.has(entry.slice(name.length));
}
