import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HostClock, every } from '../clock.ts';
import type { HostLimits } from './limits.ts';

/** The peer gets this long to read an answer that came before the end of its request. */
const lingerMs = 30_000;

/**
 * Calls `refuse` when the body of a request comes more slowly than the limits allow, and cuts off
 * who goes on sending after the answer. A request waits for nothing else of its caller.
 */
export function watchBody(
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
  // What came along with the head counts for the first window.
  let seen = socket.bytesRead - limits.bodyWindowBytes;
  const stop = every(clock, limits.bodyWindowMs, () => {
    const now = socket.bytesRead;
    // What waits to be taken is our own slowness, at a disk for example.
    const isTheirs = request.readableLength === 0;
    if (request.complete) stopAll();
    else if (isTheirs && now - seen < limits.bodyWindowBytes) refuse();
    seen = now;
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
    stopLinger = clock.after(lingerMs, () => {
      if (!request.complete) socket.destroy();
    });
  });
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
