import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

const preloads = ['../host/support/ends-with-parent.ts', './moved-clock.ts'].flatMap((file) => [
  '--import',
  new URL(file, import.meta.url).href,
]);

/** Ms that a host may take to be up; what it ends first gets 10 s. */
const upWithin = 40_000;

/** `hostdeck host` in a process of its own. */
export class MortalHost {
  readonly #child: ChildProcess;
  /** Start time of its process, in ms of `performance.now`. */
  readonly bornAt = performance.now();
  #baseUrl = '';

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static spawn(
    dataDir: string,
    {
      sandbox,
      env,
      more,
    }: {
      readonly sandbox: string;
      readonly env: Readonly<Record<string, string>>;
      /** Further flags. */
      readonly more: readonly string[];
    },
  ): MortalHost {
    const host = [program, 'host', '--data', dataDir, '--port', '0', '--sandbox', sandbox];
    // The clients' deployments have all prices.
    host.push('--min-amount', '0', ...more);
    const child = spawn(process.execPath, [...preloads, ...host], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return new MortalHost(child);
  }

  get baseUrl(): string {
    return this.#baseUrl;
  }

  /** Settles when it is up. */
  async up(): Promise<void> {
    const { stderr } = this.#child;
    if (stderr === null) throw new Error('the host has no output');
    const said: string[] = [];
    const late = setTimeout(() => this.#child.kill('SIGKILL'), upWithin);
    for await (const line of createInterface(stderr)) {
      said.push(line);
      if (!line.startsWith('hostdeck host on ')) continue;
      this.#baseUrl = line.slice(line.indexOf('http'));
      break;
    }
    clearTimeout(late);
    if (this.#baseUrl === '') throw new Error(`the host did not start: ${said.join(' ')}`);
    stderr.resume();
  }

  /** Settles when it has ended. */
  async end(name: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { exitCode, signalCode } = this.#child;
    if (exitCode !== null || signalCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill(name);
    await exited;
  }
}

/** A process of a service: its id, and when it began, as the system gives ids again. */
export interface Carrier {
  readonly pid: number;
  readonly since: string;
}

/** The processes that have this in their environment, beside those of one command. */
export function carriersOf(entry: string): readonly Carrier[] {
  return readdirSync('/proc').flatMap((name): readonly Carrier[] => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const environment = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      if (!environment.includes(entry)) return [];
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      // Ended, but not waited for by its parent yet.
      if (stat[0] === 'Z') return [];
      return [{ pid: Number(name), since: stat[19] ?? '' }];
    } catch {
      return [];
    }
  });
}
