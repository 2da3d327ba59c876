import { createServer } from 'node:net';

/** The ports that instances of this host were told to listen on. */
export class Ports {
  readonly #held = new Set<number>();

  /** The wanted port when nobody has it, else a free one. Held until released. */
  async claim(wanted: number): Promise<number> {
    if (!this.#held.has(wanted)) {
      // Held before it is tried, so that two instances that start together do not get the same.
      this.#held.add(wanted);
      if ((await tryListen(wanted)) !== undefined) return wanted;
      this.#held.delete(wanted);
    }
    for (;;) {
      const free = await tryListen(0);
      if (free === undefined) throw new Error('no port is free');
      if (this.#held.has(free)) continue;
      this.#held.add(free);
      return free;
    }
  }

  release(port: number): void {
    this.#held.delete(port);
  }
}

/** The port that could be listened on, on any address; undefined when it is taken or not allowed. */
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
