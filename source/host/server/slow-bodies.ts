import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HostClock, startInterval } from '../clock.ts';
import type { HostLimits } from './limits.ts';

/** Milliseconds for a peer to read a response sent before the end of its request. */
const lingerMs = 30_000;

/**
 * Calls `refuse` when a request body arrives more slowly than the limits allow, and disconnects a
 * peer that keeps sending after the response.
 */
export function enforceBodyRate(
  request: IncomingMessage,
  response: ServerResponse,
  {
    clock,
    limits,
    refuse,
  }: { readonly clock: HostClock; readonly limits: HostLimits; readonly refuse: () => void },
): void {
  if (!hasBody(request)) return;
  const { socket } = request;
  // Bytes that arrived with the headers count towards the first window.
  let bytesBefore = socket.bytesRead - limits.minBodyWindowBytes;
  const stop = startInterval(clock, limits.bodyWindowMs, () => {
    const bytesNow = socket.bytesRead;
    // Unread input means that the host itself is slow, for example at a disk.
    const isPeerSlow = request.readableLength === 0;
    if (request.complete) stopAll();
    else if (isPeerSlow && bytesNow - bytesBefore < limits.minBodyWindowBytes) refuse();
    bytesBefore = bytesNow;
  });
  let stopLinger = () => {};
  const stopAll = () => {
    stop();
    stopLinger();
  };
  request.once('end', stopAll);
  request.once('close', stopAll);
  response.once('finish', () => {
    if (request.complete) return;
    stopLinger = clock.schedule(lingerMs, () => {
      if (!request.complete) socket.destroy();
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
