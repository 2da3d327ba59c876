/** Claims a path; returns the reason when it clashes with a path claimed before. */
export type FindClash = (path: string) => string | undefined;

/**
 * Returns a function that claims paths one by one. Two files clash when they have the same path, or
 * when one needs a folder where the other has a file.
 * @param same returns one key for all spellings of a path that lead to the same file.
 */
export function claimPaths(same: (path: string) => string): FindClash {
  const files = new Set<string>();
  const folders = new Set<string>();
  return (path) => {
    const key = same(path);
    if (files.has(key)) return 'another file has the same name';
    if (folders.has(key)) return 'a folder has the same name';
    const above = foldersAbove(key);
    if (above.some((folder) => files.has(folder))) return 'a file has the name of its folder';
    files.add(key);
    for (const folder of above) folders.add(folder);
    return undefined;
  };
}

/** Returns the folders of a path from the top: `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
