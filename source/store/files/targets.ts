import type { DecodedRecord } from '../../client/client.ts';
import type { FileRecord } from '../../contract/files.ts';
import { foldersAbove } from './path-clash.ts';

type Listed = readonly DecodedRecord<FileRecord>[];

/** What a key acts on: paths of files and folders, none of them below another. */
export function chosenPaths(
  rows: Listed,
  marks: ReadonlySet<string>,
  underCursor: string | undefined,
): readonly string[] {
  const wanted = marks.size > 0 ? [...marks] : underCursor === undefined ? [] : [underCursor];
  const there = wanted.filter((path) => rows.some(({ value }) => isAtOrBelow(value.path, path)));
  return there.filter((path) => !there.some((above) => path.startsWith(`${above}/`))).sort();
}

/** Paths of the listed files at and below these, each once. */
export function filesBelow(rows: Listed, paths: readonly string[]): readonly string[] {
  return rows
    .filter(({ value }) => value.directory !== true)
    .map(({ value }) => value.path)
    .filter((file) => paths.some((path) => isAtOrBelow(file, path)));
}

function isAtOrBelow(file: string, path: string): boolean {
  return file === path || file.startsWith(`${path}/`);
}

/** All folders of the service, each with a slash at its end. */
export function folderPaths(rows: Listed): readonly string[] {
  const folders = new Set<string>();
  for (const { value } of rows) {
    const path = value.path.replace(/\/$/, '');
    if (value.directory === true) folders.add(`${path}/`);
    for (const folder of foldersAbove(path)) folders.add(`${folder}/`);
  }
  return [...folders].sort();
}

/** The folder that a path lies in; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The start of a path in a folder: nothing, or the folder with a slash. */
export function folderStart(folder: string): string {
  return folder === '' ? '' : `${folder}/`;
}
