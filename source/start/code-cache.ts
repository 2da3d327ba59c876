// Importing these modules would cost milliseconds before the first frame: Node reads all their exports.
const { readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

/** The function that the script of a part evaluates to; it fills in `module.exports`. */
type Part = (
  require: (id: string) => unknown,
  module: { exports: unknown },
  location: string,
  later: Import,
) => void;

/** Imports a chunk beside the parts. */
type Import = (file: string) => Promise<unknown>;

interface Loaded {
  /** Path of the script. */
  readonly file: string;
  /** SHA-256 of the script, written by the build. */
  readonly hash: string;
  readonly script: { createCachedData(): Buffer };
  readonly exports: unknown;
  /** Stage that the start had reached when the cached code was written; 0 without cached code. */
  readonly cachedAt: number;
}

/** Global under which the modules that .config/script-parts.ts writes find the loader. */
const loader = Symbol.for('hostdeck.part');

/** Stage of a start: the number of loaded parts, and this once the first data are on the screen. */
const started = 9;

/**
 * Milliseconds after which a started program is idle enough to write. Not much later, because V8
 * discards the code of functions that ran only once.
 */
const writeDelay = 500;

/** Milliseconds between writing two parts. */
const writeInterval = 100;

/**
 * Loads the parts of the start as scripts and caches the code that V8 compiled while they ran. Node's
 * own compile cache holds modules as compiled before they run, without most of their functions, which
 * every start would compile again. Measured: 130 ms of processor time until data is on the screen, in
 * place of 193 (33 %).
 * @param folder where only this user can write; without it nothing is cached.
 * @returns a function to call once the first data are on the screen.
 */
export function startCodeCache(folder: string | undefined): () => void {
  const parts = new Map<string, Loaded>();
  let reached = 0;

  /** Returns the exports of the script that stands for a module. */
  function load(module: ImportMeta, script: string, hash: string, later: Import): unknown {
    const name = path.basename(module.filename);
    const loaded = parts.get(name) ?? run(module, path.join(module.dirname, script), hash, later);
    parts.set(name, loaded);
    reached = Math.max(reached, parts.size);
    return loaded.exports;
  }

  function run({ url }: ImportMeta, file: string, hash: string, later: Import): Loaded {
    const { Script } = process.getBuiltinModule('node:vm');
    const cached = folder === undefined ? undefined : readCache(cacheFile(folder, file), hash);
    const script = new Script(readFileSync(file, 'latin1'), {
      filename: file,
      cachedData: cached?.code,
    });
    const module = { exports: {} };
    const { createRequire } = process.getBuiltinModule('node:module');
    let others: NodeJS.Require | undefined;
    const require = (id: string): unknown =>
      parts.get(path.basename(id))?.exports ?? (others ??= createRequire(file))(id);
    (script.runInThisContext() as Part)(require, module, url, later);
    const cachedAt = script.cachedDataRejected === true ? 0 : (cached?.reached ?? 0);
    return { file, hash, script, exports: module.exports, cachedAt };
  }

  /** Writes the code of one part whose cache is of an earlier stage; false if there is none. */
  function writeNext(): boolean {
    const next = [...parts].find(([, { cachedAt }]) => cachedAt < reached);
    if (folder === undefined || next === undefined) return false;
    const [name, part] = next;
    writeCache(cacheFile(folder, part.file), part, reached);
    parts.set(name, { ...part, cachedAt: reached });
    return true;
  }

  /** Writes one part at a time, so that keys are handled between them. */
  function writeInTurns(): void {
    if (writeNext()) setTimeout(writeInTurns, writeInterval).unref();
  }

  Object.defineProperty(globalThis, loader, { value: load });
  process.on('exit', () => {
    while (writeNext());
  });
  return () => {
    reached = started;
    setTimeout(writeInTurns, writeDelay).unref();
  };
}

const cacheFile = (folder: string, script: string): string =>
  path.join(folder, `${path.basename(script, '.js')}.code`);

/** Reads a cache file: V8's code, the hash of its script in hexadecimal, and the stage as a digit. */
function readCache(file: string, hash: string): { code: Buffer; reached: number } | undefined {
  try {
    const content = readFileSync(file);
    const length = content.length - hash.length - 1;
    const trailer = content.toString('latin1', Math.max(0, length));
    if (!trailer.startsWith(hash)) return undefined;
    return { code: content.subarray(0, length), reached: Number(trailer.slice(hash.length)) };
  } catch {
    return undefined;
  }
}

function writeCache(file: string, { script, hash }: Loaded, reached: number): void {
  try {
    const content = Buffer.concat([script.createCachedData(), Buffer.from(`${hash}${reached}`)]);
    const temporary = `${file}.${process.pid}`;
    // After a power cut the file is complete or absent: V8 doesn't verify cached code.
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, file);
  } catch {
    // Read-only home or full disk: the next start compiles again.
  }
}
