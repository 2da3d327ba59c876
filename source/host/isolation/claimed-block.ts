import { closeSync, lstatSync, openSync, readdirSync, readFileSync, statSync } from 'node:fs';
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
import { makeFolderSync } from '../../system/make-folder.ts';

/** The host that claims a block. */
export interface BlockHolder {
  /** Unique on this machine. */
  readonly identity: string;
  /** The host's data folder; once it is deleted, another host may claim the block. */
  readonly dataDir: string;
}

/** A block, and the hosts whose blocks were freed. */
export interface ClaimedBlock {
  /** First id of the block. */
  readonly start: number;
  /** Identities of hosts whose data folders are gone; their files elsewhere are garbage. */
  readonly removedHosts: readonly string[];
}

/** The reason, in a few words, why a host has no block; it completes "No user ids: ...". */
export interface NoBlock {
  readonly reason: string;
}

/** Longest wait for the registry's lock. */
const lockTimeoutMs = 10_000;

/**
 * Returns this host's block of user ids, and claims one in the registry in `machineFolder` when the
 * host has none. The host gets another block when an account or a range of subordinate ids overlaps
 * its own. Only root can claim a block.
 */
export function claimBlock(machineFolder: string, holder: BlockHolder): ClaimedBlock | NoBlock {
  try {
    createMachineFolder(machineFolder);
    const file = path.join(machineFolder, 'users.db');
    // SQLite would create the file, and those beside it, with the modes of the umask.
    closeSync(openSync(file, 'a', 0o600));
    const registry = new DatabaseSync(file, { timeout: lockTimeoutMs });
    try {
      registry.exec('begin immediate');
      const gone: string[] = [];
      const start = claimIn(registry, holder, gone);
      registry.exec('commit');
      return start === undefined
        ? { reason: 'no block of 65,536 ids is free' }
        : { start, removedHosts: gone };
    } finally {
      registry.close();
    }
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

/** Creates the folder. Throws when another user can write to it. */
function createMachineFolder(folder: string): void {
  makeFolderSync(folder, 0o711);
  const stats = lstatSync(folder);
  if (!stats.isDirectory() || stats.uid !== 0 || (stats.mode & 0o022) !== 0) {
    throw new Error(`${folder} is not a folder that only root can write to`);
  }
}

/** @param gone receives the identities of hosts whose data folders are gone. */
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
  const ownInode = inodeOf(dataDir) ?? '';
  let ownStart: number | undefined;
  let isRecorded = false;
  for (const { start, identity: holder, folder, inode } of rows) {
    if (holder === identity) {
      ownStart = Number(start);
      isRecorded = folder === dataDir && inode === ownInode;
    } else if (inodeOf(String(folder)) === inode)
      others.push({ start: Number(start), count: blockSize });
    else {
      registry.prepare('delete from blocks where start = ?').run(Number(start));
      gone.push(String(holder));
    }
  }
  const usedIds = { taken: [...machineIds(), ...others], mapped: namespaceIds() };
  if (ownStart !== undefined && !isFree(ownStart, usedIds)) {
    registry.prepare('delete from blocks where start = ?').run(ownStart);
    ownStart = undefined;
    isRecorded = false;
  }
  // On a full disk, a host whose block is recorded starts without a write, and so keeps its users.
  if (isRecorded) return ownStart;
  ownStart ??= freeBlock({ ...usedIds, taken: [...usedIds.taken, ...runningIds()] });
  if (ownStart === undefined) return undefined;
  registry
    .prepare('insert or replace into blocks (start, identity, folder, inode) values (?, ?, ?, ?)')
    .run(ownStart, identity, dataDir, ownInode);
  return ownStart;
}

function inodeOf(folder: string): string | undefined {
  const stats = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
}

function machineIds(): readonly IdRange[] {
  return [
    ...['/etc/passwd', '/etc/group'].flatMap((file) => accountIds(readOrEmpty(file))),
    ...['/etc/subuid', '/etc/subgid'].flatMap((file) => subordinateIds(readOrEmpty(file))),
  ];
}

function namespaceIds(): readonly (readonly IdRange[])[] {
  return ['/proc/self/uid_map', '/proc/self/gid_map'].map((file) => mappedIds(readOrEmpty(file)));
}

/**
 * Returns the user ids of all processes; services of a host without a data folder may still run.
 */
function runningIds(): readonly IdRange[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const status = readOrEmpty(`/proc/${pid}/status`);
      const ids = /^Uid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
      return ids.map((id) => ({ start: Number(id), count: 1 }));
    });
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
