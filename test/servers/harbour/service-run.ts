/** Runs a service of the harbour as a process, and starts it again when it ends by itself. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

/** A service whose program runs, or waits to be started again. */
export interface ServiceRun {
  readonly state: 'up' | 'crashed';
  /** Time of the last start, ms since the epoch. */
  readonly startedAt: number;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Milliseconds that a program has to end by itself. */
const grace = 1500;

/** Milliseconds before a crashed program is started again: twice as many each time. */
const firstPause = 1000;
const longestPause = 8000;

/**
 * Starts the program in a folder.
 *
 * @param command the program and its arguments.
 * @param write called with each line that it prints.
 */
export function startServiceRun(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
  write: (line: string, stream: 'out' | 'err') => void,
): ServiceRun {
  let child: ChildProcess | undefined;
  let state: ServiceRun['state'] = 'up';
  let startedAt = 0;
  let crashes = 0;
  let pause: NodeJS.Timeout | undefined;

  function start(): void {
    const started = spawn(program, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
    child = started;
    startedAt = Date.now();
    state = 'up';
    createInterface(started.stdout).on('line', (line) => write(line, 'out'));
    createInterface(started.stderr).on('line', (line) => write(line, 'err'));
    started.on('exit', () => {
      if (child !== started) return;
      child = undefined;
      state = 'crashed';
      pause = setTimeout(start, Math.min(longestPause, firstPause * 2 ** crashes));
      crashes += 1;
    });
  }

  async function stop(): Promise<void> {
    clearTimeout(pause);
    const ending = child;
    child = undefined;
    if (ending === undefined) return;
    const ended = once(ending, 'exit');
    ending.kill('SIGTERM');
    const isOver = await Promise.race([ended.then(() => true), sleep(grace, false)]);
    if (isOver) return;
    ending.kill('SIGKILL');
    await ended;
  }

  start();
  return {
    get state() {
      return state;
    },
    get startedAt() {
      return startedAt;
    },
    async restart() {
      await stop();
      crashes = 0;
      start();
    },
    stop,
  };
}
