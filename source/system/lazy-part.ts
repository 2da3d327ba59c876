/** Loads parts of the program on first use, or soon after the start, with one way of failing. */

/** A part of the program whose files can't be read. Its message says what happened and what to do. */
export class PartError extends Error {
  constructor(cause: unknown) {
    super(sentenceOf(cause), { cause });
    this.name = 'PartError';
  }
}

/** Error codes of a file that is gone, as after an update under a running program. */
const goneCodes = new Set(['ERR_MODULE_NOT_FOUND', 'ENOENT', 'ENOTDIR']);

const reasons: Readonly<Record<string, string>> = {
  EMFILE: 'too many open files',
  ENFILE: 'too many open files',
  EIO: 'the disk failed',
  ENOMEM: 'not enough memory',
  EACCES: 'permission denied',
};

/** Parts that are not loaded yet and that {@link loadEarlyParts} loads. */
const early = new Set<() => Promise<unknown>>();

/**
 * Returns a function that loads a part of the program when it is first called. It rejects with a
 * {@link PartError} where a file can't be read, and the next call tries again.
 */
export function lazyPart<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw isReadError(error) ? new PartError(error) : error;
    }));
}

/** Returns a lazy part that {@link loadEarlyParts} loads before it is needed, to prevent data loss. */
export function earlyPart<T>(load: () => Promise<T>): () => Promise<T> {
  const part = lazyPart(load);
  early.add(part);
  return part;
}

/** Resolves with a part; undefined where its files can't be read and it can be done without. */
export function loadedOrNone<T>(part: () => Promise<T>): Promise<T | undefined> {
  return loadedOr(() => undefined, part);
}

/**
 * Resolves with the result of an action; where a part that it needs can't be loaded, with that of `otherwise`,
 * which gets the sentence about it.
 */
export async function loadedOr<T, U>(
  otherwise: (sentence: string) => U,
  action: () => Promise<T>,
): Promise<T | U> {
  try {
    return await action();
  } catch (error) {
    if (error instanceof PartError) return otherwise(error.message);
    throw error;
  }
}

/**
 * Loads the early parts, and those that they declare, one after the other.
 * @param turn resolves when one may be loaded.
 * @returns whether all are loaded; the others can be tried again.
 */
export async function loadEarlyParts(turn: () => Promise<void>): Promise<boolean> {
  for (const part of early) {
    await turn();
    try {
      await part();
      early.delete(part);
    } catch {
      // The first use tries again, and says why it fails.
    }
  }
  return early.size === 0;
}

/** Returns whether an error is about reading the program's files; others are defects of the program. */
function isReadError(error: unknown): boolean {
  return error instanceof SyntaxError || codeOf(error) !== '';
}

function sentenceOf(cause: unknown): string {
  const code = codeOf(cause);
  // A file of another version lacks what this one imports from it.
  if (goneCodes.has(code) || cause instanceof SyntaxError) {
    return 'hostdeck was updated on this machine. Quit and start it again.';
  }
  return `Can't load a part of hostdeck: ${reasons[code] ?? `error ${code}`}. Try again.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
