// As modules these would cost milliseconds before the first frame: Node fills in all their exports.
const { readFileSync, renameSync, writeFileSync } = process.getBuiltinModule('node:fs');
const path = process.getBuiltinModule('node:path');

/** The script of a part gives this, which fills in `module.exports`. */
type Part = (
  require: (id: string) => unknown,
  module: { exports: unknown },
  location: string,
  later: Import,
) => void;

/** Imports what lies beside the parts. */
type Import = (file: string) => Promise<unknown>;

interface Loaded {
  /** The file of its script. */
  readonly file: string;
  /** Of its script, as the build knows it. */
  readonly hash: string;
  readonly script: { createCachedData(): Buffer };
  readonly exports: unknown;
  /** How far a start had come when the code that this one found was kept; 0 where it found none. */
  readonly keptAt: number;
}

/** Where the modules that .config/script-parts.ts writes find what loads their scripts. */
const loader = Symbol.for('hostdeck.part');

/** How far a start comes, in parts that are loaded; more than there are once it has its data. */
const started = 9;

/**
 * Milliseconds after which a program that has started is idle enough to write. Not much later: V8
 * drops the code of what ran only once.
 */
const keepAfter = 500;

/** Milliseconds from one part to the next. */
const keepEvery = 100;

/**
 * Loads the parts of the start, and keeps their compiled code once they have run. Node's own cache
 * keeps a module as it is compiled before it runs, without most of its functions: every start would
 * compile these anew.
 * @param folder where nobody else can write; without, nothing is kept.
 * @returns what is to be called when all that a start needs has run.
 */
export function startCodeCache(folder: string | undefined): () => void {
  const parts = new Map<string, Loaded>();
  let reached = 0;

  /** Gives what the script exports that stands for a module. */
  function load(module: ImportMeta, script: string, hash: string, later: Import): unknown {
    const name = path.basename(module.filename);
    const loaded = parts.get(name) ?? run(module, path.join(module.dirname, script), hash, later);
    parts.set(name, loaded);
    reached = Math.max(reached, parts.size);
    return loaded.exports;
  }

  function run({ url }: ImportMeta, file: string, hash: string, later: Import): Loaded {
    const { Script } = process.getBuiltinModule('node:vm');
    const kept = folder === undefined ? undefined : readKept(keptFile(folder, file), hash);
    const script = new Script(readFileSync(file, 'latin1'), {
      filename: file,
      cachedData: kept?.code,
    });
    const module = { exports: {} };
    const { createRequire } = process.getBuiltinModule('node:module');
    let others: NodeJS.Require | undefined;
    const require = (id: string): unknown =>
      parts.get(path.basename(id))?.exports ?? (others ??= createRequire(file))(id);
    (script.runInThisContext() as Part)(require, module, url, later);
    const keptAt = script.cachedDataRejected === true ? 0 : (kept?.reached ?? 0);
    return { file, hash, script, exports: module.exports, keptAt };
  }

  /** Keeps the code of one part that was not kept so far into a start; false if there is none. */
  function keepNext(): boolean {
    const next = [...parts].find(([, { keptAt }]) => keptAt < reached);
    if (folder === undefined || next === undefined) return false;
    const [name, part] = next;
    writeKept(keptFile(folder, part.file), part, reached);
    parts.set(name, { ...part, keptAt: reached });
    return true;
  }

  /** In turns, so that keys come between. */
  function keepInTurns(): void {
    if (keepNext()) setTimeout(keepInTurns, keepEvery).unref();
  }

  Object.defineProperty(globalThis, loader, { value: load });
  process.on('exit', () => {
    while (keepNext());
  });
  return () => {
    reached = started;
    setTimeout(keepInTurns, keepAfter).unref();
  };
}

const keptFile = (folder: string, script: string): string =>
  path.join(folder, `${path.basename(script, '.js')}.code`);

/** What is kept is the code, the hash of its script in hexadecimal, and a digit: how far it ran. */
function readKept(file: string, hash: string): { code: Buffer; reached: number } | undefined {
  try {
    const content = readFileSync(file);
    const length = content.length - hash.length - 1;
    const about = content.toString('latin1', Math.max(0, length));
    if (!about.startsWith(hash)) return undefined;
    return { code: content.subarray(0, length), reached: Number(about.slice(hash.length)) };
  } catch {
    return undefined;
  }
}

function writeKept(file: string, { script, hash }: Loaded, reached: number): void {
  try {
    const content = Buffer.concat([script.createCachedData(), Buffer.from(`${hash}${reached}`)]);
    const temporary = `${file}.${process.pid}`;
    // After a power cut it is whole or not there: V8 believes what it is given.
    writeFileSync(temporary, content, { mode: 0o600, flush: true });
    renameSync(temporary, file);
  } catch {
    // Read-only home, full disk: the next start compiles it again.
  }
}
