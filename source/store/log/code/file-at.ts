/** Finds the file of a service that a place in code lies in. */

/** Folders with code of others, which may have files with the names of ours. */
const foreignFolders =
  /(?:^|\/)(?:node_modules|site-packages|dist-packages|vendor|gems|\.cargo|\.rustup|\.m2|rustc|pkg\/mod|usr\/(?:local\/)?(?:lib|go|src|share)|internal)(?:\/|$)/;

/**
 * Returns the file that a place lies in: the one that shares the longest end of the path, where that
 * is all of the one or all of the other. Undefined where none does, or several share as much.
 * @param files paths of the files of a service.
 */
export function fileAt(path: string, files: readonly string[]): string | undefined {
  const named = path.split('/').filter((part) => part !== '' && part !== '.');
  if (named.includes('..')) return undefined;
  let best: string | undefined;
  let length = 0;
  let isUnclear = false;
  for (const file of files) {
    const parts = file.split('/');
    const shared = sharedEnd(named, parts);
    if (shared === 0 || shared < Math.min(named.length, parts.length)) continue;
    if (shared === parts.length && foreignFolders.test(named.slice(0, -shared).join('/'))) continue;
    if (shared < length) continue;
    isUnclear = shared === length;
    best = file;
    length = shared;
  }
  return isUnclear ? undefined : best;
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
