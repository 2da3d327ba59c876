import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Duplex } from 'node:stream';
import { onTestFinished } from 'vitest';
import { EngineClient } from '../../../source/host/engine/engine-client.ts';
import type { EngineEndpoint } from '../../../source/host/engine/engine-place.ts';

/** A received request with an unread body, and two ways to answer it. */
export interface Arrived {
  readonly request: IncomingMessage;
  /** Undefined for an upgrade request. */
  readonly response: ServerResponse | undefined;
  /** The raw connection, to which a complete answer can be written. */
  readonly socket: Duplex;
}

export interface FakeEngine {
  readonly place: EngineEndpoint;
  /** Method and path of each request but pings, in order. */
  readonly requests: readonly string[];
  connect(): Promise<EngineClient>;
}

/** Headers of a ping's answer by Docker 20.10. */
const ping = { 'Api-Version': '1.41', 'Content-Type': 'text/plain; charset=utf-8' };

/**
 * Starts an engine on a Unix socket that ends with the test, for answers that are rare in reality.
 * @param onRequest answers all requests except pings.
 * @param headers headers of a ping's answer.
 */
export async function fakeEngine(
  onRequest: (arrived: Arrived) => void,
  headers: Readonly<Record<string, string>> = ping,
): Promise<FakeEngine> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-fake-engine-'));
  const socketPath = path.join(folder, 'engine.sock');
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  const answer = (request: IncomingMessage, response?: ServerResponse) => {
    if (request.url === '/_ping') {
      response?.writeHead(200, headers).end('OK');
      return;
    }
    requests.push(`${request.method} ${request.url}`);
    onRequest({ request, response, socket: request.socket });
  };
  const server = createServer(answer)
    .on('upgrade', (request: IncomingMessage) => {
      answer(request);
    })
    .on('connection', (socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => sockets.delete(socket));
    })
    .listen(socketPath);
  await once(server, 'listening');
  onTestFinished(async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
    await rm(folder, { recursive: true });
  });
  const place = { address: `unix://${socketPath}`, socketPath };
  return { place, requests, connect: () => EngineClient.connect(place) };
}

/** Answers with JSON. */
export function json({ response }: Arrived, status: number, body: unknown): void {
  response?.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
