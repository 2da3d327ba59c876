import { type OperationName, operations } from '../../contract/routes.ts';

/** What can go wrong between us and a service. One code, one way for the caller to react. */
export type ErrorCode =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'disconnected'
  | 'aborted'
  /** A stream that is complete: the service has nothing more to send. */
  | 'ended'
  | 'redirected'
  | 'unauthorized'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'invalid'
  | 'rate-limited'
  | 'service-error'
  | 'bad-request'
  | 'unreadable'
  | 'wrong-shape'
  | 'oversized-answer'
  | 'local';

/** One thing that a service found wrong in what it was sent. */
export interface ErrorDetail {
  /** What it is about, as the service names it: `services.web.image`. */
  readonly field?: string | undefined;
  /** What is wrong, or what was expected. */
  readonly said: string;
  /** In the text that was sent, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A failed operation, as a value. Text from the service inside it is unsanitised. */
export interface ServiceError {
  readonly code: ErrorCode;
  /** The operation's title, e.g. `list files`. */
  readonly operation: string;
  readonly status?: number | undefined;
  /** What happened, for a person: one sentence. */
  readonly sentence: string;
  /** What to do next: one sentence. */
  readonly next: string;
  /** What the service itself said, when it said something. */
  readonly said?: string | undefined;
  /** What it found wrong, as far as it told the parts apart. */
  readonly details?: readonly ErrorDetail[] | undefined;
  /** Field that could not be read, e.g. `files[0].path`. */
  readonly field?: string | undefined;
  /** The answer as it came (bounded), for the detail view of `unreadable` and `wrong-shape`. */
  readonly answer?: string | undefined;
  /** Seconds the service asked to wait. */
  readonly retryAfter?: number | undefined;
  /** True when a write may have happened although no answer came. */
  readonly unknownOutcome: boolean;
}

export type Result<T> =
  /** `status` is the HTTP status of the answer, where a write got one. */
  | { readonly ok: true; readonly value: T; readonly status?: number | undefined }
  | { readonly ok: false; readonly error: ServiceError };

/** Who was asked for what: all that an error needs to be worded. */
export interface RequestTarget {
  /** The operation's title. */
  readonly operation: string;
  /** Host and port of the service. */
  readonly host: string;
  /** Wallet address of the caller, where it is known. */
  readonly wallet?: string | undefined;
  /** Its URL names nothing that could be gone: the whole list, or what is about to be made. */
  readonly whole?: boolean;
  /** True when the operation changes something, so that a lost answer leaves its outcome open. */
  readonly write: boolean;
  /** How a person finds out whether a write happened: one sentence. */
  readonly check: string;
}

const checks: Partial<Record<RequestName, string>> = {
  restartDeployment: 'Check its log, then r.',
  updateFile: '^S checks and tries again.',
};

/** The stream is no HTTP operation, but it fails like one that reads. */
const logStream = { title: 'stream logs', method: 'GET', path: ':id' } as const;

export type RequestName = OperationName | 'streamLogs';

export function requestTarget(
  operation: RequestName,
  host: string,
  wallet?: string,
): RequestTarget {
  const { title, method, path } = operation === 'streamLogs' ? logStream : operations[operation];
  return {
    operation: title,
    host,
    wallet,
    whole: !path.includes(':'),
    write: method !== 'GET',
    check: checks[operation] ?? 'Look whether it did.',
  };
}

export type ErrorDetails = Partial<Omit<ServiceError, 'code' | 'operation' | 'sentence' | 'next'>>;

export function serviceError(
  { operation }: RequestTarget,
  code: ErrorCode,
  sentence: string,
  next: string,
  details: ErrorDetails = {},
): ServiceError {
  return { code, operation, sentence, next, unknownOutcome: false, ...details };
}

/** Something on our side: nothing was sent, or it could not be sent as it was. */
export function localError(
  what: RequestTarget,
  sentence: string,
  next: string,
  details?: ErrorDetails,
): ServiceError {
  return serviceError(what, 'local', sentence, next, details);
}

/** A name that no URL can address: proxies and clients normalise it away (see `routePath`). */
export function unreachableError(what: RequestTarget): ServiceError {
  return localError(
    what,
    `Cannot ${what.operation}: no URL leads to that name.`,
    'Nothing was sent; a name with an empty, "." or ".." part or half a character has to be changed.',
  );
}

/** `list files` as the beginning of a sentence. */
export function capitalised(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Texts shorter than this are no secrets; replacing them everywhere would only garble sentences. */
const shortestSecret = 4;

const saidLimit = 2_000;
const answerLimit = 64 * 1024;

/**
 * The error as it may leave the client: without the token, and with the service's text bounded.
 * Services and proxies echo what they were sent, in messages, in bodies and in redirect targets.
 * Hiding comes before cutting, so that no cut leaves half a token behind.
 */
export function sealed(error: ServiceError, token: string): ServiceError {
  const forms = token.length < shortestSecret ? [] : spellings(token);
  const hide = (text: string): string =>
    forms.reduce((kept, form) => kept.replaceAll(form, '[token]'), text);
  const part = (text: string | undefined, limit: number) =>
    text === undefined ? undefined : hide(text).slice(0, limit);
  return {
    ...error,
    sentence: hide(error.sentence),
    next: hide(error.next),
    said: part(error.said, saidLimit),
    details: error.details?.map((detail) => ({
      ...detail,
      said: hide(detail.said).slice(0, saidLimit),
      ...(detail.field !== undefined && { field: hide(detail.field).slice(0, saidLimit) }),
    })),
    field: part(error.field, saidLimit),
    answer: part(error.answer, answerLimit),
  };
}

/** The token as it came, in a URL, and in JSON with and without escaped slashes. */
function spellings(token: string): readonly string[] {
  const json = JSON.stringify(token).slice(1, -1);
  return [token, encodeURIComponent(token.toWellFormed()), json, json.replaceAll('/', '\\/')];
}
