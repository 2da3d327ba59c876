import type { IncomingMessage } from 'node:http';
import websocket from '@fastify/websocket';
import type { FastifyInstance } from 'fastify';
import { logStreamPath } from '../../contract/routes.ts';
import type { HostClock } from '../clock.ts';
import { httpDate } from './http-date.ts';
import { answerRaw } from './raw-answer.ts';
import { unreadable } from '../refusal.ts';

/** Any other upgrade is ignored and the request answered as it is (RFC 9110, section 7.8). */
export function isStreamUpgrade({ method, url, headers }: IncomingMessage): boolean {
  const [path] = (url ?? '').split('?');
  const isWebSocket = headers.upgrade?.toLowerCase() === 'websocket';
  return isWebSocket && method === 'GET' && path === logStreamPath;
}

/** Lets routes take WebSockets. */
export async function addWebSockets(app: FastifyInstance, clock: HostClock): Promise<void> {
  await app.register(websocket, {
    options: { maxPayload: 64 * 1024, perMessageDeflate: false },
    // A client that breaks the protocol or vanishes concerns nobody but its own stream.
    errorHandler(_error, socket) {
      socket.terminate();
    },
    preClose(done) {
      for (const socket of app.websocketServer.clients) socket.close(1001, 'the host ends');
      app.websocketServer.close();
      done();
    },
  });
  app.addHook('onReady', async () => {
    // What the library finds wrong with a handshake would not be told in our envelope.
    app.websocketServer.on('wsClientError', (_error, socket) => {
      const refusal = unreadable('The log stream is a WebSocket as RFC 6455 has it.');
      answerRaw(socket, refusal, httpDate(clock));
    });
  });
}
