/** Moves damaged databases aside, and keeps what the next host needs of them. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { StartFailure } from '../start-failure.ts';

/** Beginning of the names of the folders with damaged files. */
const folderPrefix = 'damaged-';

/** Endings of the files of an SQLite database. */
const endings = ['', '-wal', '-shm', '-journal', '-kept'];

/** Key of the time at which the log database was moved aside, in ms since the epoch. */
export const lostLogsKey = 'logs-lost-at';

/** Bytes of a damaged file up to which it is searched. */
const maxSearchedBytes = 256 * 1024 * 1024;

const uuid = String.raw`[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}`;

/**
 * Keys and values of the table `meta` that are kept: the identity, which containers have as a label,
 * whether there are any, the user's wallet, and whether there was a sample.
 */
const keptMeta = [
  ['identity', uuid],
  ['containers', 'yes'],
  ['wallet', String.raw`0x[\da-f]{40}`],
  ['sample', 'made'],
] as const;

/** The readable rest of damaged records, so that no process or container is left behind. */
export interface Salvage {
  readonly meta: ReadonlyMap<string, string>;
  /** Ids of runs that may have processes, with some that have ended. */
  readonly runs: readonly string[];
}

/** Damaged records that were moved aside. */
export class DamagedRecords extends Error {
  /** The folder with the damaged files. */
  readonly folder: string;
  readonly salvage: Salvage;

  constructor(folder: string, salvage: Salvage, cause: unknown) {
    super(reasonOf(cause), { cause });
    this.folder = folder;
    this.salvage = salvage;
  }
}

/**
 * Moves the records, the logs and the files of the deployments into a folder of their own, since
 * each is of little use without the others. Must be called before SQLite closes the database, which
 * would remove its log.
 */
export function setAsideRecords(dataDir: string, error: unknown): DamagedRecords {
  const salvage = readSalvage(path.join(dataDir, 'host.db'));
  const folder = moveAside(dataDir, [...filesOf('host.db'), ...filesOf('logs.db'), 'deployments']);
  return new DamagedRecords(folder, salvage, error);
}

/** Returns the failure of a start whose records were damaged. */
export function damagedRecordsFailure(dataDir: string, damaged: DamagedRecords): StartFailure {
  const { folder, salvage, message } = damaged;
  return new StartFailure(
    'damaged-data',
    `The records in ${dataDir} are damaged (${message}). They were moved to ${folder}, with the logs ` +
      'and the files of all deployments.',
    'Started again, the host has no deployments, grants, tokens and balances, and ' +
      (salvage.meta.has('identity')
        ? 'it ends the services that still run, as far as it finds them. '
        : "it can't end services that still run: end their processes and containers yourself. ") +
      'To get them back, restore your last backup into an empty folder (hostdeck host restore FILE ' +
      '--data DIR).',
  );
}

/**
 * Moves the log database aside, which the host can do without. New lines get ids that no earlier line
 * had. Returns the failure of this start.
 */
export function setAsideLogs(
  dataDir: string,
  storage: { writeMeta(key: string, value: string): void },
  now: number,
  error: unknown,
): StartFailure {
  const folder = moveAside(dataDir, filesOf('logs.db'));
  storage.writeMeta(lostLogsKey, String(now));
  return new StartFailure(
    'damaged-data',
    `The logs in ${dataDir} are damaged (${reasonOf(error)}). They were moved to ${folder}.`,
    'Started again, the host begins with empty logs; deployments, files and balances are not ' +
      'affected. A backup has the lines up to its time (hostdeck host restore FILE --data DIR, into ' +
      'an empty folder).',
  );
}

/** Returns a sentence about the damaged files that the data folder has; undefined without any. */
export function describeSetAside(dataDir: string): string | undefined {
  const last = readdirSync(dataDir)
    .filter((name) => name.startsWith(folderPrefix))
    .toSorted()
    .at(-1);
  if (last === undefined) return undefined;
  return `Damaged files of an earlier start are in ${path.join(dataDir, last)}. Remove that folder when you need it no more.`;
}

function filesOf(database: string): readonly string[] {
  return endings.map((ending) => database + ending);
}

function moveAside(dataDir: string, names: readonly string[]): string {
  const time = new Date().toISOString().replaceAll(':', '-');
  const folder = path.join(dataDir, folderPrefix + time);
  mkdirSync(folder);
  // Services of other deployments may get the user ids of these.
  chmodSync(folder, 0o700);
  for (const name of names) {
    const from = path.join(dataDir, name);
    if (existsSync(from)) renameSync(from, path.join(folder, name));
  }
  return folder;
}

/** Reads the rows of two tables by their bytes (SQLite, "Record Format"), wherever they are. */
function readSalvage(file: string): Salvage {
  const text = [file, `${file}-wal`].map(readBytes).join('\n');
  const meta = new Map<string, string>();
  for (const [key, value] of keptMeta) {
    const [, found] = [...text.matchAll(new RegExp(`${key}(${value})`, 'g'))].at(-1) ?? [];
    if (found !== undefined) meta.set(key, found);
  }
  // A header of two bytes: its own length, and a text of 36 bytes.
  const runs = [...text.matchAll(new RegExp(`\u0002U(${uuid})`, 'g'))].map(([, run = '']) => run);
  return { meta, runs: [...new Set(runs)] };
}

function readBytes(file: string): string {
  try {
    return statSync(file).size > maxSearchedBytes ? '' : readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
