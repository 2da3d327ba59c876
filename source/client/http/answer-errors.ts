/** Words the errors of answers: failure statuses, redirects, and bodies that cannot be read. */
import type { Decoded } from '../decode/fields.ts';
import type { AnswerRefusal } from '../decode/envelope.ts';
import {
  type RequestTarget,
  capitaliseTitle,
  hostVia,
  type ErrorCode,
  type ServiceErrorFields,
  type ServiceError,
  createServiceError,
} from './errors.ts';
import { parseErrorMessage } from './error-message.ts';
import { createProxyStatusError } from './proxy-errors.ts';
import { parseErrorDetails } from './error-details.ts';

/** The parts of an answer that go into an error. */
export interface FailedAnswer {
  readonly status: number;
  /** Values of the `Retry-After` and `Location` headers. */
  readonly retryAfter?: string | undefined;
  readonly location?: string | undefined;
  readonly text: string;
  /** A clause that tells why the text cannot be decoded. */
  readonly problem?: string | undefined;
}

interface Wording {
  readonly code: ErrorCode;
  readonly sentence: string;
  readonly next: string;
}

/**
 * Returns the error of an answer whose status is not 2xx.
 * @param url URL of the request, to resolve the target of a redirect.
 * @param now ms since the epoch, to resolve a `Retry-After` date.
 */
export function createStatusError(
  target: RequestTarget,
  reply: FailedAnswer,
  url: URL,
  now: number,
): ServiceError {
  const { status } = reply;
  if (status < 400) return unusableStatus(target, reply, url);
  if (status === 407 && target.proxy !== undefined) {
    return createProxyStatusError(target, target.proxy, status);
  }
  const retryAfter = parseRetryAfter(reply.retryAfter, now);
  const { code, sentence, next } = wording(target, status, retryAfter);
  const unread =
    reply.problem === undefined ? '' : ` The error's text can't be read: ${reply.problem}.`;
  return createServiceError(target, code, sentence + unread, next, {
    status,
    errorMessage: parseErrorMessage(reply.text),
    errorDetails: parseErrorDetails(reply.text),
    retryAfter,
    // 502 and 504 come from a gateway that does not know the outcome (RFC 9110, 15.6.3 and .5).
    unknownOutcome: target.isWrite && (status === 502 || status === 504),
  });
}

function wording(target: RequestTarget, status: number, retryAfter: number | undefined): Wording {
  const { operation, proxy, wallet } = target;
  // A proxy that reads the request can answer it itself.
  const host = proxy?.isForwarding === true ? hostVia(target) : target.host;
  const failed = `${capitaliseTitle(operation)} failed`;
  const wait = retryAfter === undefined ? 'later' : `in ${retryAfter} s`;
  switch (status) {
    case 401:
      return {
        code: 'unauthorized',
        sentence: 'The service rejected the token (401).',
        next: 'Use another token, then try again.',
      };
    case 403:
      return {
        code: 'forbidden',
        sentence: `${host} does not allow ${wallet ?? 'this token'} to ${operation} (403).`,
        next: 'Ask the owner for access, or use another token.',
      };
    case 404:
      return {
        code: 'not-found',
        sentence: `${failed}: not found (404).`,
        next: target.isCollection === true ? 'Check the base URL.' : 'It may no longer exist.',
      };
    case 410:
      return {
        code: 'not-found',
        sentence: `${failed}: no longer available (410).`,
        next: 'The service has removed it.',
      };
    case 409:
      return {
        code: 'conflict',
        sentence: `${failed}: it conflicts with the current state (409).`,
        next: 'Check the current state, then try again.',
      };
    case 413:
      return {
        code: 'too-large',
        sentence: `${failed}: too large for ${host} (413).`,
        next: 'Send less at a time.',
      };
    case 422:
      return {
        code: 'invalid',
        sentence: `${failed}: ${host} rejected the content (422).`,
        next: 'Fix the reported errors, then try again.',
      };
    case 429:
      return {
        code: 'rate-limited',
        sentence: `${failed}: too many requests (429).`,
        next: `Try again ${wait}.`,
      };
    default:
      return status >= 500
        ? {
            code: 'service-error',
            sentence:
              proxy?.isForwarding === true
                ? `${failed} (${status}), requested through the proxy ${proxy.name}.`
                : `${failed} (${status}).`,
            next: target.isWrite
              ? 'Try again when the service has recovered.'
              : `Try again ${wait}.`,
          }
        : {
            code: 'bad-request',
            sentence: `${failed}: ${host} rejected the request (${status}).`,
            next: target.isWrite
              ? 'Fix the reported errors, then try again.'
              : 'Check the base URL.',
          };
  }
}

/** Statuses that send a request elsewhere (RFC 9110, 15.4). */
const redirectStatuses = new Set([300, 301, 302, 303, 307, 308]);

/**
 * Returns the error of a status below 400 that isn't a success: a redirect to another host, a redirect
 * of a write, or an unexpected status.
 */
function unusableStatus(
  target: RequestTarget,
  { status, location }: FailedAnswer,
  url: URL,
): ServiceError {
  if (status === 304) {
    return unexpected(target, status, 'says that nothing has changed, but no version was named');
  }
  if (status === 206) return unexpected(target, status, 'sent a part, but the whole was requested');
  if (!redirectStatuses.has(status)) return unexpected(target, status, 'sent an unexpected status');
  const destination = URL.parse(location ?? '', url);
  if (location === undefined || destination === null) {
    return unexpected(target, status, 'redirects, but names no usable target');
  }
  const isForeign = destination.host !== url.host || isSecure(destination) !== isSecure(url);
  return createServiceError(
    target,
    'redirected',
    isForeign
      ? `${target.host} redirects to ${destination.origin}; the token was not sent there (${status}).`
      : `${target.host} redirects ${target.operation}; the redirect was not followed (${status}).`,
    isForeign
      ? `If you trust that host, set HOSTDECK_BASE_URL to ${destination.origin}.`
      : 'Check the base URL.',
    { status },
  );
}

/** Returns the error of a GET with more redirects than the limit. */
export function createRedirectLoopError(target: RequestTarget, redirects: number): ServiceError {
  return createServiceError(
    target,
    'redirected',
    `${target.host} redirects ${target.operation} more than ${redirects} times.`,
    'Check the base URL.',
  );
}

/** Returns the error of a status that answers no request of this client; `what` is a predicate. */
function unexpected(target: RequestTarget, status: number, what: string): ServiceError {
  return createServiceError(
    target,
    'unreadable',
    `Can't read the answer to ${target.operation}: ${target.host} ${what} (${status}).`,
    target.isWrite
      ? `The operation may have succeeded. ${target.outcomeHint}`
      : 'Check the service, or the cache or proxy in front of it.',
    { status, unknownOutcome: target.isWrite },
  );
}

function isSecure({ protocol }: URL): boolean {
  return protocol === 'https:' || protocol === 'wss:';
}

/** Parses a `Retry-After` header (seconds or an HTTP date; RFC 9110, 10.2.3) into seconds. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | undefined {
  const value = retryAfter?.trim() ?? '';
  if (/^\d{1,9}$/.test(value)) return Number(value);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now) / 1000));
}

/** Returns the error of an answer with `success: false` and a 2xx status. */
export function createRefusalError(
  target: RequestTarget,
  status: number,
  refusal: AnswerRefusal,
): ServiceError {
  return createServiceError(
    target,
    'service-error',
    `${capitaliseTitle(target.operation)} failed: the service reported an error with status ${status}.`,
    target.isWrite ? 'Fix the reported errors, then try again.' : 'Try again.',
    { status, errorMessage: refusal.errorMessage, errorDetails: refusal.errorDetails },
  );
}

/** Returns the error of a JSON answer with an unexpected shape; a write may still have succeeded. */
export function createShapeError(
  target: RequestTarget,
  status: number,
  text: string,
  { field, problem }: Extract<Decoded<never>, { ok: false }>,
): ServiceError {
  const reason = field === '' ? `it ${problem}` : `${field} ${problem}`;
  return unreadAnswer(target, 'wrong-shape', status, reason, { field, answer: text });
}

/** Returns the error of an answer that is not JSON. */
export function createUnreadableError(
  target: RequestTarget,
  status: number,
  text: string,
): ServiceError {
  const isPage = /^\s*(<!doctype html|<html)/i.test(text);
  const isEmpty = text.trim() === '';
  const reason = isPage ? 'it is an HTML page' : isEmpty ? 'it is empty' : 'it is not JSON';
  return unreadAnswer(target, 'unreadable', status, reason, { answer: text });
}

function unreadAnswer(
  target: RequestTarget,
  code: ErrorCode,
  status: number,
  reason: string,
  details: ServiceErrorFields,
): ServiceError {
  return createServiceError(
    target,
    code,
    `Can't read the answer to ${target.operation} (${status}): ${reason}.`,
    target.isWrite ? `The operation may have succeeded. ${target.outcomeHint}` : '',
    { ...details, status, unknownOutcome: target.isWrite },
  );
}
