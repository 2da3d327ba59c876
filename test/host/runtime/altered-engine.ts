import { once } from 'node:events';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EngineEndpoint } from '../../../source/host/engine/engine-place.ts';

/** A request to an engine; its path has no API version, such as `/networks/create`. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer in place of the engine's; the body is sent as JSON. */
export interface Altered {
  readonly status: number;
  readonly body: unknown;
}

/** A proxy between a host and its engine that answers some requests itself. */
export class AlteredEngine {
  /** All requests, in order. */
  readonly asked: readonly Asked[];
  readonly #server: Server;

  private constructor(server: Server, asked: readonly Asked[]) {
    this.#server = server;
    this.asked = asked;
  }

  /** @param alter returns undefined for requests to forward to the engine, if there is one. */
  static async open(
    place: EngineEndpoint | undefined,
    alter: (asked: Asked) => Altered | undefined,
  ): Promise<AlteredEngine> {
    const asked: Asked[] = [];
    const server = createServer((near, answer) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of near) chunks.push(chunk as Buffer);
        const { method = '', url = '', headers } = near;
        const question = {
          method,
          path: url.replace(/^\/v1\.\d+(?=\/)/, ''),
          headers,
          body: chunks.join(''),
        };
        asked.push(question);
        const own = alter(question);
        if (own === undefined && place !== undefined) {
          forward(place, near, Buffer.concat(chunks), answer);
          return;
        }
        answer.writeHead(own?.status ?? 404, { 'content-type': 'application/json' });
        answer.end(`${JSON.stringify(own?.body ?? { message: 'not here' })}\n`);
      })();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AlteredEngine(server, asked);
  }

  /** Environment of a host that uses the proxy. */
  get environment() {
    const { port } = this.#server.address() as AddressInfo;
    return { DOCKER_HOST: `tcp://127.0.0.1:${port}` };
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function forward(
  place: EngineEndpoint,
  near: IncomingMessage,
  body: Buffer,
  answer: ServerResponse,
) {
  const target =
    'socketPath' in place
      ? { socketPath: place.socketPath }
      : { host: new URL(place.origin).hostname, port: new URL(place.origin).port };
  // Without the upgrade, the engine answers an attach with a normal response.
  const { connection: _connection, upgrade: _upgrade, ...headers } = near.headers;
  const { method, url } = near;
  const far = request({ ...target, method, path: url, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 500, from.headers);
    // Output of a container may arrive much later.
    answer.flushHeaders();
    from.pipe(answer);
    from.on('error', () => answer.destroy());
  });
  far.on('error', () => answer.destroy());
  answer.on('close', () => far.destroy());
  far.end(body);
}
