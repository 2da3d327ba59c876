import type { ChildProcess } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Name of Node's channel for each process that is made. */
const channel = 'child_process';

/**
 * Sees which processes a host of this process starts on the machine, in three ways: Node tells of
 * each one that it makes, however short it lives; /proc is looked at for those below this process;
 * and commands that run on this machine leave files in a folder.
 */
export class MachineWatch {
  /** Where commands leave a file. */
  readonly canary = mkdtempSync(path.join(tmpdir(), 'hostdeck-canary-'));
  readonly #started: ChildProcess[] = [];
  readonly #found = new Set<string>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    // Services may have users of their own.
    chmodSync(this.canary, 0o777);
    subscribe(channel, this.#onProcess);
    this.#timer = setInterval(() => {
      this.#look();
    }, 2);
  }

  /** Returns what was seen since this was last asked: command lines, and files of commands. */
  take(): {
    readonly started: readonly string[];
    readonly found: readonly string[];
    readonly files: readonly string[];
  } {
    this.#look();
    const files = this.files();
    for (const file of files) rmSync(path.join(this.canary, file));
    const found = [...this.#found];
    this.#found.clear();
    // Node tells of a process before it has its command line.
    const started = this.#started.splice(0).map(({ spawnargs }) => spawnargs.join(' '));
    return { started, found, files };
  }

  /** Returns how many processes there are below this one. */
  running(): number {
    return this.#look();
  }

  /** Returns the files that commands left. */
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

  #look(): number {
    const waiting = [process.pid];
    let count = 0;
    for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
      for (const child of childrenOf(pid)) {
        waiting.push(child);
        count += 1;
        this.#found.add(commandOf(child));
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
    // It has ended meanwhile, or this machine has no /proc.
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
