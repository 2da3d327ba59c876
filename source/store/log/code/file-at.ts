/** Finds the file of a service that a place in code lies in. */
import type { CodePlace } from './code-places.ts';

const dependencies = String.raw`node_modules|site-packages|dist-packages|vendor|gems|pkg\/mod|\.?cargo\/registry`;

/** Folders of a service with code of others. */
const dependencyFolders = new RegExp(String.raw`(?:^|\/)(?:${dependencies})\/`);

/** Folders of a machine with code of others, which may have files with the names of ours. */
const foreignFolders = new RegExp(
  String.raw`(?:^|\/)(?:${dependencies}|\.cargo|\.rustup|\.m2|rustc|usr\/(?:local\/)?(?:lib|go|share)|internal)(?:\/|$)`,
);

/** Returns whether a file of a service lies in a folder of dependencies. */
export function isForeign(file: string): boolean {
  return dependencyFolders.test(file);
}

/** Files of a service by their names without folders, as the parts of their paths. */
type FileIndex = ReadonlyMap<string, readonly (readonly string[])[]>;

const indexes = new WeakMap<readonly string[], FileIndex>();

function indexOf(files: readonly string[]): FileIndex {
  const known = indexes.get(files);
  if (known !== undefined) return known;
  const index = new Map<string, (readonly string[])[]>();
  for (const file of files) {
    const parts = file.split('/');
    const name = parts.at(-1) ?? '';
    const others = index.get(name);
    if (others === undefined) index.set(name, [parts]);
    else others.push(parts);
  }
  indexes.set(files, index);
  return index;
}

/**
 * Returns the file that a place lies in; undefined where none does, or it is not certain which.
 * @param files paths of the files of a service; an index of them is made once.
 */
export function fileOfPlace(
  { path, longer, isWhole }: Pick<CodePlace, 'path' | 'longer' | 'isWhole'>,
  files: readonly string[],
): string | undefined {
  for (const each of longer) {
    const file = fileAt(each, files);
    const isRooted = /^(?:\/|[A-Za-z]:)/.test(each);
    if (file !== undefined && (isRooted || file.includes(' '))) return file;
  }
  return isWhole ? fileAt(path, files) : undefined;
}

/**
 * Returns the file that shares the longest end of a path, where that is all of the one or all of the
 * other. Undefined where none does, or several share as much.
 */
export function fileAt(path: string, files: readonly string[]): string | undefined {
  const named = path.split('/').filter((part) => part !== '' && part !== '.');
  if (named.includes('..')) return undefined;
  let best: readonly string[] | undefined;
  let length = 0;
  let isUnclear = false;
  for (const parts of indexOf(files).get(named.at(-1) ?? '') ?? []) {
    const shared = sharedEnd(named, parts);
    if (shared < Math.min(named.length, parts.length)) continue;
    if (shared === parts.length && foreignFolders.test(named.slice(0, -shared).join('/'))) continue;
    if (shared < length) continue;
    isUnclear = shared === length;
    best = parts;
    length = shared;
  }
  return isUnclear ? undefined : best?.join('/');
}

/** Returns how many of the last parts are the same. */
function sharedEnd(left: readonly string[], right: readonly string[]): number {
  let shared = 0;
  while (
    shared < left.length &&
    shared < right.length &&
    left[left.length - 1 - shared] === right[right.length - 1 - shared]
  ) {
    shared += 1;
  }
  return shared;
}
