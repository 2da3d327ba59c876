import type { IncomingMessage } from 'node:http';
import { statusError } from '../http/answer-errors.ts';
import { type RequestTarget, localError, type ServiceError, serviceError } from '../http/errors.ts';
import type { Limits } from '../http/limits.ts';

const reconnects = 'Reconnecting by itself.';

/** Bytes of a refused upgrade's body that are read. */
const refusalLimit = 64 * 1024;

/**
 * Reads a body as far as it is of use and hands over its text, once.
 * @returns hands over what there is so far.
 */
export function collect(response: IncomingMessage, done: (text: string) => void): () => void {
  const chunks: Buffer[] = [];
  let size = 0;
  const finish = (): void => done(Buffer.concat(chunks).toString());
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    if (size > refusalLimit) finish();
  });
  response.on('error', finish).on('close', finish);
  return finish;
}

/** A refused upgrade is an answer like any other; its body may say why. */
export function refusedUpgrade(
  what: RequestTarget,
  url: URL,
  { statusCode = 0, headers }: IncomingMessage,
  text: string,
): ServiceError {
  const { location, 'retry-after': retryAfter } = headers;
  if (statusCode < 300) {
    return serviceError(
      what,
      'unreadable',
      `Cannot read this answer: ${what.operation}, status ${statusCode}, it is no WebSocket.`,
      'd shows it.',
      { status: statusCode, answer: text },
    );
  }
  return statusError(what, { status: statusCode, location, retryAfter, text }, url, Date.now());
}

export function noConnection(): Error {
  return Object.assign(new Error('no connection'), { code: 'UND_ERR_CONNECT_TIMEOUT' });
}

export function noSubprotocol(what: RequestTarget): ServiceError {
  return localError(
    what,
    'The token contains characters that no WebSocket subprotocol can carry.',
    'Send it in the header instead.',
  );
}

export function silent(what: RequestTarget, { streamSilence, pongTimeout }: Limits): ServiceError {
  const waited = `${streamSilence / 1000} s, and no answer to a ping for ${pongTimeout / 1000} s`;
  return serviceError(
    what,
    'timeout',
    `The log stream of ${what.host} is dead: no byte for ${waited}.`,
    reconnects,
  );
}

/** A stream that stood and broke: a lost socket, or frames that no WebSocket peer may send. */
export function broken(what: RequestTarget, cause: Error, limits: Limits): ServiceError {
  const { code } = cause as NodeJS.ErrnoException;
  if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH') {
    const most = `${limits.maxFrame / 2 ** 20} MiB`;
    return serviceError(
      what,
      'oversized-answer',
      `The log stream of ${what.host} sent a frame of more than ${most}.`,
      reconnects,
    );
  }
  return serviceError(
    what,
    'disconnected',
    `The log stream of ${what.host} broke off: ${cause.message}.`,
    reconnects,
  );
}

/** Codes that services close a refused stream with: those of the IANA registry, and 4000 + status. */
const closeStatuses: Readonly<Record<number, number>> = { 3000: 401, 3003: 403 };

/** Close code of a stream that is complete (RFC 6455, section 7.4.1). */
const complete = 1000;

/** A close that the peer announced, or (1005, 1006) did not. */
export function closed(what: RequestTarget, url: URL, code: number, reason: string): ServiceError {
  const status = closeStatuses[code] ?? (code >= 4400 && code <= 4599 ? code - 4000 : undefined);
  if (status !== undefined) {
    return statusError(what, { status, text: reason }, url, Date.now());
  }
  const said = reason === '' ? undefined : reason;
  if (code === complete) {
    const next = 'No more lines are expected. Open the log again to reconnect.';
    return serviceError(what, 'ended', `The log stream of ${what.host} is complete.`, next, {
      said,
    });
  }
  return serviceError(
    what,
    'disconnected',
    `The log stream of ${what.host} ended (${code}).`,
    reconnects,
    { said },
  );
}
