import { setTimeout } from 'node:timers/promises';
import { type EmptyEnvironments, readEnvironments } from './environments.ts';

/** Finds and ends the processes of runs by the run id in their environment. */

const pollMs = 50;

/** Pause between two scans that both have to find nothing. */
const confirmMs = 20;

/** Time to wait after SIGKILL; a process that is still there hangs in the kernel. */
const killTimeoutMs = 5000;

type OnProcess = (pid: number, run: string) => void;

/**
 * Finds the processes whose environment names one of these runs, including those that left their
 * process group. Process ids alone would not do: the system reuses them. `onProcess` is called as
 * soon as a process is found, before it can fork and exit. Resolves with undefined when the scan is
 * incomplete, for example without a free file descriptor.
 */
export function findRunProcesses(
  runs: ReadonlySet<string>,
  onProcess: OnProcess,
): Promise<EmptyEnvironments | undefined> {
  return new Promise((resolve) => {
    pendingScans.push({ runs, onProcess, resolve });
    if (!isScanning) void scan();
  });
}

interface PendingScan {
  readonly runs: ReadonlySet<string>;
  readonly onProcess: OnProcess;
  readonly resolve: (mute: EmptyEnvironments | undefined) => void;
}

/**
 * Callers that wait for the next scan, which serves all of them: a host that shuts down searches
 * for hundreds of runs at once, and each scan reads every process of the machine.
 */
let pendingScans: PendingScan[] = [];

let isScanning = false;

async function scan(): Promise<void> {
  isScanning = true;
  while (pendingScans.length > 0) {
    const batch = pendingScans;
    pendingScans = [];
    const mute = await readEnvironments((pid, run) => {
      for (const { runs, onProcess } of batch) if (runs.has(run)) onProcess(pid, run);
    }).catch(() => undefined);
    for (const { resolve } of batch) resolve(mute);
  }
  isScanning = false;
}

/**
 * Ends all processes of these runs: with SIGTERM first, after `graceMs` with SIGKILL. Resolves with
 * the runs that had processes.
 */
export async function endRunProcesses(
  runs: ReadonlySet<string>,
  graceMs: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const deadline = performance.now() + graceMs;
  const signaled = new Set<number>();
  let mute: EmptyEnvironments | undefined;
  let isDone = runs.size === 0;
  while (!isDone && performance.now() < deadline + killTimeoutMs) {
    let count = 0;
    const muteNow = await findRunProcesses(runs, (pid, run) => {
      count += 1;
      found.add(run);
      if (performance.now() >= deadline) sendSignal(pid, 'SIGKILL');
      else if (!signaled.has(pid)) sendSignal(pid, 'SIGTERM');
      signaled.add(pid);
    });
    // Processes of the system always have an empty environment, so only a new empty one counts.
    isDone = count === 0 && mute !== undefined && muteNow?.isSubsetOf(mute) === true;
    mute = muteNow;
    if (!isDone) await setTimeout(count === 0 ? confirmMs : pollMs);
  }
  return found;
}

/** Returns true when a process received the signal. A negative id is a process group. */
export function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
