import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { foldersAbove } from './path-clash.ts';

type Listed = readonly DecodedRecord<FileRecord>[];

/**
 * Returns the paths of files and folders that a key acts on: the marked ones, else the one under the
 * cursor. None of them is below another.
 */
export function chosenPaths(
  rows: Listed,
  marks: ReadonlySet<string>,
  underCursor: string | undefined,
): readonly string[] {
  const candidates = marks.size > 0 ? [...marks] : underCursor === undefined ? [] : [underCursor];
  const listed = candidates.filter((path) =>
    rows.some(({ value }) => isAtOrBelow(value.path, path)),
  );
  return listed.filter((path) => !listed.some((above) => path.startsWith(`${above}/`))).sort();
}

/** Returns the paths of the listed files at and below `paths`, each once. */
export function filesBelow(rows: Listed, paths: readonly string[]): readonly string[] {
  return rows
    .filter(({ value }) => value.directory !== true)
    .map(({ value }) => value.path)
    .filter((file) => paths.some((path) => isAtOrBelow(file, path)));
}

function isAtOrBelow(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/** Returns all folders of the service, each with a trailing slash. */
export function folderPaths(rows: Listed): readonly string[] {
  const folders = new Set<string>();
  for (const { value } of rows) {
    const path = value.path.replace(/\/$/, '');
    if (value.directory === true) folders.add(`${path}/`);
    for (const folder of foldersAbove(path)) folders.add(`${folder}/`);
  }
  return [...folders].sort();
}

/** Returns the folder of a path; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** Returns the prefix of paths in a folder: the folder with a slash, or nothing for the root. */
export function folderStart(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
