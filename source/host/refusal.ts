import type { RequestErrorDetail } from '../contract/detail.ts';

/**
 * A rejected request. Any layer may throw it; the server sends it in the error envelope. The
 * message says what is wrong and what to do, and contains no detail of this machine.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly RequestErrorDetail[];
  /** Seconds until a retry may succeed, sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly RequestErrorDetail[] = [],
    retryAfter?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** Returns the body of an error response. */
export function errorEnvelope({ code, message, details }: Refusal) {
  return { success: false, error: { code, message, details } };
}

/** 400: the request can't be parsed. */
export const badRequest = (message: string) => new Refusal(400, 'bad-request', message);

export const unauthorized = (message: string) => new Refusal(401, 'unauthorized', message);

export const forbidden = (message: string) => new Refusal(403, 'forbidden', message);

/** 404, also for a resource of another wallet, so that its existence is not disclosed. */
export const notFound = (resource: string) =>
  new Refusal(404, 'not-found', `There is no ${resource}.`);

/** 409: the request is valid, but not in the current state. */
export const conflict = (message: string) => new Refusal(409, 'conflict', message);

/** 410: the resource existed, and never will again. */
export const gone = (message: string) => new Refusal(410, 'gone', message);

export const tooLarge = (message: string) => new Refusal(413, 'too-large', message);

/** 413 for an upload with more parts than the limit. */
export const tooManyParts = () => tooLarge('The upload has too many parts.');

/** 429: too many requests or streams; `retryAfter` in seconds. */
export const rateLimited = (message: string, retryAfter = 5) =>
  new Refusal(429, 'rate-limited', message, [], retryAfter);

/** 503: the host is shutting down. */
export const unavailable = () => new Refusal(503, 'unavailable', 'This host is shutting down.');

/** 503: the disk took no record or no change of an operation that a full disk never refuses. */
export const unrecorded = () =>
  new Refusal(
    503,
    'unrecorded',
    "The disk of this host is full or can't be written. Free some space there and try again.",
    [],
    5,
  );

/** 507: there is no space on the disk. `reason` is a sentence. */
export const storageFull = (reason: string) =>
  new Refusal(
    507,
    'storage-full',
    `${reason} Delete files, or close deployments, and try again; closing always works.`,
  );

/** 422: the request can be parsed, but a value is invalid. */
export function invalidField(field: string, expected: string): Refusal {
  return new Refusal(422, 'invalid', `${field}: expected ${expected}.`, [{ field, expected }]);
}
