import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { logStreamPath } from '../../contract/routes.ts';
import { every } from '../clock.ts';
import { invalid, rateLimited, Refusal, unreadable } from '../refusal.ts';
import type { HostService } from '../service.ts';
import { Followers } from './followers.ts';

const pingMs = 15_000;

/** Close code of a stream whose reader is too slow; codes from 4000 on are a service's own. */
const tooSlow = 4008;

/** Close code of a stream that is complete (RFC 6455, section 7.4.1). */
const complete = 1000;

interface StreamRoute {
  Querystring: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Contract, part 4, "Stream logs": one frame a line, from the moment of the upgrade on. Lines
 * before it are fetched; the two never overlap and never leave one out.
 */
export function addStreamRoute(api: FastifyInstance, service: HostService): void {
  const { deployments, logs, clock, streamPlaces, supervisor, onFailure } = service;
  const followers = new Followers();

  const stopPings = every(clock, pingMs, () => {
    followers.ping();
  });
  api.addHook('onClose', async () => {
    stopPings();
  });

  const find = (wallet: string, query: StreamRoute['Querystring']) => {
    const id = query['deploymentId'];
    if (typeof id !== 'string') throw invalid('deploymentId', 'the id of one deployment');
    return deployments.get(wallet, id);
  };

  api.route<StreamRoute>({
    method: 'GET',
    url: logStreamPath,
    // Refusals are answered over HTTP, before the upgrade.
    async preHandler(request) {
      find(request.wallet, request.query);
      if (!request.ws) return;
      checkHandshake(request.headers);
      const leave = streamPlaces.take(request.wallet);
      if (leave === undefined) throw rateLimited('This wallet has too many log streams open.');
      // Of a socket, not of a stream: some end before they are one.
      request.socket.once('close', leave);
    },
    async handler(_request, reply) {
      reply.header('upgrade', 'websocket');
      throw new Refusal(426, 'upgrade-required', 'The log stream is a WebSocket.');
    },
    wsHandler(socket, request) {
      const raw = request.raw.socket;
      followers.add(socket, raw);
      const record = find(request.wallet, request.query);
      const unsubscribe = logs.subscribe(record, {
        send(frames) {
          // Whole frames, all of them one message, so that they never come into another's middle.
          if (socket.readyState === socket.OPEN) raw.write(frames);
        },
        backlog: () => socket.bufferedAmount,
        drop() {
          socket.close(tooSlow, 'reading too slowly; fetch the lines that are missing');
        },
        end() {
          socket.close(complete, 'the deployment is closed');
        },
      });
      socket.on('close', unsubscribe);
      // Nothing will end it: the last line has come.
      if (supervisor.isOver(record.id)) logs.end(record).catch(onFailure);
    },
  });
}

/** The library's own refusals would not be in our envelope (RFC 6455, section 4.2.1). */
function checkHandshake(headers: IncomingHttpHeaders): void {
  const { 'sec-websocket-version': version, 'sec-websocket-key': key = '' } = headers;
  if (version !== '13' || !/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    throw unreadable('The log stream is a WebSocket of version 13 with a key of 16 bytes.');
  }
}
