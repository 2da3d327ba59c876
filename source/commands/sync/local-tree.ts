/** Lists the files of a local folder that a sync sends, and those that it can't or must not send. */
import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { describeLocalError } from '../../client/local-reason.ts';
import { isRequestablePath } from '../../contract/routes.ts';

/** A local file that a sync sends. */
export interface TreeFile {
  /** Path below the folder, with `/` between segments. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Changes with every write of the file. */
  readonly version: string;
}

/** A fact of the folder that the service can't hold. */
export interface UnsupportedPath {
  readonly path: string;
  readonly reason: string;
}

/** The files of a folder at one time. */
export interface LocalTree {
  readonly files: ReadonlyMap<string, TreeFile>;
  /** Links, empty folders, modes, and names that no URL can address. */
  readonly unsupported: readonly UnsupportedPath[];
  /** Files and folders that couldn't be read. */
  readonly unreadable: readonly UnsupportedPath[];
  /** Files and folders that ignore files exclude; a folder counts once. */
  readonly ignored: number;
  /**
   * Paths whose files are unknown, or no files to send: what lies there, or below, must not count as
   * removed.
   */
  readonly hidden: ReadonlySet<string>;
  /** Folders with their inode numbers, to watch; the top folder is the empty path. */
  readonly folders: ReadonlyMap<string, string>;
}

/** Ignore files; the first that a folder has counts. */
const ignoreFiles = ['.hostdeckignore', '.gitignore'] as const;

interface Walk {
  readonly root: string;
  readonly files: Map<string, TreeFile>;
  readonly unsupported: UnsupportedPath[];
  readonly unreadable: UnsupportedPath[];
  readonly hidden: Set<string>;
  readonly folders: Map<string, string>;
  ignored: number;
}

/** Bits of a mode that make a file executable. */
const executable = 0o111;

/** Resolves with the files of a folder, or with the reason why it can't be read. */
export async function readLocalTree(
  root: string,
): Promise<
  { readonly ok: true; readonly tree: LocalTree } | { readonly ok: false; readonly reason: string }
> {
  const walk: Walk = {
    root,
    files: new Map(),
    unsupported: [],
    unreadable: [],
    hidden: new Set(),
    folders: new Map(),
    ignored: 0,
  };
  try {
    await walkFolder(walk, '', noIgnoreRules());
  } catch (error) {
    return { ok: false, reason: describeLocalError(error) };
  }
  return { ok: true, tree: walk };
}

async function walkFolder(walk: Walk, folder: string, above: IgnoreRules): Promise<void> {
  const place = path.join(walk.root, folder);
  const { ino } = await stat(place);
  const entries = await readdir(place, { withFileTypes: true });
  walk.folders.set(folder, String(ino));
  const rules = await rulesIn(walk, folder, entries, above);
  if (entries.length === 0 && folder !== '') {
    walk.unsupported.push({ path: folder, reason: 'empty folder' });
  }
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const below = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name === '.git') continue;
    if (rules.ignores(below, entry.isDirectory()) || entry.name === ignoreFiles[0]) {
      walk.ignored += 1;
      walk.hidden.add(below);
      continue;
    }
    try {
      await walkEntry(walk, entry, below, rules);
    } catch (error) {
      // A file that was removed since the folder was read is no failure.
      if (isMissing(error)) continue;
      walk.hidden.add(below);
      walk.unreadable.push({ path: below, reason: describeLocalError(error) });
    }
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function walkEntry(
  walk: Walk,
  entry: Dirent,
  below: string,
  rules: IgnoreRules,
): Promise<void> {
  const reason = entry.isSymbolicLink()
    ? 'symbolic link'
    : !entry.isDirectory() && !entry.isFile()
      ? 'not a regular file'
      : isRequestablePath(below) && !below.includes('\u{fffd}')
        ? undefined
        : 'no URL can address this name';
  if (reason !== undefined) {
    walk.hidden.add(below);
    walk.unsupported.push({ path: below, reason });
    return;
  }
  if (entry.isDirectory()) return walkFolder(walk, below, rules);
  const found = await lstat(path.join(walk.root, below));
  walk.files.set(below, { path: below, size: found.size, version: versionOf(found) });
  if ((found.mode & executable) !== 0) {
    const mode = (found.mode & 0o777).toString(8);
    walk.unsupported.push({ path: below, reason: `mode ${mode}; the content is synced` });
  }
}

/** Returns a text that differs after every write of a file. */
export function versionOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

/** Returns the rules in a folder, with those of its own ignore file. */
async function rulesIn(
  walk: Walk,
  folder: string,
  entries: readonly Dirent[],
  above: IgnoreRules,
): Promise<IgnoreRules> {
  const name = ignoreFiles.find((each) =>
    entries.some((entry) => entry.name === each && entry.isFile()),
  );
  if (name === undefined) return above;
  return above.within(folder, await readFile(path.join(walk.root, folder, name), 'utf8'));
}

/** Tells which paths the ignore files of a folder and of the folders above it exclude. */
export interface IgnoreRules {
  /** Whether a path is ignored. The folders above it must not be ignored themselves. */
  ignores(path: string, isFolder: boolean): boolean;
  /** Returns the rules in a folder with an ignore file; those of deeper folders win. */
  within(folder: string, text: string): IgnoreRules;
}

/** Returns the rules of a folder without any ignore file. */
export function noIgnoreRules(): IgnoreRules {
  return rulesOf(createMatcher());
}

function createMatcher(): Ignore {
  return ignore({ ignorecase: false });
}

function rulesOf(matcher: Ignore): IgnoreRules {
  return {
    ignores: (path, isFolder) => matcher.ignores(isFolder ? `${path}/` : path),
    within: (folder, text) =>
      rulesOf(createMatcher().add(matcher).add(patternsBelow(folder, text))),
  };
}

/** Returns the patterns of an ignore file, made relative to the top folder. */
function patternsBelow(folder: string, text: string): readonly string[] {
  const lines = text.replace(/^\u{feff}/u, '').split(/\r?\n/);
  if (folder === '') return lines;
  const prefix = folder.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`);
  return lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const isNegated = line.startsWith('!');
    const pattern = (isNegated ? line.slice(1) : line).replace(/^\\([#!])/, '$1');
    // A slash at the beginning or in the middle binds a pattern to the folder of its file.
    const isBound = pattern.trimEnd().replace(/\/$/, '').includes('/');
    const below = isBound ? pattern.replace(/^\//, '') : `**/${pattern}`;
    return [`${isNegated ? '!' : ''}${prefix}/${below}`];
  });
}
