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
import type { EnginePlace } from '../../../source/host/engine/engine-place.ts';

/** A request to an engine: `POST /networks/create`, whatever its version, and its body. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The engine's answer in place of its own: an object for JSON. */
export interface Altered {
  readonly status: number;
  readonly body: unknown;
}

/** Stands between a host and its engine, and answers some questions in the engine's place. */
export class AlteredEngine {
  /** All that it was asked for, in order. */
  readonly asked: readonly Asked[];
  readonly #server: Server;

  private constructor(server: Server, asked: readonly Asked[]) {
    this.#server = server;
    this.asked = asked;
  }

  /** @param alter gives undefined for what the engine, where there is one, is to answer itself. */
  static async open(
    place: EnginePlace | undefined,
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

  /** For a host that shall reach the engine through it. */
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

function forward(place: EnginePlace, near: IncomingMessage, body: Buffer, answer: ServerResponse) {
  const target =
    'socketPath' in place
      ? { socketPath: place.socketPath }
      : { host: new URL(place.origin).hostname, port: new URL(place.origin).port };
  // Like a proxy that knows no other protocol: the engine then attaches by a usual answer.
  const { connection: _connection, upgrade: _upgrade, ...headers } = near.headers;
  const { method, url } = near;
  const far = request({ ...target, method, path: url, headers }, (from) => {
    answer.writeHead(from.statusCode ?? 500, from.headers);
    // What a container writes may come much later.
    answer.flushHeaders();
    from.pipe(answer);
    from.on('error', () => answer.destroy());
  });
  far.on('error', () => answer.destroy());
  answer.on('close', () => far.destroy());
  far.end(body);
}
