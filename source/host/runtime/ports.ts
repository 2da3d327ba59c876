import { createServer } from 'node:net';

/** Assigns ports of this machine to the instances of a host. */
export class Ports {
  readonly #claimed = new Set<number>();

  /** Claims the wanted port when it is free, else another free one, until it is released. */
  async claim(wanted: number): Promise<number> {
    if (!this.#claimed.has(wanted)) {
      // Claimed before the test, so that two instances that start together get different ports.
      this.#claimed.add(wanted);
      if ((await tryListen(wanted)) !== undefined) return wanted;
      this.#claimed.delete(wanted);
    }
    for (;;) {
      const free = await tryListen(0);
      if (free === undefined) throw new Error('no port is free');
      if (this.#claimed.has(free)) continue;
      this.#claimed.add(free);
      return free;
    }
  }

  release(port: number): void {
    this.#claimed.delete(port);
  }
}

/** Resolves with the port when a server can listen on it on all addresses, else with undefined. */
function tryListen(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => {
      resolve(undefined);
    });
    server.listen({ port, exclusive: true }, () => {
      const address = server.address();
      server.close(() => {
        resolve(typeof address === 'object' ? address?.port : undefined);
      });
    });
  });
}
