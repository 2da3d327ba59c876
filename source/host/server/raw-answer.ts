import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, Refusal } from '../refusal.ts';

/**
 * A peer that does not end its side of the connection by then is cut off, which takes an answer from
 * it that it has not read: on a busy machine a second was too short for a request that goes on.
 */
const lingerMs = 5000;

/** Answers a refusal where there is no request to reply to, and ends the connection. */
export function answerRaw(socket: Duplex, refusal: Refusal, date: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status } = refusal;
  const body = JSON.stringify(errorEnvelope(refusal));
  socket.on('error', () => undefined);
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nDate: ${date}\r\n` +
      'Content-Type: application/json; charset=utf-8\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
  // What still comes is read over: a reset would take the answer from the peer.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** What is said to a peer whose bytes are no request. */
export function protocolRefusal(code: string): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return tooSlow();
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Refusal(431, 'bad-request', 'The head of the request is too large.');
  }
  return new Refusal(400, 'bad-request', 'The request is not HTTP as expected.');
}

export const tooSlow = () => new Refusal(408, 'too-slow', 'The request came too slowly.');
