import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Name of Node's diagnostics channel for new processes. */
const channel = 'child_process';

/** In ms. A scan reads a file for each thread of this process; the channel tells of what ends sooner. */
const scanInterval = 25;

/**
 * Detects the processes that a host in this process starts on the machine, in three ways: by Node's
 * diagnostics channel, even for short-lived ones; by scanning /proc for descendants; and by files
 * that commands create in a folder.
 */
export class MachineWatch {
  /** Folder in which commands create files. */
  readonly canary = mkdtempSync(path.join(tmpdir(), 'hostdeck-canary-'));
  readonly #started: ChildProcess[] = [];
  readonly #descendants = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    // Services may run as other users.
    chmodSync(this.canary, 0o777);
    subscribe(channel, this.#onProcess);
    this.#timer = setInterval(() => {
      this.#scan();
    }, scanInterval);
  }

  /** Returns the command lines and files since the last call. */
  take(): {
    readonly started: readonly string[];
    readonly found: readonly string[];
    readonly files: readonly string[];
  } {
    this.#scan();
    const files = this.files();
    for (const file of files) rmSync(path.join(this.canary, file));
    const found = [...this.#descendants];
    this.#descendants.clear();
    // Node publishes a process before its command line is set.
    const started = this.#started.splice(0).map(({ spawnargs }) => spawnargs.join(' '));
    return { started, found, files };
  }

  /** Returns the number of descendants of this process. */
  running(): number {
    return this.#scan();
  }

  /** Returns the names of the files that commands created. */
  files(): readonly string[] {
    return readdirSync(this.canary);
  }

  end(): void {
    clearInterval(this.#timer);
    unsubscribe(channel, this.#onProcess);
    rmSync(this.canary, { recursive: true, force: true });
  }

  readonly #onProcess = (message: unknown) => {
    this.#started.push((message as { readonly process: ChildProcess }).process);
  };

  #scan(): number {
    const queue = [process.pid];
    let count = 0;
    for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
      for (const child of childrenOf(pid)) {
        queue.push(child);
        count += 1;
        this.#descendants.add(commandOf(child));
      }
    }
    return count;
  }
}

function childrenOf(pid: number): readonly number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')
        .split(' ')
        .filter((text) => text !== '')
        .map(Number),
    );
  } catch {
    // The process has ended, or this machine has no /proc.
    return [];
  }
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return `process ${pid}`;
  }
}
