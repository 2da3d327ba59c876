import type { Result, ServiceError } from '../../client/http/errors.ts';

/** An operation that was not done, or not all of it. Text from the service in it is unsanitised. */
export interface FileRefusal {
  readonly ok: false;
  /**
   * `exists`: something is at the path; nothing was sent, to be asked again with `replace`.
   * `unkept`: what would be lost could not be put into the trash; nothing was sent, to be asked again
   * with `unkept`. `unknown`: sent, but no answer came.
   */
  readonly kind: 'exists' | 'unkept' | 'failed' | 'unknown';
  readonly sentence: string;
  /** What to do next: one sentence. */
  readonly next: string;
  /** The file it is about. */
  readonly path: string;
  /** Files that were done before it. */
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

/** What the service answered to reading or writing `path`, as `verb` ("deleted") would say it. */
export function failed(path: string, verb: string, error: ServiceError): FileRefusal {
  const { unknownOutcome, sentence, next } = error;
  return unknownOutcome
    ? refusal('unknown', path, `${path} may be ${verb}. ${sentence}`, next, error)
    : refusal('failed', path, `${path} was not ${verb}. ${sentence}`, next, error);
}

export function exists(path: string): FileRefusal {
  const next = 'Replace it, or take another name.';
  return refusal('exists', path, `${path} exists. Nothing was sent.`, next);
}

export function unreachable(path: string): FileRefusal {
  const next = 'A name cannot be empty or have an empty, "." or ".." part.';
  return refusal('failed', path, `No URL leads to "${path}". Nothing was sent.`, next);
}

/** The outcome of one write. */
export function outcomeOf(
  result: Result<void>,
  path: string,
  verb: string,
  sentence: string,
): FileOutcome {
  return result.ok ? done(sentence) : failed(path, verb, result.error);
}
