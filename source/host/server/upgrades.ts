import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { logStreamPath } from '../../contract/routes.ts';
import type { HostClock } from '../clock.ts';
import { formatHttpDate } from './http-date.ts';
import { sendRawError } from './raw-answer.ts';
import { badRequest } from '../refusal.ts';

/**
 * Returns true for a WebSocket upgrade of the log stream. Other upgrades are ignored, and their
 * requests handled as plain HTTP (RFC 9110, section 7.8).
 */
export function isStreamUpgrade({ method, url, headers }: IncomingMessage): boolean {
  const [path] = (url ?? '').split('?');
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && path === logStreamPath;
}

/** Adds WebSocket support to the routes of a server. */
export async function addWebSockets(app: FastifyInstance, clock: HostClock): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024, perMessageDeflate: false },
    // A protocol error or a lost client affects only its own stream.
    errorHandler(_error, socket) {
      socket.terminate();
    },
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1001, 'the host is stopping');
      app.websocketServer.close();
      done();
    },
  });
  app.addHook('onReady', async () => {
    // The library's own response to an invalid handshake would not be in our envelope.
    app.websocketServer.on('wsClientError', (_error, socket) => {
      const refusal = badRequest('The log stream needs a WebSocket handshake (RFC 6455).');
      sendRawError(socket, refusal, formatHttpDate(clock));
    });
  });
}
