import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import {
  accountIds,
  blockSize,
  freeBlock,
  type IdRange,
  isFree,
  mappedIds,
  subordinateIds,
} from './user-blocks.ts';

/** The host that claims a block, told from all others on this machine. */
export interface BlockHolder {
  readonly identity: string;
  /** Its data folder: a block goes to another host once that folder is gone. */
  readonly dataDir: string;
}

/** A block, and the hosts that were found to be gone. */
export interface ClaimedBlock {
  /** First id of the block. */
  readonly start: number;
  /** Identities of hosts whose data folders are gone: what they kept elsewhere is of no use. */
  readonly gone: readonly string[];
}

/** A reason in a few words for having no block, as the end of "no user ids: ...". */
export interface NoBlock {
  readonly reason: string;
}

/** Time that another host may keep the registry locked. */
const busyMs = 10_000;

/**
 * Returns the block that belongs to this host, claimed under the lock of the registry in
 * `machineFolder` where it has none yet. A block is given up for another one where an
 * account or a range of subordinate ids has come to overlap it. Only root can claim one.
 */
export function claimBlock(machineFolder: string, holder: BlockHolder): ClaimedBlock | NoBlock {
  try {
    makeMachineFolder(machineFolder);
    const file = path.join(machineFolder, 'users.db');
    // SQLite would make the file, and those beside it, with the modes of the umask.
    closeSync(openSync(file, 'a', 0o600));
    const registry = new DatabaseSync(file, { timeout: busyMs });
    try {
      registry.exec('begin immediate');
      const gone: string[] = [];
      const start = claimIn(registry, holder, gone);
      registry.exec('commit');
      return start === undefined ? { reason: 'no block of 65,536 ids is free' } : { start, gone };
    } finally {
      registry.close();
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Throws where the folder isn't one that root alone can write to. */
function makeMachineFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new Error(`${folder} is not a folder that only root can write to`);
  }
}

/** @param gone takes the identities of hosts that are gone. */
function claimIn(
  registry: DatabaseSync,
  { identity, dataDir }: BlockHolder,
  gone: string[],
): number | undefined {
  registry.exec(`create table if not exists blocks (
    start integer primary key, identity text not null unique, folder text not null,
    inode text not null) strict`);
  const rows = registry.prepare('select start, identity, folder, inode from blocks').all();
  const others: IdRange[] = [];
  let own: number | undefined;
  for (const { start, identity: holder, folder, inode } of rows) {
    if (holder === identity) own = Number(start);
    else if (inodeOf(String(folder)) === inode)
      others.push({ start: Number(start), count: blockSize });
    else {
      registry.prepare('delete from blocks where start = ?').run(Number(start));
      gone.push(String(holder));
    }
  }
  const known = { taken: [...machineIds(), ...others], mapped: namespaceIds() };
  if (own !== undefined && !isFree(own, known)) {
    registry.prepare('delete from blocks where start = ?').run(own);
    own = undefined;
  }
  own ??= freeBlock({ ...known, taken: [...known.taken, ...runningIds()] });
  if (own === undefined) return undefined;
  registry
    .prepare('insert or replace into blocks (start, identity, folder, inode) values (?, ?, ?, ?)')
    .run(own, identity, dataDir, inodeOf(dataDir) ?? '');
  return own;
}

function inodeOf(folder: string): string | undefined {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

function machineIds(): readonly IdRange[] {
  return [
    ...['/etc/passwd', '/etc/group'].flatMap((file) => accountIds(readIfThere(file))),
    ...['/etc/subuid', '/etc/subgid'].flatMap((file) => subordinateIds(readIfThere(file))),
  ];
}

function namespaceIds(): readonly (readonly IdRange[])[] {
  return ['/proc/self/uid_map', '/proc/self/gid_map'].map((file) => mappedIds(readIfThere(file)));
}

/** Ids of processes: services of a host whose folder is gone may still run. */
function runningIds(): readonly IdRange[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const status = readIfThere(`/proc/${pid}/status`);
      const ids = /^Uid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
      return ids.map((id) => ({ start: Number(id), count: 1 }));
    });
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
