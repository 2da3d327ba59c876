import type { Result, ServiceError } from '../../client/http/errors.ts';

/** An operation that failed or was only partly done. Its text from the service is unsanitised. */
export interface FileRefusal {
  readonly ok: false;
  /**
   * `exists`: the path has a file; nothing was sent, retry with `replace`.
   * `unkept`: no copy of the file could go to the trash; nothing was sent, retry with `unkept`.
   * `unknown`: the request was sent but no answer came.
   */
  readonly kind: 'exists' | 'unkept' | 'failed' | 'unknown';
  readonly sentence: string;
  /** One sentence that says what to do next. */
  readonly next: string;
  /** Path of the refused file. */
  readonly path: string;
  /** Paths of the files that were written before it. */
  readonly done: readonly string[];
  readonly error?: ServiceError | undefined;
}

export type FileOutcome = { readonly ok: true; readonly sentence: string } | FileRefusal;

export function done(sentence: string): FileOutcome {
  return { ok: true, sentence };
}

export function refusal(
  kind: FileRefusal['kind'],
  path: string,
  sentence: string,
  next: string,
  error?: ServiceError,
): FileRefusal {
  return { ok: false, kind, path, sentence, next, done: [], error };
}

/**
 * Returns the refusal for a failed request.
 * @param verb past participle of the operation, like "deleted".
 */
export function failed(path: string, verb: string, error: ServiceError): FileRefusal {
  const { unknownOutcome, sentence, next } = error;
  return unknownOutcome
    ? refusal('unknown', path, `${path} may have been ${verb}. ${sentence}`, next, error)
    : refusal('failed', path, `${path} was not ${verb}. ${sentence}`, next, error);
}

export function exists(path: string): FileRefusal {
  const next = 'Replace it, or choose another name.';
  return refusal('exists', path, `${path} already exists. Nothing was sent.`, next);
}

/** Refuses to replace a file that somebody has changed since the change to undo. */
export function changed(path: string): FileRefusal {
  const next = 'Replace it, or keep it.';
  return refusal('exists', path, `${path} changed on the service since. Nothing was sent.`, next);
}

export function unreachable(path: string): FileRefusal {
  const next = `A path can't be empty or have an empty, "." or ".." part.`;
  return refusal('failed', path, `"${path}" is not a valid path. Nothing was sent.`, next);
}

/** Returns the outcome of one write; `sentence` reports its success. */
export function outcomeOf(
  result: Result<void>,
  path: string,
  verb: string,
  sentence: string,
): FileOutcome {
  return result.ok ? done(sentence) : failed(path, verb, result.error);
}
