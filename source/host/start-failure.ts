import { isDiskFull, readFreeBytes } from './disk-space.ts';

export type StartFailureCode =
  /** Another host has locked the data folder. */
  | 'locked'
  | 'unusable-data'
  /** The disk has no space for the records or the logs. */
  | 'full-disk'
  /** The records or the logs were damaged, and have been moved aside. */
  | 'damaged-data'
  /** The host may not use the data folder, so nothing is written into it. */
  | 'refused-folder'
  | 'newer-data'
  | 'port-taken'
  /** The address is not an address of this machine. */
  | 'no-address'
  /** The certificate or its key is unusable. */
  | 'unusable-tls'
  /** Sandboxes were requested and can't be created. */
  | 'no-sandbox'
  /** Other machines would reach services that are not isolated from the host. */
  | 'no-isolation'
  /** No manager of a swarm answers. */
  | 'no-cluster'
  /** Another host has the services of the data folder on a swarm. */
  | 'held-cluster'
  /** No host answered in time. */
  | 'no-answer'
  | 'internal';

/** A host that did not start or was not reached, as a sentence for a person and a next step. */
export class StartFailure extends Error {
  readonly code: StartFailureCode;
  readonly sentence: string;
  readonly next: string;

  constructor(code: StartFailureCode, sentence: string, next: string) {
    super(`${sentence} ${next}`);
    this.code = code;
    this.sentence = sentence;
    this.next = next;
  }
}

/** SQLite's result code for a file that can't be opened. */
const cannotOpen = 14;

/** Returns the failure of a host that can't use its data folder because of a system's error. */
export function unusableDataFolder(dataDir: string, error: unknown): StartFailure {
  // SQLite can't open files that a full disk has no space for, and hides the system's code.
  const isUnopened = error instanceof Error && 'errcode' in error && error.errcode === cannotOpen;
  const full = isUnopened ? fullDiskOf(dataDir) : undefined;
  if (isDiskFull(error) || full !== undefined) return full ?? fullDisk(dataDir);
  const reason = error instanceof Error ? error.message : String(error);
  return new StartFailure(
    'unusable-data',
    `The data folder ${dataDir} cannot be used: ${reason}.`,
    'Make it writable for this user, or name another folder with --data.',
  );
}

/** Disk space in MiB that a new data folder takes: the reserve of the records, and the logs. */
const neededSpace = 8;

/** Returns the failure of a host for whose records and logs the disk has no space; undefined with space. */
export function fullDiskOf(dataDir: string): StartFailure | undefined {
  return describeFree(dataDir) === '' ? undefined : fullDisk(dataDir);
}

function fullDisk(dataDir: string): StartFailure {
  return new StartFailure(
    'full-disk',
    `The disk of ${dataDir} is full: ${describeFree(dataDir)}the host needs ${neededSpace} MiB for its records and logs.`,
    'Delete other files there and start the host again, or name another folder with --data.',
  );
}

/** Returns how little is free; empty where that isn't what is short, as with a quota or too many files. */
function describeFree(dataDir: string): string {
  try {
    const free = readFreeBytes(dataDir);
    return free < neededSpace * 2 ** 20 ? `${Math.floor(free / 1024)} KiB are free, and ` : '';
  } catch {
    return '';
  }
}
