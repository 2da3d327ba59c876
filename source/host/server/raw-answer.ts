import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorEnvelope, Refusal } from '../refusal.ts';

/**
 * Milliseconds until a peer that does not close its side is disconnected and loses an unread
 * response. One second was too short for a peer that was still sending on a busy machine.
 */
const lingerMs = 5000;

/** Writes an error response to a socket without a parsed request, and ends the connection. */
export function sendRawError(socket: Duplex, refusal: Refusal, date: string): void {
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
  // Discard further input: a reset could lose the response before the peer reads it.
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** Returns the response to input that is not a valid request; `code` is the parser's error code. */
export function protocolRefusal(code: string): Refusal {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return requestTimeout();
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new Refusal(431, 'bad-request', 'The headers of the request are too large.');
  }
  return new Refusal(400, 'bad-request', 'The request is not valid HTTP.');
}

/** 408: the request arrived more slowly than the limits allow. */
export const requestTimeout = () => new Refusal(408, 'too-slow', 'The request arrived too slowly.');
