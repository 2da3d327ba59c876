import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { hasCode } from '../files/missing.ts';

/** The variable that every process of a run inherits, with the run's id. */
export const runVariable = 'HOSTDECK_RUN';

const pollMs = 50;

/** Between two looks that have to find nothing. */
const againMs = 20;

/** What SIGKILL does not end within this time hangs in the kernel and is given up. */
const hopelessMs = 5000;

/** Times that the list of processes is read again for those that were made meanwhile. */
const mostPasses = 20;

type OnCarrier = (pid: number) => void;

/** Names of processes that show no environment: a program that just begins does not, for a moment. */
type Mute = ReadonlySet<string>;

/**
 * Finds the processes that carry one of these runs in their environment: also those that left
 * their process group. A process id alone would not do, as the system gives it to others later.
 * `onCarrier` is called the moment one is found: it may be about to make another and end. Undefined
 * where not all could be looked at, as without a file descriptor to spare.
 */
export async function findCarriers(
  runs: ReadonlySet<string>,
  onCarrier: OnCarrier,
): Promise<Mute | undefined> {
  try {
    return await (process.platform === 'linux' ? fromProc : fromPs)(runs, onCarrier);
  } catch {
    return undefined;
  }
}

/** Ends all processes of these runs: asks first, and after `graceMs` makes them. */
export async function endCarriers(runs: ReadonlySet<string>, graceMs: number): Promise<void> {
  const deadline = performance.now() + graceMs;
  const asked = new Set<number>();
  let mute: Mute | undefined;
  let isOver = runs.size === 0;
  while (!isOver && performance.now() < deadline + hopelessMs) {
    let found = 0;
    const muteNow = await findCarriers(runs, (pid) => {
      found += 1;
      if (performance.now() >= deadline) signal(pid, 'SIGKILL');
      else if (!asked.has(pid)) signal(pid, 'SIGTERM');
      asked.add(pid);
    });
    // Those of the system are mute all the time.
    isOver = found === 0 && mute !== undefined && muteNow?.isSubsetOf(mute) === true;
    mute = muteNow;
    if (!isOver) await setTimeout(found === 0 ? againMs : pollMs);
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

async function fromProc(runs: ReadonlySet<string>, onCarrier: OnCarrier): Promise<Mute> {
  const mute = new Set<string>();
  const see = (name: string, environment: string | undefined) => {
    if (environment === '') mute.add(name);
    if (environment === undefined) return;
    if (environment.split('\0').some((entry) => isRun(entry, runs))) onCarrier(Number(name));
  };
  const first = processesIn(await readdir('/proc'));
  await Promise.all(
    first.map(async (name) => {
      see(name, await readFile(`/proc/${name}/environ`, 'utf8').catch(notThere));
    }),
  );
  const seen = new Set(first);
  for (let pass = 0; pass < mostPasses; pass += 1) {
    const made = processesIn(readdirSync('/proc')).filter((name) => !seen.has(name));
    if (made.length === 0) break;
    // They are few, and at once: what ends soon is to be found before.
    for (const name of made) {
      seen.add(name);
      see(name, environmentNow(name));
    }
  }
  return mute;
}

function processesIn(names: readonly string[]): readonly string[] {
  return names.filter((name) => /^\d+$/.test(name));
}

function environmentNow(name: string): string | undefined {
  try {
    return readFileSync(`/proc/${name}/environ`, 'utf8');
  } catch (error) {
    return notThere(error);
  }
}

/** Of a process that is gone meanwhile or another user's; throws where the host could not look. */
function notThere(error: unknown): undefined {
  if (hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')) throw error;
}

/** Systems without /proc: `ps` shows the environment behind the command. */
async function fromPs(runs: ReadonlySet<string>, onCarrier: OnCarrier): Promise<Mute> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const line of stdout.split('\n')) {
    const [pid = '', ...words] = line.trim().split(/\s+/);
    if (words.some((word) => isRun(word, runs))) onCarrier(Number(pid));
  }
  return new Set();
}

function isRun(entry: string, runs: ReadonlySet<string>): boolean {
  const name = `${runVariable}=`;
  return entry.startsWith(name) && runs.has(entry.slice(name.length));
}
