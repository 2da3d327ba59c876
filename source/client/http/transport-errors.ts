/** Words the errors of requests that received no complete answer. */
import { PartError } from '../../system/lazy-part.ts';
import {
  type RequestTarget,
  capitaliseTitle,
  hostVia,
  type ErrorCode,
  createLocalError,
  type ServiceError,
  createServiceError,
} from './errors.ts';
import type { Limits } from './limits.ts';
import { createProxyStatusError, ProxyError, proxyStep } from './proxy-errors.ts';

/** An answer whose content coding cannot be decoded; the message is a clause for people. */
export class ContentCodingError extends Error {
  override readonly name = 'ContentCodingError';
}

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
  if (cause instanceof ContentCodingError) return undecodable(target, cause.message);
  if (cause instanceof PartError) {
    return createLocalError(target, cause.message, '', { unknownOutcome: target.isWrite });
  }
  if (cause instanceof ProxyError) return unreachableProxy(target, cause, limits);
  const { code, message, connecting } = readFailure(cause);
  const host = hostVia(target);
  switch (classify(code, message)) {
    case 'refused':
      return createServiceError(
        target,
        'refused',
        code === 'ECONNREFUSED' ? `${host} refused the connection.` : `Can't reach ${host}.`,
        'Check the base URL and that the service is running, then try again.',
      );
    case 'forbidden':
      return createServiceError(
        target,
        'refused',
        `This machine does not allow a connection to ${host} (${code}).`,
        'Check its firewall and the limits of this program, then try again.',
      );
    case 'dns':
      return createServiceError(
        target,
        'dns',
        code === 'EAI_AGAIN'
          ? `The name server can't resolve ${host} now.`
          : `Can't find the address of ${host}.`,
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
        : unanswered(
            target,
            'timeout',
            code === 'ETIMEDOUT'
              ? 'before the connection timed out'
              : `within ${seconds(limits.answerTimeout)}`,
          );
    case 'oversized-headers':
      return createServiceError(
        target,
        'oversized-answer',
        `The headers of the answer to ${target.operation} are larger than ${limits.maxHeaders / 1024} KiB.`,
        target.isWrite
          ? target.outcomeHint
          : 'Check the service, or the proxy in front of it, for long headers such as cookies.',
        { unknownOutcome: target.isWrite },
      );
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
        `Can't read the answer to ${target.operation}: ${parseReason(code, message)}.`,
        parseReason(code, message) === noHttp
          ? 'Check whether the base URL should start with http or https.'
          : 'Check the service, or the proxy in front of it.',
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

/** Returns the error of a proxy that refused a connection or was not reached; nothing was sent. */
function unreachableProxy(
  target: RequestTarget,
  { proxy, status, cause }: ProxyError,
  limits: Limits,
): ServiceError {
  if (status !== undefined) return createProxyStatusError(target, proxy, status);
  const proxyTarget = {
    ...target,
    host: `the proxy ${proxy.name}`,
    proxy: undefined,
    isWrite: false,
  };
  const error = createTransportError(proxyTarget, cause, limits);
  const { code, sentence, next } = error;
  return {
    ...error,
    sentence:
      code === 'unreadable'
        ? `The proxy ${proxy.name} does not answer in HTTP.`
        : capitaliseTitle(sentence),
    next: code === 'tls' || code === 'aborted' ? next : proxyStep(target.host, proxy.variable),
  };
}

/** Returns the error of an answer whose content coding cannot be decoded. */
function undecodable(target: RequestTarget, reason: string): ServiceError {
  return createServiceError(
    target,
    'unreadable',
    `Can't read the answer to ${target.operation}: ${reason}.`,
    target.isWrite
      ? `The operation may have succeeded. ${target.outcomeHint}`
      : 'Check the service, or the proxy in front of it, which coded the answer.',
    { unknownOutcome: target.isWrite },
  );
}

/** Returns the error of a missing or incomplete answer; a write has an unknown outcome. */
function unanswered(target: RequestTarget, code: ErrorCode, when: string): ServiceError {
  const sentence = target.isWrite
    ? `No answer from ${hostVia(target)} to ${target.operation} ${when}; it may have succeeded.`
    : `No answer from ${hostVia(target)} to ${target.operation} ${when}.`;
  const next = target.isWrite ? target.outcomeHint : 'Try again.';
  return createServiceError(target, code, sentence, next, { unknownOutcome: target.isWrite });
}

/** Error code of an upload whose file changed after the upload began. */
const changedFile = 'ERR_FILE_CHANGED';

/** Codes of requests without a complete answer. */
type TransportCode =
  | 'forbidden'
  | 'oversized-headers'
  | Extract<
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

/** Message of undici's error for an answer with the status 101, which has the code of a lost socket. */
const badUpgrade = 'bad upgrade';

/**
 * Clauses for the errors of HTTP parsers: Node's have codes, undici's have the same words in their
 * message alone. Without a clause, the answer is not HTTP.
 */
const parseReasons: readonly (readonly [RegExp, string])[] = [
  [/bad upgrade/, 'it switches to another protocol (101)'],
  [/chunk|STRICT/i, 'a part of its body has no valid length'],
  [/transfer-?_?encoding/i, 'its Transfer-Encoding is not valid'],
  [/UNEXPECTED_CONTENT_LENGTH|Content-Length (?:already|can't)/i, 'its length is contradictory'],
  [/content-?_?length/i, 'its Content-Length is not a number'],
  [/header|space|[CL][RF]_EXPECTED/i, 'one of its headers is not valid'],
];

const noHttp = 'it is not HTTP';

function parseReason(code: string, message: string): string {
  const text = `${code} ${message}`;
  return parseReasons.find(([pattern]) => pattern.test(text))?.[1] ?? noHttp;
}

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
  UND_ERR_HEADERS_OVERFLOW: 'oversized-headers',
  HPE_HEADER_OVERFLOW: 'oversized-headers',
  // The peer hung up inside an answer.
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'disconnected',
  HPE_INVALID_EOF_STATE: 'disconnected',
  EACCES: 'forbidden',
  EPERM: 'forbidden',
  WS_ERR_UNSUPPORTED_MESSAGE_LENGTH: 'oversized-answer',
  UND_ERR_ABORTED: 'aborted',
  UND_ERR_CLOSED: 'aborted',
  UND_ERR_DESTROYED: 'aborted',
  ABORT_ERR: 'aborted',
  UND_ERR_ABORT: 'aborted',
  UND_ERR_INVALID_ARG: 'local',
  UND_ERR_INVALID_RETURN_VALUE: 'local',
  UND_ERR_NOT_SUPPORTED: 'local',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'local',
  EMFILE: 'local',
  ENFILE: 'local',
  ENOBUFS: 'local',
  ENOMEM: 'local',
  [changedFile]: 'local',
};

/** OpenSSL's certificate errors, as Node reports them in `code`. */
const certificateCodes =
  /^(CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_|ERROR_IN_C|ERR_TLS_CERT)/;

function classify(code: string, message: string): TransportCode {
  const mapped = codes[code];
  if (mapped !== undefined) return mapped;
  if (code.startsWith('EAI_')) return 'dns';
  if (code.startsWith('HPE_') || code === notHttp || code === badUpgrade) return 'unreadable';
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
    const own =
      message === badUpgrade
        ? badUpgrade
        : typeof code === 'string'
          ? code
          : (codesByName[name] ?? '');
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
