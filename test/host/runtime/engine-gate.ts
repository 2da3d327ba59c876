import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import type { EngineEndpoint } from '../../../source/host/engine/engine-place.ts';

/** A proxy between a host and its engine that can cut the connection. */
export class EngineGate {
  readonly #place: EngineEndpoint;
  readonly #socket: string;
  readonly #open = new Set<Socket>();
  #server: Server | undefined;

  constructor(place: EngineEndpoint, socket: string) {
    this.#place = place;
    this.#socket = socket;
  }

  /** Environment of a host that uses the proxy. */
  get environment() {
    return { DOCKER_HOST: `unix://${this.#socket}` };
  }

  async open(): Promise<void> {
    const place = this.#place;
    rmSync(this.#socket, { force: true });
    this.#server = createServer((client) => {
      const upstream =
        'socketPath' in place
          ? connect(place.socketPath)
          : connect(Number(new URL(place.origin).port), new URL(place.origin).hostname);
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.#open.add(one);
        one.on('error', () => undefined);
        one.once('close', () => {
          this.#open.delete(one);
          other.destroy();
        });
        one.pipe(other);
      }
    }).listen(this.#socket);
    await once(this.#server, 'listening');
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}
