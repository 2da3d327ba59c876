import { createHash } from 'node:crypto';
import { createReadStream, type Dirent } from 'node:fs';
import {
  access,
  constants,
  lstat,
  mkdir,
  readdir,
  readFile,
  realpath,
  stat,
} from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type {
  ExcludedPath,
  LocalFile,
  LocalFiles,
  WalkResult,
} from '../store/transfers/local-files.ts';
import { describeLocalError } from '../client/local-reason.ts';
import { beginFile } from './begin-file.ts';
import { makeFolder } from '../system/make-folder.ts';

/** Returns access to the files of this machine, for uploads, downloads and completion. */
export function createLocalFiles(platform: NodeJS.Platform = process.platform): LocalFiles {
  return {
    naming: {
      windows: platform === 'win32',
      caseless: platform === 'win32' || platform === 'darwin',
    },
    home: homedir(),
    resolve: (given) => path.resolve(given),
    walk,
    list,
    read,
    digest,
    statusAt: at,
    createFolders: makeWay,
    begin: beginFile,
  };
}

interface Walk {
  /** Real path of the given folder; links that lead out of it are left out. */
  readonly root: string;
  readonly most: number;
  readonly signal: AbortSignal | undefined;
  readonly files: LocalFile[];
  readonly leftOut: ExcludedPath[];
}

const walk: LocalFiles['walk'] = async (paths, { most, signal }): Promise<WalkResult> => {
  const files: LocalFile[] = [];
  const leftOut: ExcludedPath[] = [];
  for (const each of paths.map((given) => path.resolve(given))) {
    try {
      const root = await realpath(each);
      const walking: Walk = { root, most, signal, files, leftOut };
      if ((await stat(root)).isDirectory()) await walkFolder(walking, root, path.basename(each));
      else await take(walking, each, path.basename(each));
    } catch (error) {
      leftOut.push({ path: each, reason: describeLocalError(error) });
    }
    if (files.length >= most) {
      leftOut.push({ path: each, reason: `more than ${most} files; the rest is left out` });
      break;
    }
  }
  return { files, leftOut };
};

async function walkFolder(walking: Walk, folder: string, below: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (walking.files.length >= walking.most || walking.signal?.aborted === true) return;
    const file = path.join(folder, entry.name);
    try {
      await walkEntry(walking, entry, file, below === '' ? entry.name : `${below}/${entry.name}`);
    } catch (error) {
      walking.leftOut.push({ path: file, reason: describeLocalError(error) });
    }
  }
}

async function walkEntry(walking: Walk, entry: Dirent, file: string, below: string): Promise<void> {
  if (entry.isDirectory()) return await walkFolder(walking, file, below);
  if (!entry.isSymbolicLink()) return await take(walking, file, below);
  const real = await realpath(file);
  const reason = !isInside(real, walking.root)
    ? 'a link that leads out of the folder'
    : (await stat(real)).isDirectory()
      ? 'a link to a folder'
      : undefined;
  if (reason === undefined) await take(walking, file, below);
  else walking.leftOut.push({ path: file, reason });
}

async function take({ files, leftOut }: Walk, file: string, below: string): Promise<void> {
  const found = await stat(file);
  if (found.isFile()) {
    await access(file, constants.R_OK);
    files.push({ file, path: below, size: found.size });
  } else {
    leftOut.push({ path: file, reason: 'it is not a regular file' });
  }
}

const digest: LocalFiles['digest'] = async (file) => {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
    return hash.digest('hex');
  } catch {
    return undefined;
  }
};

const list: LocalFiles['list'] = async (folder) => {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const names = entries.map(async (entry) => {
    const isFolder =
      entry.isDirectory() ||
      (entry.isSymbolicLink() && (await isDirectory(path.join(folder, entry.name))));
    return isFolder ? `${entry.name}/` : entry.name;
  });
  return (await Promise.all(names)).sort();
};

async function isDirectory(file: string): Promise<boolean> {
  return await stat(file).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

const read: LocalFiles['read'] = async (file, most) => {
  try {
    // Checked before opening, because opening a pipe would wait for its writer.
    const found = await stat(file);
    if (!found.isFile()) return { ok: false, reason: 'it is not a regular file' };
    if (found.size > most) return { ok: false, reason: `it is larger than ${most} bytes` };
    const bytes = await readFile(file);
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { ok: true, text: decoder.decode(bytes) };
  } catch (error) {
    const reason = error instanceof TypeError ? 'it is not UTF-8 text' : describeLocalError(error);
    return { ok: false, reason };
  }
};

const at: LocalFiles['statusAt'] = async (folder, segments) => {
  try {
    return (await lstat(path.join(folder, ...segments))).isDirectory() ? 'folder' : 'file';
  } catch {
    return 'nothing';
  }
};

const makeWay: LocalFiles['createFolders'] = async (folder, segments) => {
  // A second check besides the plan's: a segment with a separator could leave the folder.
  if (segments.length === 0 || !segments.every(isName)) {
    return { ok: false, reason: 'its name leads to another folder' };
  }
  try {
    await makeFolder(folder);
    const root = await realpath(folder);
    let current = root;
    for (const segment of segments.slice(0, -1)) {
      const next = path.join(current, segment);
      // EEXIST: checked below, because it may be a link.
      await mkdir(next).catch(unless('EEXIST'));
      current = await realpath(next);
      if (!isInside(current, root)) return { ok: false, reason: 'a link leads out of the folder' };
      if (!(await stat(current)).isDirectory()) {
        return { ok: false, reason: 'a file has the name of its folder' };
      }
    }
    const file = path.join(current, segments.at(-1) ?? '');
    const isTaken = (await at(current, segments.slice(-1))) === 'folder';
    return isTaken ? { ok: false, reason: 'a folder has the same name' } : { ok: true, file };
  } catch (error) {
    return { ok: false, reason: describeLocalError(error) };
  }
};

function isName(segment: string): boolean {
  return (
    segment !== '' &&
    segment !== '.' &&
    segment !== '..' &&
    !segment.includes('\0') &&
    path.basename(segment) === segment
  );
}

function isInside(real: string, root: string): boolean {
  return real === root || real.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function unless(code: string): (error: unknown) => void {
  return (error) => {
    if ((error as NodeJS.ErrnoException).code !== code) throw error;
  };
}
