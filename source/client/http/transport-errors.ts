import {
  type RequestTarget,
  type ErrorCode,
  localError,
  type ServiceError,
  serviceError,
} from './errors.ts';
import type { Limits } from './limits.ts';

/**
 * The error value of a request that got no answer, or lost it halfway: from what undici, `ws`, Node's
 * sockets and its TLS throw. A write whose request may have reached the service has an unknown
 * outcome; one whose connection never stood has not happened.
 */
export function transportError(what: RequestTarget, cause: unknown, limits: Limits): ServiceError {
  const { code, message, connecting } = facts(cause);
  const { host } = what;
  switch (classify(code, message)) {
    case 'refused':
      return serviceError(
        what,
        'refused',
        `${host} ${code === 'ECONNREFUSED' ? 'refused the connection' : 'cannot be reached'}.`,
        'Check the base URL and that the service runs, then try again.',
      );
    case 'dns':
      return serviceError(
        what,
        'dns',
        `No address is known for ${host}.`,
        'Check the base URL and the network, then try again.',
      );
    case 'tls':
      return serviceError(
        what,
        'tls',
        `No secure connection to ${host}: ${tlsReason(message)}.`,
        certificateCodes.test(code)
          ? 'Check the certificate and the clock; NODE_EXTRA_CA_CERTS adds an authority of your own.'
          : 'Check whether the base URL should begin with http instead of https.',
      );
    case 'timeout':
      return connecting
        ? serviceError(
            what,
            'timeout',
            `No connection to ${host} within ${seconds(limits.connectTimeout)}.`,
            'Check the base URL and the network, then try again.',
          )
        : unanswered(what, 'timeout', `within ${seconds(limits.answerTimeout)}`);
    case 'oversized-answer':
      return serviceError(
        what,
        'oversized-answer',
        `The answer of ${host} to ${what.operation} is larger than ${mebibytes(limits.maxAnswer)}.`,
        what.write ? what.check : 'Ask for less of it.',
        { unknownOutcome: what.write },
      );
    case 'unreadable':
      return serviceError(
        what,
        'unreadable',
        `Cannot read this answer: ${what.operation}, it is no HTTP.`,
        'Check the base URL: https and http do not understand each other.',
        { unknownOutcome: what.write },
      );
    case 'aborted':
      return serviceError(
        what,
        'aborted',
        `Cancelled: ${what.operation}.`,
        what.write ? what.check : 'Ask again.',
        { unknownOutcome: what.write },
      );
    case 'local':
      return localError(
        what,
        `Cannot ${what.operation}: ${message}.`,
        'Put it right and try again.',
        // A file that cannot be read any more breaks off a body that is already under way.
        { unknownOutcome: what.write && code === changedFile },
      );
    case 'disconnected':
      break;
  }
  return connecting
    ? serviceError(
        what,
        'disconnected',
        `The connection to ${host} was lost before it stood.`,
        'Try again.',
      )
    : unanswered(what, 'disconnected', 'before the connection was lost');
}

/** No answer, or not all of it: what a write did is not known (open points, last row). */
function unanswered(what: RequestTarget, code: ErrorCode, when: string): ServiceError {
  const sentence = what.write
    ? `No answer from ${what.host} to ${what.operation} ${when}: it may have happened.`
    : `No answer from ${what.host} to ${what.operation} ${when}.`;
  const next = what.write ? what.check : 'Try again.';
  return serviceError(what, code, sentence, next, { unknownOutcome: what.write });
}

/** Of a body whose file was changed or removed after it was begun. */
const changedFile = 'ERR_FILE_CHANGED';

/** The codes that losing a connection, or never having one, can have. */
type TransportCode = Extract<
  ErrorCode,
  | 'refused'
  | 'dns'
  | 'tls'
  | 'timeout'
  | 'oversized-answer'
  | 'unreadable'
  | 'aborted'
  | 'local'
  | 'disconnected'
>;

/** What undici's parser throws; its code is that of the parser, where it has one. */
const notHttp = 'HTTPParserError';

const codes: Readonly<Record<string, TransportCode>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'refused',
  EHOSTDOWN: 'refused',
  ENETUNREACH: 'refused',
  ENETDOWN: 'refused',
  EADDRNOTAVAIL: 'refused',
  ENOTFOUND: 'dns',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'oversized-answer',
  UND_ERR_HEADERS_OVERFLOW: 'oversized-answer',
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'oversized-answer',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  ABORT_ERR: 'aborted',
  UND_ERR_INVALID_ARG: 'local',
  EMFILE: 'local',
  [changedFile]: 'local',
};

/** OpenSSL's names for what is wrong with a certificate, as Node gives them in `code`. */
const certificateCodes =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_|ERR_TLS_CERT)/;

function classify(code: string, message: string): TransportCode {
  const known = codes[code];
  if (known !== undefined) return known;
  if (code.startsWith('EAI_')) return 'dns';
  if (code.startsWith('HPE_') || code === notHttp) return 'unreadable';
  if (certificateCodes.test(code) || /^(ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return 'tls';
  // Node reports a peer that hangs up during the handshake as ECONNRESET.
  if (message.includes('secure TLS connection')) return 'tls';
  return 'disconnected';
}

/** Errors that are told by their names. */
const codeless: Readonly<Record<string, string>> = {
  AbortError: 'ABORT_ERR',
  [notHttp]: notHttp,
};

/** What OpenSSL means, out of `error:0A00010B:SSL routines:FUNCTION:REASON:FILE:LINE`. */
const opensslReason = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/;

function tlsReason(message: string): string {
  // Node adds advice for programmers behind a semicolon.
  return opensslReason.exec(message)?.[1] ?? message.split(';')[0] ?? message;
}

interface Facts {
  readonly code: string;
  readonly message: string;
  /** True when the connection never stood, so that nothing can have been sent. */
  readonly connecting: boolean;
}

/** The codes of a thrown value and of what it wraps: the innermost one that we know is the cause. */
function facts(cause: unknown): Facts {
  let found: Facts = { code: '', message: 'unknown reason', connecting: false };
  let error = cause;
  for (let depth = 0; depth < 4 && error instanceof Error; depth += 1) {
    const { code, name, message, syscall } = error as NodeJS.ErrnoException;
    const own = typeof code === 'string' ? code : (codeless[name] ?? '');
    const connecting =
      syscall === 'connect' || own === 'UND_ERR_CONNECT_TIMEOUT' || message.includes('secure TLS');
    if (depth === 0 || (own !== '' && codes[found.code] === undefined)) {
      found = { code: own, message, connecting: connecting || found.connecting };
    }
    error = error.cause;
  }
  return found;
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function mebibytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;
}
