import type { Decoded } from '../decode/fields.ts';
import type { AnswerRefusal } from '../decode/envelope.ts';
import {
  type RequestTarget,
  capitalised,
  type ErrorCode,
  type ErrorDetails,
  type ServiceError,
  serviceError,
} from './errors.ts';
import { saidIn } from './error-message.ts';
import { detailsIn } from './error-details.ts';

/** The parts of an answer that an error is worded from. */
export interface Reply {
  readonly status: number;
  /** Values of `Retry-After` and `Location`, where there are any. */
  readonly retryAfter?: string | undefined;
  readonly location?: string | undefined;
  readonly text: string;
}

interface Wording {
  readonly code: ErrorCode;
  readonly sentence: string;
  readonly next: string;
}

/**
 * The error value of an answer that is no success.
 * @param url where it was asked, for the target of a redirect.
 * @param now ms since the epoch, for a `Retry-After` that is a date.
 */
export function statusError(
  what: RequestTarget,
  reply: Reply,
  url: URL,
  now: number,
): ServiceError {
  const { status } = reply;
  if (status < 400) return redirected(what, reply, url);
  const retryAfter = waitOf(reply.retryAfter, now);
  const { code, sentence, next } = wording(what, status, retryAfter);
  return serviceError(what, code, sentence, next, {
    status,
    said: saidIn(reply.text),
    details: detailsIn(reply.text),
    retryAfter,
    // A gateway without an answer of its own knows as little as we do (RFC 9110, 15.6.3 and .5).
    unknownOutcome: what.write && (status === 502 || status === 504),
  });
}

function wording(what: RequestTarget, status: number, retryAfter: number | undefined): Wording {
  const { operation, host, wallet } = what;
  const failed = `${capitalised(operation)} failed`;
  const wait = retryAfter === undefined ? 'in a while' : `in ${retryAfter} s`;
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        sentence: 'Token refused (401).',
        next: 'Set HOSTDECK_TOKEN and start hostdeck again.',
      };
    case 403:
      return {
        code: 'forbidden',
        sentence: `${host} does not allow ${wallet ?? 'this token'} to ${operation} (403).`,
        next: 'Ask its owner, or use another token.',
      };
    case 404:
    case 410:
      return {
        code: 'not-found',
        sentence: `${failed}: ${host} knows nothing there (${status}).`,
        next: what.whole === true ? 'Check the base URL.' : 'It may be gone by now.',
      };
    case 409:
      return {
        code: 'conflict',
        sentence: `${failed}: it conflicts with the state it is in now (409).`,
        next: 'Look at its present state, then try again.',
      };
    case 413:
      return {
        code: 'too-large',
        sentence: `${failed}: it is larger than ${host} takes (413).`,
        next: 'Send less at a time.',
      };
    case 422:
      return {
        code: 'invalid',
        sentence: `${failed}: ${host} found something wrong in it (422).`,
        next: 'Put right what the service names, then send it again.',
      };
    case 429:
      return {
        code: 'rate-limited',
        sentence: `${failed}: ${host} wants fewer requests (429).`,
        next: `Try again ${wait}.`,
      };
    default:
      return status >= 500
        ? {
            code: 'service-error',
            sentence: `${failed}: ${status}.`,
            next: what.write ? 'Try again when the service is well.' : `Try again ${wait}.`,
          }
        : {
            code: 'bad-request',
            sentence: `${failed}: ${host} does not accept the request (${status}).`,
            next: what.write
              ? 'Put right what the service names, then try again.'
              : 'Check the base URL; d shows what the service says.',
          };
  }
}

/** A redirect that was not followed: to another host, of a write, or one too many. */
function redirected(what: RequestTarget, { status, location }: Reply, url: URL): ServiceError {
  const target =
    location !== undefined && URL.canParse(location, url) ? new URL(location, url) : url;
  const elsewhere = target.host !== url.host || isSecure(target) !== isSecure(url);
  return serviceError(
    what,
    'redirected',
    elsewhere
      ? `${what.host} redirects to ${target.origin}, where the token is not sent (${status}).`
      : `${what.host} redirects ${what.operation}, which is not followed (${status}).`,
    elsewhere
      ? `If you trust it, set HOSTDECK_BASE_URL to ${target.origin}.`
      : 'Check the base URL.',
    { status },
  );
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:';
}

/** Seconds of a `Retry-After`: a number of them or an HTTP date (RFC 9110, 10.2.3). */
export function waitOf(retryAfter: string | undefined, now: number): number | undefined {
  const value = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** `success: false` although the status says otherwise (open points). */
export function refusedError(
  what: RequestTarget,
  status: number,
  refusal: AnswerRefusal,
): ServiceError {
  return serviceError(
    what,
    'service-error',
    `${capitalised(what.operation)} failed: the service says so, with status ${status}.`,
    what.write ? 'Put right what the service names, then try again.' : 'Try again.',
    { status, said: refusal.said, details: refusal.details },
  );
}

/** An answer that is not what the operation answers; for a write that may still have happened. */
export function shapeError(
  what: RequestTarget,
  status: number,
  text: string,
  { field, problem }: Extract<Decoded<never>, { ok: false }>,
): ServiceError {
  const place = field === '' ? `it ${problem}` : `${field} ${problem}`;
  return misunderstood(what, 'wrong-shape', status, place, { field, answer: text });
}

/** An answer that is no JSON at all. */
export function unreadableError(what: RequestTarget, status: number, text: string): ServiceError {
  const page = /^\s*(<!doctype html|<html)/i.test(text);
  const place = page ? 'it is an HTML page' : 'it is no JSON';
  return misunderstood(what, 'unreadable', status, place, { answer: text });
}

function misunderstood(
  what: RequestTarget,
  code: ErrorCode,
  status: number,
  place: string,
  details: ErrorDetails,
): ServiceError {
  return serviceError(
    what,
    code,
    `Cannot read this answer: ${what.operation}, status ${status}, ${place}.`,
    what.write ? `It may have happened. ${what.check}` : 'd shows it.',
    { ...details, status, unknownOutcome: what.write },
  );
}
