// As modules these would cost milliseconds before the first frame: Node fills in all their exports.
const { lstatSync, mkdirSync } = process.getBuiltinModule('node:fs');
const { enableCompileCache, flushCompileCache } = process.getBuiltinModule('node:module');
const path = process.getBuiltinModule('node:path');

/** Milliseconds after which a program has started and is idle enough to write what it compiled. */
const flushAfter = 500;

/**
 * Keeps compiled code in the person's cache folder (XDG base directory specification), so that the
 * next start need not compile it again. Where it cannot be written, nothing is kept.
 * @returns the folder, where nobody else can write.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv): string | undefined {
  const home = env['XDG_CACHE_HOME'];
  const base =
    home !== undefined && path.isAbsolute(home) ? home : path.join(env['HOME'] ?? '', '.cache');
  if (!path.isAbsolute(base)) return undefined;
  const folder = path.join(base, 'hostdeck');
  if (!isOurs(base, folder)) return undefined;
  enableCompileCache(folder);
  // Written also when the program ends, but not when it is killed.
  setTimeout(flushCompileCache, flushAfter).unref();
  return folder;
}

/**
 * Makes the folder where it is missing. False where that fails, and where others can write: what
 * lies there is run.
 */
function isOurs(base: string, folder: string): boolean {
  const known = look(folder);
  const found = known ?? made(base, folder);
  return found?.isDirectory() === true && found.uid === process.getuid?.() && !(found.mode & 0o022);
}

const look = (folder: string) => lstatSync(folder, { throwIfNoEntry: false });

function made(base: string, folder: string): ReturnType<typeof look> {
  // Not `recursive`, which does not end where mkdir always fails with ENOENT, as it does in /proc.
  for (const each of [base, folder]) {
    try {
      mkdirSync(each, { mode: 0o700 });
    } catch {
      // It is there already, or the next look tells.
    }
  }
  return look(folder);
}
