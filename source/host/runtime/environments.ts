import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { forEachConcurrently } from '../files/disk.ts';
import { hasErrorCode } from '../files/missing.ts';

/** Name of the variable that every process of a run inherits; its value is the run's id. */
export const runVariable = 'HOSTDECK_RUN';

/** Most times that the list of processes is read again for new ones. */
const maxPasses = 20;

/** Ids of processes with an empty environment; a program that is starting has one for a moment. */
export type EmptyEnvironments = ReadonlySet<string>;

type OnRun = (pid: number, run: string) => void;

/**
 * Finds the processes of this machine that belong to runs of any host, and calls `onRun` as soon as
 * each is found. Throws when the scan is incomplete, for example without a free file descriptor.
 */
export async function readEnvironments(onRun: OnRun): Promise<EmptyEnvironments> {
  return await (process.platform === 'linux' ? readFromProc(onRun) : readFromPs(onRun));
}

async function readFromProc(onRun: OnRun): Promise<EmptyEnvironments> {
  const mute = new Set<string>();
  const report = (name: string, environment: EnvironmentParser | undefined) => {
    if (environment?.isEmpty === true) mute.add(name);
    for (const run of environment?.values() ?? []) onRun(Number(name), run);
  };
  const first = processIds(await readdir('/proc'));
  await forEachConcurrently(first, async (name) => {
    report(name, await readEnvironment(name).catch(ignoreInaccessible));
  });
  const scanned = new Set(first);
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const created = processIds(readdirSync('/proc')).filter((name) => !scanned.has(name));
    if (created.length === 0) break;
    // Few processes are new; a synchronous read finds those that end soon.
    for (const name of created) {
      scanned.add(name);
      report(name, readEnvironmentSync(name));
    }
  }
  return mute;
}

function processIds(names: readonly string[]): readonly string[] {
  return names.filter((name) => /^\d+$/.test(name));
}

/** Bytes per read; a service may have hundreds of processes with megabytes of environment each. */
const chunkBytes = 64 * 1024;

async function readEnvironment(name: string): Promise<EnvironmentParser> {
  const environment = new EnvironmentParser(runVariable);
  await using file = await open(`/proc/${name}/environ`);
  const buffer = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, null);
    if (bytesRead === 0) return environment;
    environment.add(buffer.toString('latin1', 0, bytesRead));
  }
}

function readEnvironmentSync(name: string): EnvironmentParser | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${name}/environ`, 'r');
    const environment = new EnvironmentParser(runVariable);
    const buffer = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const bytesRead = readSync(file, buffer, 0, chunkBytes, null);
      if (bytesRead === 0) return environment;
      environment.add(buffer.toString('latin1', 0, bytesRead));
    }
  } catch (error) {
    return ignoreInaccessible(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Ignores a process that has ended or is another user's; throws without a free file descriptor. */
function ignoreInaccessible(error: unknown): undefined {
  if (hasErrorCode(error, 'EMFILE') || hasErrorCode(error, 'ENFILE')) throw error;
}

/**
 * Options of `ps` for all processes with their whole environments. On macOS, `-E` adds these, and `e`
 * only selects all processes; elsewhere `e` without a dash adds them.
 */
const psOptions = process.platform === 'darwin' ? '-axEww' : 'axeww';

/** Reads from `ps` on systems without /proc, which shows the environment behind the command. */
async function readFromPs(onRun: OnRun): Promise<EmptyEnvironments> {
  const { stdout } = await promisify(execFile)('ps', [psOptions, '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const line of stdout.split('\n')) {
    const [pid = '', ...words] = line.trim().split(/\s+/);
    for (const run of runsIn(words)) onRun(Number(pid), run);
  }
  return new Set();
}

/** Returns each run once; a process may have the variable twice. */
function runsIn(entries: readonly string[]): ReadonlySet<string> {
  const name = `${runVariable}=`;
  return new Set(
    entries.filter((entry) => entry.startsWith(name)).map((entry) => entry.slice(name.length)),
  );
}

/** Most characters buffered of an entry that continues in the next chunk; run ids are shorter. */
const maxEntryLength = 1024;

/**
 * Collects the values of one variable from an environment that is read in chunks in the format of
 * /proc/PID/environ: `NAME=value` entries, each ended by a NUL. Buffers at most one chunk, as a
 * service controls the size of its processes' environments.
 */
export class EnvironmentParser {
  readonly #prefix: string;
  readonly #values = new Set<string>();
  #rest = '';
  #isEmpty = true;

  constructor(variable: string) {
    this.#prefix = `${variable}=`;
  }

  /** True until a chunk has content. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  add(chunk: string): void {
    if (chunk !== '') this.#isEmpty = false;
    const entries = `${this.#rest}${chunk}`.split('\0');
    this.#rest = entries.pop()?.slice(0, maxEntryLength) ?? '';
    for (const entry of entries) this.#parse(entry);
  }

  /** Returns each value once, including that of an unfinished last entry. */
  values(): ReadonlySet<string> {
    this.#parse(this.#rest);
    return this.#values;
  }

  #parse(entry: string): void {
    if (entry.startsWith(this.#prefix)) this.#values.add(entry.slice(this.#prefix.length));
  }
}
