import { execFile } from 'node:child_process';
import { closeSync, openSync, readdirSync, readSync } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import { severalAtOnce } from '../files/disk.ts';
import { hasCode } from '../files/missing.ts';
import { EnvironmentPieces } from './environment-pieces.ts';

/** The variable that every process of a run inherits, with the run's id. */
export const runVariable = 'HOSTDECK_RUN';

/** Times that the list of processes is read again for those that were made meanwhile. */
const mostPasses = 20;

/** Names of processes that show no environment: a program that just begins does not, for a moment. */
export type Mute = ReadonlySet<string>;

type OnRun = (pid: number, run: string) => void;

/**
 * Reads which processes of this machine are of runs, of whichever host, and tells of each the moment
 * it is found. Throws where not all could be looked at, as without a file descriptor to spare.
 */
export async function readEnvironments(onRun: OnRun): Promise<Mute> {
  return await (process.platform === 'linux' ? fromProc(onRun) : fromPs(onRun));
}

async function fromProc(onRun: OnRun): Promise<Mute> {
  const mute = new Set<string>();
  const see = (name: string, environment: EnvironmentPieces | undefined) => {
    if (environment?.isEmpty === true) mute.add(name);
    for (const run of environment?.values() ?? []) onRun(Number(name), run);
  };
  const first = processesIn(await readdir('/proc'));
  await severalAtOnce(first, async (name) => {
    see(name, await environmentOf(name).catch(notThere));
  });
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

/** Read at a time: hundreds of processes of a service may have megabytes each. */
const pieceBytes = 64 * 1024;

async function environmentOf(name: string): Promise<EnvironmentPieces> {
  const environment = new EnvironmentPieces(runVariable);
  await using file = await open(`/proc/${name}/environ`);
  const buffer = Buffer.allocUnsafe(pieceBytes);
  for (;;) {
    const { bytesRead } = await file.read(buffer, 0, pieceBytes, null);
    if (bytesRead === 0) return environment;
    environment.add(buffer.toString('latin1', 0, bytesRead));
  }
}

function environmentNow(name: string): EnvironmentPieces | undefined {
  let file: number | undefined;
  try {
    file = openSync(`/proc/${name}/environ`, 'r');
    const environment = new EnvironmentPieces(runVariable);
    const buffer = Buffer.allocUnsafe(pieceBytes);
    for (;;) {
      const bytesRead = readSync(file, buffer, 0, pieceBytes, null);
      if (bytesRead === 0) return environment;
      environment.add(buffer.toString('latin1', 0, bytesRead));
    }
  } catch (error) {
    return notThere(error);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** Of a process that is gone meanwhile or another user's; throws where the host could not look. */
function notThere(error: unknown): undefined {
  if (hasCode(error, 'EMFILE') || hasCode(error, 'ENFILE')) throw error;
}

/** Systems without /proc: `ps` shows the environment behind the command. */
async function fromPs(onRun: OnRun): Promise<Mute> {
  const { stdout } = await promisify(execFile)('ps', ['axeww', '-o', 'pid=,command='], {
    maxBuffer: 64 * 1024 * 1024,
  });
  for (const line of stdout.split('\n')) {
    const [pid = '', ...words] = line.trim().split(/\s+/);
    for (const run of runsIn(words)) onRun(Number(pid), run);
  }
  return new Set();
}

/** Each once: one that is there twice is one process all the same. */
function runsIn(entries: readonly string[]): ReadonlySet<string> {
  const name = `${runVariable}=`;
  return new Set(
    entries.filter((entry) => entry.startsWith(name)).map((entry) => entry.slice(name.length)),
  );
}
