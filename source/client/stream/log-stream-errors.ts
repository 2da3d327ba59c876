/** Words the errors of the log stream: refused upgrades, silence, lost and closed connections. */
import type { IncomingMessage } from 'node:http';
import { createStatusError } from '../http/answer-errors.ts';
import {
  type RequestTarget,
  createLocalError,
  type ServiceError,
  createServiceError,
  hostVia,
} from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';
import type { ErrorText } from '../http/response.ts';

const reconnects = 'Reconnecting automatically.';

/** Returns the error of a refused upgrade, from its status and body. */
export function createUpgradeError(
  target: RequestTarget,
  url: URL,
  { statusCode = 0, headers }: IncomingMessage,
  { text, problem }: ErrorText,
): ServiceError {
  const { location, 'retry-after': retryAfter } = headers;
  if (statusCode < 300) {
    return createServiceError(
      target,
      'unreadable',
      `Can't read the answer to ${target.operation} (${statusCode}): it is not a WebSocket.`,
      '',
      { status: statusCode, answer: text },
    );
  }
  return createStatusError(
    target,
    { status: statusCode, location, retryAfter, text, problem },
    url,
    Date.now(),
  );
}

/** Returns the error of a connection that was not established in time. */
export function createConnectTimeoutError(): Error {
  return Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}

/** Returns the error of a token that cannot be sent as a subprotocol. */
export function createSubprotocolError(target: RequestTarget): ServiceError {
  return createLocalError(
    target,
    'The token contains characters that are not allowed in a WebSocket subprotocol.',
    'Send the token in the header instead.',
  );
}

/** Returns the error of a stream without data and without an answer to a ping. */
export function createSilenceError(
  target: RequestTarget,
  { streamSilence, pongTimeout }: Limits,
): ServiceError {
  const silence = `${streamSilence / 1000} s and no answer to a ping for ${pongTimeout / 1000} s`;
  return createServiceError(
    target,
    'timeout',
    `The log stream of ${hostVia(target)} is dead: no data for ${silence}.`,
    reconnects,
  );
}

/** Returns the error of an open stream that lost its socket or received an invalid frame. */
export function createBrokenStreamError(
  target: RequestTarget,
  cause: Error,
  limits: Limits,
): ServiceError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    const limit = `${limits.maxFrame / 2 ** 20} MiB`;
    return createServiceError(
      target,
      'oversized-answer',
      `The log stream of ${hostVia(target)} sent a frame of more than ${limit}.`,
      reconnects,
    );
  }
  return createServiceError(
    target,
    'disconnected',
    `The log stream of ${hostVia(target)} was lost: ${cause.message}.`,
    reconnects,
  );
}

/** HTTP statuses of close codes of the IANA registry; services also close with 4000 + status. */
const closeStatuses: Readonly<Record<number, number>> = { 3000: 401, 3003: 403 };

/** Close code of a stream that is complete (RFC 6455, section 7.4.1). */
const complete = 1000;

/** Returns the error of a closed stream; 1005 and 1006 are closes without a code of the peer. */
export function createCloseError(
  target: RequestTarget,
  url: URL,
  code: number,
  reason: string,
): ServiceError {
  const status = closeStatuses[code] ?? (code >= 4400 && code <= 4599 ? code - 4000 : undefined);
  if (status !== undefined) {
    return createStatusError(target, { status, text: reason }, url, Date.now());
  }
  const message = reason === '' ? undefined : reason;
  if (code === complete) {
    return createServiceError(target, 'ended', 'The log is complete.', '', {
      errorMessage: message,
    });
  }
  return createServiceError(
    target,
    'disconnected',
    `The log stream of ${hostVia(target)} ended (${code}).`,
    reconnects,
    { errorMessage: message },
  );
}
