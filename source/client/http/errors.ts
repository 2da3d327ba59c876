/** The error value of every client operation, its codes, and the token's removal from it. */
import { type OperationName, operations } from '../../contract/routes.ts';
import type { Proxy } from './proxy.ts';

/** Kind of failure. Callers react to the code, never to the text. */
export type ErrorCode =
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'disconnected'
  | 'aborted'
  /** The stream is complete; the service has nothing more to send. */
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
  /** The connection is read-only, so that the write was not sent. */
  | 'read-only'
  | 'local';

/** One error that a service reported in a request. */
export interface ErrorDetail {
  /** Field in the service's own notation, such as `services.web.image`. */
  readonly field?: string | undefined;
  /** The service's message. */
  readonly message: string;
  /** Line in the sent text, from 1. */
  readonly line?: number;
  readonly column?: number;
}

/** A failed operation, as a value. Text from the service is unsanitised. */
export interface ServiceError {
  readonly code: ErrorCode;
  /** Title of the operation, such as `list files`. */
  readonly operation: string;
  readonly status?: number | undefined;
  /** One sentence for a person: the failure. */
  readonly sentence: string;
  /** One sentence for a person: the next step. */
  readonly next: string;
  /** The service's own error message. */
  readonly errorMessage?: string | undefined;
  /** The service's error details, one for each field or line. */
  readonly errorDetails?: readonly ErrorDetail[] | undefined;
  /** Path of the field that could not be decoded, such as `files[0].path`. */
  readonly field?: string | undefined;
  /** Raw answer, cut to 64 Ki characters, for the detail view of `unreadable` and `wrong-shape`. */
  readonly answer?: string | undefined;
  /** Seconds to wait before a retry, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** True when a write may have succeeded although it returned no usable answer. */
  readonly unknownOutcome: boolean;
}

export type Result<T> =
  /** `status` is the HTTP status of the answer to a write. */
  | { readonly ok: true; readonly value: T; readonly status?: number | undefined }
  | { readonly ok: false; readonly error: ServiceError };

/** The rows of a list; `total` is their number on the service, when it is known and larger. */
export type ListResult<T> = Result<readonly T[]> & { readonly total?: number | undefined };

/** The operation and the service of a request, from which its errors are worded. */
export interface RequestTarget {
  /** Title of the operation. */
  readonly operation: string;
  /** Host and port of the service. */
  readonly host: string;
  /** Proxy that the service is reached through. */
  readonly proxy?: Proxy | undefined;
  /** Wallet address of the caller, if known. */
  readonly wallet?: string | undefined;
  /** True when the URL names a collection, which cannot have been deleted. */
  readonly isCollection?: boolean;
  /** True when the operation is a write, whose outcome is unknown without an answer. */
  readonly isWrite: boolean;
  /** One sentence for a person: the way to find out whether a write succeeded. */
  readonly outcomeHint: string;
}

const checks: Partial<Record<RequestName, string>> = {
  restartDeployment: 'Check its log before you restart it again.',
  updateFile: 'Check the file before you save it again.',
};

/** The log stream is not an HTTP operation, but it fails like a read. */
const logStream = { title: 'stream logs', method: 'GET', path: ':id' } as const;

export type RequestName = OperationName | 'streamLogs';

/** Returns the target of a request, for {@link createServiceError}. */
export function createRequestTarget(
  operation: RequestName,
  host: string,
  wallet?: string,
  proxy?: Proxy,
): RequestTarget {
  const { title, method, path } = operation === 'streamLogs' ? logStream : operations[operation];
  return {
    operation: title,
    host,
    proxy,
    wallet,
    isCollection: !path.includes(':'),
    isWrite: method !== 'GET',
    outcomeHint: checks[operation] ?? 'Check whether it did.',
  };
}

/** Returns the host of a request, with the proxy that it is reached through, for sentences. */
export function hostVia({ host, proxy }: RequestTarget): string {
  return proxy === undefined ? host : `${host} through the proxy ${proxy.name}`;
}

export type ServiceErrorFields = Partial<
  Omit<ServiceError, 'code' | 'operation' | 'sentence' | 'next'>
>;

/** Builds an error value; `unknownOutcome` defaults to false. */
export function createServiceError(
  { operation }: RequestTarget,
  code: ErrorCode,
  sentence: string,
  next: string,
  details: ServiceErrorFields = {},
): ServiceError {
  return { code, operation, sentence, next, unknownOutcome: false, ...details };
}

/** Builds a `local` error: the request could not be sent, or not completely. */
export function createLocalError(
  target: RequestTarget,
  sentence: string,
  next: string,
  details?: ServiceErrorFields,
): ServiceError {
  return createServiceError(target, 'local', sentence, next, details);
}

/** Builds the error for a name that URL normalisation would remove (see `routePath`). */
export function createUnaddressableError(target: RequestTarget): ServiceError {
  return createLocalError(
    target,
    `Can't ${target.operation}: no URL can address this name.`,
    'Nothing was sent. A name can\'t have an empty, "." or ".." part, or half a character.',
  );
}

/** Returns the title with a capital first letter. */
export function capitaliseTitle(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}

/** Shortest token that is redacted; replacing a shorter text would garble sentences. */
const minSecretLength = 4;

/** Limits of the service's texts, in characters. */
const messageLimit = 2_000;
const answerLimit = 64 * 1024;

/**
 * Returns the error without the token and with the service's texts cut to their limits. Services and
 * proxies echo requests in messages, bodies and redirect targets. The token is redacted before the
 * cut, so that no cut leaves half a token.
 */
export function redactError(error: ServiceError, token: string): ServiceError {
  const forms = token.length < minSecretLength ? [] : spellings(token);
  const hide = (text: string): string =>
    forms.reduce((redacted, form) => redacted.replaceAll(form, '[token]'), text);
  const redactPart = (text: string | undefined, limit: number) =>
    text === undefined ? undefined : hide(text).slice(0, limit);
  return {
    ...error,
    sentence: hide(error.sentence),
    next: hide(error.next),
    errorMessage: redactPart(error.errorMessage, messageLimit),
    errorDetails: error.errorDetails?.map((detail) => ({
      ...detail,
      message: hide(detail.message).slice(0, messageLimit),
      ...(detail.field !== undefined && { field: hide(detail.field).slice(0, messageLimit) }),
    })),
    field: redactPart(error.field, messageLimit),
    answer: redactPart(error.answer, answerLimit),
  };
}

/** Returns the token as plain text, in a URL, and in JSON with and without escaped slashes. */
function spellings(token: string): readonly string[] {
  const json = JSON.stringify(token).slice(1, -1);
  return [token, encodeURIComponent(token.toWellFormed()), json, json.replaceAll('/', '\\/')];
}
