// Importing these modules would cost milliseconds before the first frame: Node reads all their exports.
const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache, flushCompileCache } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');

/** Milliseconds after which a started program is idle enough to write its compiled code. */
const flushAfter = 500;

/**
 * Enables Node's compile cache in the user's cache folder (XDG base directory specification).
 * @returns the folder; undefined, with the cache left off, where the folder can't be made or others
 * can write to it.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['XDG_CACHE_HOME'];
  const base =
    home !== undefined && path.isAbsolute(home) ? home : path.join(env['HOME'] ?? '', '.cache');
  if (!path.isAbsolute(base)) return undefined;
  const folder = path.join(base, 'hostdeck');
  if (!isOurs(base, folder)) return undefined;
  enableCompileCache(folder);
  // Node writes the cache on exit too, but not when the process is killed.
  setTimeout(flushCompileCache, flushAfter).unref();
  return folder;
}

/**
 * Makes the folder where it is missing. Returns false where that fails, and where others can write to
 * it, because the program runs the code in it.
 */
function isOurs(base: string, folder: string): boolean {
  const found = statOf(folder) ?? makeFolder(base, folder);
  return found?.isDirectory() === true && found.uid === process.getuid?.() && !(found.mode & 0o022);
}

/** Returns undefined where there is nothing, or nothing can be: a file may be in the way. */
function statOf(folder: string) {
  try {
    return lstatSync(folder, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function makeFolder(base: string, folder: string): ReturnType<typeof statOf> {
  // Not `recursive`, which never returns where mkdir always fails with ENOENT, as in /proc.
  for (const each of [base, folder]) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch {
      // It exists, or the stat below finds nothing.
    }
  }
  return statOf(folder);
}
