import { setTimeout } from 'node:timers/promises';
import { type Mute, readEnvironments } from './environments.ts';

const pollMs = 50;

/** Between two looks that have to find nothing. */
const againMs = 20;

/** What SIGKILL does not end within this time hangs in the kernel and is given up. */
const hopelessMs = 5000;

type OnCarrier = (pid: number) => void;

/**
 * Finds the processes that carry one of these runs in their environment: also those that left
 * their process group. A process id alone would not do, as the system gives it to others later.
 * `onCarrier` is called the moment one is found: it may be about to make another and end. Undefined
 * where not all could be looked at, as without a file descriptor to spare.
 */
export function findCarriers(
  runs: ReadonlySet<string>,
  onCarrier: OnCarrier,
): Promise<Mute | undefined> {
  return new Promise((answer) => {
    awaited.push({ runs, onCarrier, answer });
    if (!isLooking) void lookForAll();
  });
}

interface Awaited {
  readonly runs: ReadonlySet<string>;
  readonly onCarrier: OnCarrier;
  readonly answer: (mute: Mute | undefined) => void;
}

/**
 * Who waits for the next look. There is one for all of them: a host that ends has hundreds of runs
 * to look for at once, and each look reads of every process.
 */
let awaited: Awaited[] = [];

let isLooking = false;

async function lookForAll(): Promise<void> {
  isLooking = true;
  while (awaited.length > 0) {
    const together = awaited;
    awaited = [];
    const mute = await readEnvironments((pid, run) => {
      for (const { runs, onCarrier } of together) if (runs.has(run)) onCarrier(pid);
    }).catch(() => undefined);
    for (const { answer } of together) answer(mute);
  }
  isLooking = false;
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
