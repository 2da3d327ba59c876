/** Why one more path has no place among those that are there; undefined where it has. */
export type FindClash = (path: string) => string | undefined;

/**
 * Takes paths one by one: the same cannot be there twice, and what is a file is no folder.
 * @param same gives the same for paths that lead to the same file.
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

/** `a` and `a/b` for `a/b/c`. */
export function foldersAbove(path: string): readonly string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}
