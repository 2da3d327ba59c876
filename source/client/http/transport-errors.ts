/** Words the errors of requests that received no complete answer. */
import {
  type RequestTarget,
  type ErrorCode,
  createLocalError,
  type ServiceError,
  createServiceError,
} from './errors.ts';
import type { Limits } from './limits.ts';

/**
 * Returns the error of a request without a complete answer, from an error of undici, `ws`, or Node's
 * sockets and TLS. The outcome of a write is unknown once it was connected; without a connection it
 * has not happened.
 */
export function createTransportError(
  target: RequestTarget,
  cause: unknown,
  limits: Limits,
): ServiceError {
  const { code, message, connecting } = readFailure(cause);
  const { host } = target;
  switch (classify(code, message)) {
    case 'refused':
      return createServiceError(
        target,
        'refused',
        code === 'ECONNREFUSED' ? `${host} refused the connection.` : `Can't reach ${host}.`,
        'Check the base URL and that the service is running, then try again.',
      );
    case 'dns':
      return createServiceError(
        target,
        'dns',
        `Can't find the address of ${host}.`,
        'Check the base URL and the network, then try again.',
      );
    case 'tls':
      return createServiceError(
        target,
        'tls',
        `Can't connect securely to ${host}: ${tlsReason(message)}.`,
        certificateCodes.test(code)
          ? 'Check the certificate and the clock; NODE_EXTRA_CA_CERTS adds your own authority.'
          : 'Check whether the base URL should start with http instead of https.',
      );
    case 'timeout':
      return connecting
        ? createServiceError(
            target,
            'timeout',
            `No connection to ${host} within ${seconds(limits.connectTimeout)}.`,
            'Check the base URL and the network, then try again.',
          )
        : unanswered(target, 'timeout', `within ${seconds(limits.answerTimeout)}`);
    case 'oversized-answer':
      return createServiceError(
        target,
        'oversized-answer',
        `The answer of ${host} to ${target.operation} is larger than ${mebibytes(limits.maxAnswer)}.`,
        target.isWrite ? target.outcomeHint : 'Request less at a time.',
        { unknownOutcome: target.isWrite },
      );
    case 'unreadable':
      return createServiceError(
        target,
        'unreadable',
        `Can't read the answer to ${target.operation}: it is not HTTP.`,
        'Check whether the base URL should start with http or https.',
        { unknownOutcome: target.isWrite },
      );
    case 'aborted':
      return createServiceError(
        target,
        'aborted',
        `Cancelled: ${target.operation}.`,
        target.isWrite ? target.outcomeHint : 'Try again.',
        { unknownOutcome: target.isWrite },
      );
    case 'local':
      return createLocalError(
        target,
        `Can't ${target.operation}: ${message}.`,
        'Fix the problem, then try again.',
        // A changed file breaks off a body that is partly sent.
        { unknownOutcome: target.isWrite && code === changedFile },
      );
    case 'disconnected':
      break;
  }
  return connecting
    ? createServiceError(
        target,
        'disconnected',
        `The connection to ${host} was lost while connecting.`,
        'Try again.',
      )
    : unanswered(target, 'disconnected', 'before the connection was lost');
}

/** Returns the error of a missing or incomplete answer; a write has an unknown outcome. */
function unanswered(target: RequestTarget, code: ErrorCode, when: string): ServiceError {
  const sentence = target.isWrite
    ? `No answer from ${target.host} to ${target.operation} ${when}; it may have succeeded.`
    : `No answer from ${target.host} to ${target.operation} ${when}.`;
  const next = target.isWrite ? target.outcomeHint : 'Try again.';
  return createServiceError(target, code, sentence, next, { unknownOutcome: target.isWrite });
}

/** Error code of an upload whose file changed after the upload began. */
const changedFile = 'ERR_FILE_CHANGED';

/** Codes of requests without a complete answer. */
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

/** Name of the error of undici's HTTP parser. */
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

/** OpenSSL's certificate errors, as Node reports them in `code`. */
const certificateCodes =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|PATH_LENGTH|HOSTNAME_|ERR_TLS_CERT)/;

function classify(code: string, message: string): TransportCode {
  const mapped = codes[code];
  if (mapped !== undefined) return mapped;
  if (code.startsWith('EAI_')) return 'dns';
  if (code.startsWith('HPE_') || code === notHttp) return 'unreadable';
  if (certificateCodes.test(code) || /^(ERR_TLS|ERR_SSL|EPROTO)/.test(code)) return 'tls';
  // Node reports a peer that hangs up during the handshake as ECONNRESET.
  if (message.includes('secure TLS connection')) return 'tls';
  return 'disconnected';
}

/** Codes of errors that have a name but no code. */
const codesByName: Readonly<Record<string, string>> = {
  AbortError: 'ABORT_ERR',
  [notHttp]: notHttp,
};

/** Captures REASON in `error:0A00010B:SSL routines:FUNCTION:REASON:FILE:LINE`. */
const opensslReason = /error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/;

function tlsReason(message: string): string {
  // Node appends advice for programmers after a semicolon.
  return opensslReason.exec(message)?.[1] ?? message.split(';')[0] ?? message;
}

interface Failure {
  readonly code: string;
  readonly message: string;
  /** True when the connection was never established, so that nothing was sent. */
  readonly connecting: boolean;
}

/** Reads a thrown value and its causes; the innermost code in {@link codes} is the reason. */
function readFailure(cause: unknown): Failure {
  let failure: Failure = { code: '', message: 'unknown reason', connecting: false };
  let error = cause;
  for (let depth = 0; depth < 4 && error instanceof Error; depth += 1) {
    const { code, name, message, syscall } = error as NodeJS.ErrnoException;
    const own = typeof code === 'string' ? code : (codesByName[name] ?? '');
    const connecting =
      syscall === 'connect' || own === 'UND_ERR_CONNECT_TIMEOUT' || message.includes('secure TLS');
    if (depth === 0 || (own !== '' && codes[failure.code] === undefined)) {
      failure = { code: own, message, connecting: connecting || failure.connecting };
    }
    error = error.cause;
  }
  return failure;
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}

function mebibytes(bytes: number): string {
  return `${Number((bytes / 2 ** 20).toFixed(1))} MiB`;
}
