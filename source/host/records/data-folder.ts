import { lstatSync, mkdirSync, readdirSync, type Stats, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { isPartialFolder, identifyRecords } from './recognised-records.ts';
import { StartFailure, unusableDataFolder } from '../start-failure.ts';

/** Name of the file that marks a data folder. It is created before any other file of the host. */
export const dataFolderMarker = '.hostdeck-data-folder';

const markerText =
  'This is the data folder of a hostdeck host. Without this file, host.db identifies it.\n';

/** Name of the folder that `mkfs` creates in the root of a new file system. */
const systemFolder = 'lost+found';

const writableByOthers = 0o022;

const isSticky = 0o1000;

/**
 * Creates the data folder and its parents, or claims an existing folder that is empty or was made
 * by a host. The folder must belong to this user, and nobody else may write to it. The mode of an
 * existing folder never changes. Throws a {@link StartFailure} before writing into the folder.
 */
export function claimDataFolder(folder: string, { make = true } = {}): void {
  try {
    if (make) makeFolders(folder);
    claim(folder);
  } catch (error) {
    throw error instanceof StartFailure ? error : unusableDataFolder(folder, error);
  }
}

/** Returns true for a folder that {@link claimDataFolder} has claimed and would claim again. */
export function isClaimedFolder(folder: string): boolean {
  try {
    if (!isMarked(folder)) return false;
    claim(folder);
    return true;
  } catch {
    return false;
  }
}

function claim(folder: string): void {
  const link = lstatSync(folder, { throwIfNoEntry: false });
  if (link === undefined) {
    const next = 'Check the path, or start the host once to create the folder.';
    throw new StartFailure('refused-folder', `There is no data folder ${folder}.`, next);
  }
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw refused(`${folder} is a broken link.`, 'Remove the link, or name a folder');
  }
  if (!stats.isDirectory()) throw refused(`${folder} is not a folder.`, 'Name a folder');
  const entries = readdirSync(folder).filter((name) => name !== systemFolder);
  // Check after the listing: a host that starts in between creates the marker first.
  const hasMarker = isMarked(folder);
  if (
    !hasMarker &&
    entries.length > 0 &&
    !entries.includes('host.db') &&
    !isPartialFolder(entries)
  ) {
    const next = `Name an empty or a new folder, such as ${path.join(folder, 'hostdeck')},`;
    throw refused(`${folder} is not empty and is not a data folder.`, next);
  }
  assertOwn(folder, [link, stats]);
  assertPrivate(folder, stats, entries.length === 0);
  if (hasMarker) return;
  if (entries.includes('host.db')) assertHostRecords(folder, entries);
  mark(path.join(folder, dataFolderMarker));
}

function isMarked(folder: string): boolean {
  return isFile(path.join(folder, dataFolderMarker));
}

/** Checks the owner of the folder, and of a link to it, which its owner could redirect. */
function assertOwn(folder: string, [link, { uid }]: readonly [Stats, Stats]): void {
  const own = process.geteuid?.();
  if (own === undefined) return;
  const isTrustedLink = link.uid === own || link.uid === 0;
  if (isTrustedLink && uid === own) return;
  const other = isTrustedLink ? uid : link.uid;
  throw refused(
    `${folder} belongs to another user (user id ${other}).`,
    'Run the host as that user, make this user its owner with chown, or name another folder',
  );
}

function assertPrivate(folder: string, { mode }: Stats, isEmpty: boolean): void {
  if (process.geteuid === undefined || (mode & writableByOthers) === 0) return;
  const isShared = (mode & isSticky) !== 0;
  throw refused(
    `Other users can write to ${folder}.`,
    isEmpty && isShared
      ? `Name a new folder, such as ${path.join(folder, 'hostdeck')},`
      : 'Remove their write permission with chmod go-w, or name another folder',
  );
}

function assertHostRecords(folder: string, entries: readonly string[]): void {
  const records = identifyRecords(folder);
  if (records === 'ours' || (records === 'empty' && isPartialFolder(entries))) return;
  throw refused(
    `The file host.db in ${folder} is not the database of a host.`,
    'Name an empty or a new folder',
  );
}

/** Creates the marker; two hosts that start at the same time create the same one. */
function mark(file: string): void {
  try {
    writeFileSync(file, markerText, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if (!isFile(file)) throw error;
  }
}

function isFile(file: string): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

/**
 * Creates the folder and its parents, accessible to their owner only. Works level by level, since
 * Node's `recursive` never ends where a folder accepts no subfolders, as below /proc.
 */
function makeFolders(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolders(path.dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Two hosts that start at the same time create the same folders.
    if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) throw error;
  }
}

function refused(sentence: string, next: string): StartFailure {
  return new StartFailure('refused-folder', sentence, `${next} with --data.`);
}
