import type { Detail } from '../contract/detail.ts';

/**
 * A request that is not carried out. Thrown by whoever finds the reason and answered by the
 * server in the one error envelope; the message says what is wrong and what to do, and names
 * nothing of this machine.
 */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: readonly Detail[];
  /** Seconds after which it is worth another try, where that is known. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    code: string,
    message: string,
    details: readonly Detail[] = [],
    retryAfter?: number,
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }
}

/** The one envelope of every error. */
export function errorEnvelope({ code, message, details }: Refusal) {
  return { success: false, error: { code, message, details } };
}

/** 400: the request cannot be read at all. */
export const unreadable = (message: string) => new Refusal(400, 'bad-request', message);

export const unauthorized = (message: string) => new Refusal(401, 'unauthorized', message);

export const forbidden = (message: string) => new Refusal(403, 'forbidden', message);

/** 404. Also for what belongs to another wallet, so that its existence is not told. */
export const notFound = (what: string) => new Refusal(404, 'not-found', `There is no ${what}.`);

/** 409: right in itself, but not in the state that things are in. */
export const conflict = (message: string) => new Refusal(409, 'conflict', message);

export const tooLarge = (message: string) => new Refusal(413, 'too-large', message);

/** 413 for an upload whose parts are more than the limit. */
export const tooManyParts = () => tooLarge('The upload has too many parts.');

/** 429: too much of it; `retryAfter` in seconds. */
export const rateLimited = (message: string, retryAfter = 5) =>
  new Refusal(429, 'rate-limited', message, [], retryAfter);

/** 503: the host is ending; the next one will do it. */
export const unavailable = () => new Refusal(503, 'unavailable', 'This host is being stopped.');

/** 422: readable, but a value is not one that can be accepted. */
export function invalid(field: string, expected: string): Refusal {
  return new Refusal(422, 'invalid', `${field}: expected ${expected}.`, [{ field, expected }]);
}
