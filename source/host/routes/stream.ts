import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { WebSocket } from 'ws';
import { logStreamPath } from '../../contract/routes.ts';
import { startInterval } from '../clock.ts';
import { assertKept } from '../closed-deployments.ts';
import { invalidField, rateLimited, Refusal, badRequest } from '../refusal.ts';
import type { HostService } from '../service.ts';

const pingMs = 15_000;

/** Close code of a stream whose reader is too slow (RFC 6455 leaves 4000 and up to services). */
const tooSlowCode = 4008;

/** Close code of a stream that is complete (RFC 6455, section 7.4.1). */
const completeCode = 1000;

interface StreamRoute {
  Querystring: Readonly<Record<string, string | string[] | undefined>>;
}

/**
 * Adds the log stream (contract, part 4, "Stream logs"): one frame per line, starting at the
 * upgrade. Fetched lines end exactly where the stream starts, without overlap or gap.
 */
export function addStreamRoute(api: FastifyInstance, service: HostService): void {
  const { deployments, logs, clock, streamLimiter, supervisor, onFailure } = service;
  const heartbeat = new Heartbeat();

  const stopPings = startInterval(clock, pingMs, () => {
    heartbeat.ping();
  });
  api.addHook('onClose', async () => {
    stopPings();
  });

  const findRecord = (wallet: string, query: StreamRoute['Querystring']) => {
    const id = query['deploymentId'];
    if (typeof id !== 'string') throw invalidField('deploymentId', 'the id of one deployment');
    const record = deployments.get(wallet, id);
    assertKept(record);
    return record;
  };

  api.route<StreamRoute>({
    method: 'GET',
    url: logStreamPath,
    // Refusals are answered over HTTP, before the upgrade.
    async preHandler(request) {
      findRecord(request.wallet, request.query);
      if (!request.ws) return;
      checkHandshake(request.headers);
      const leave = streamLimiter.acquire(request.wallet);
      if (leave === undefined) throw rateLimited('This wallet has too many log streams open.');
      // Watch the socket, since some close before the upgrade completes.
      request.socket.once('close', leave);
    },
    async handler(_request, reply) {
      reply.header('upgrade', 'websocket');
      throw new Refusal(426, 'upgrade-required', 'The log stream is a WebSocket.');
    },
    wsHandler(socket, request) {
      const raw = request.raw.socket;
      heartbeat.add(socket, raw);
      const record = findRecord(request.wallet, request.query);
      const unsubscribe = logs.subscribe(record, {
        send(frames) {
          // Only whole frames are written, so that messages never interleave.
          if (socket.readyState === socket.OPEN) raw.write(frames);
        },
        backlog: () => socket.bufferedAmount,
        drop() {
          socket.close(tooSlowCode, 'read too slowly; fetch the missing lines');
        },
        end() {
          socket.close(completeCode, 'the deployment is closed');
        },
      });
      socket.on('close', unsubscribe);
      // The last line was written before the stream opened, so end the stream here.
      if (supervisor.isLogComplete(record.id)) logs.end(record).catch(onFailure);
    },
  });
}

/** Throws a 400 for an invalid handshake (RFC 6455, section 4.2.1), in our envelope. */
function checkHandshake(headers: IncomingHttpHeaders): void {
  const { 'sec-websocket-version': version, 'sec-websocket-key': key = '' } = headers;
  if (version !== '13' || !/^[+/0-9A-Za-z]{22}==$/.test(key)) {
    throw badRequest('The log stream needs a WebSocket of version 13 with a key of 16 bytes.');
  }
}

interface OpenStream {
  /** The socket below the WebSocket. */
  readonly raw: Socket;
  /** True when the peer has answered the last ping. */
  hasAnswered: boolean;
  /** True when the last ping was queued behind lines. */
  wasBehind: boolean;
  /** Bytes handed to the system when the last ping was sent. */
  flushedBytes: number;
}

/** Pings open log streams and closes those whose peer is gone. */
class Heartbeat {
  readonly #streams = new Map<WebSocket, OpenStream>();

  /** Adds a stream until it closes. */
  add(socket: WebSocket, raw: Socket): void {
    const stream = { raw, hasAnswered: true, wasBehind: false, flushedBytes: 0 };
    this.#streams.set(socket, stream);
    socket.on('pong', () => {
      stream.hasAnswered = true;
    });
    socket.on('close', () => {
      this.#streams.delete(socket);
    });
  }

  /** Pings all streams, and closes those that have not answered the previous ping. */
  ping(): void {
    for (const [socket, stream] of this.#streams) {
      const { raw } = stream;
      const flushedBytes = raw.bytesWritten - raw.writableLength;
      // A peer that still reads the lines before the ping has not received the ping yet. A peer
      // that is gone reads nothing and answers no ping.
      const isReading = stream.wasBehind && flushedBytes > stream.flushedBytes;
      if (!stream.hasAnswered && !isReading) socket.terminate();
      stream.hasAnswered = false;
      stream.wasBehind = raw.writableLength > 0;
      stream.flushedBytes = flushedBytes;
      socket.ping();
      socket.send('{"type":"ping"}');
    }
  }
}
