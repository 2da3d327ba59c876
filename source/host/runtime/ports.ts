import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** First port that users may have where the system doesn't say (Linux, ip_unprivileged_port_start). */
const usualFirstPort = 1024;

/** Returns the first port of this machine that its users may have. */
export function readFirstUserPort(): number {
  // Since macOS 10.14 users may have all ports.
  if (process.platform === 'darwin') return 1;
  try {
    const text = readFileSync('/proc/sys/net/ipv4/ip_unprivileged_port_start', 'utf8');
    return /^\d+$/.test(text.trim()) ? Number(text) : usualFirstPort;
  } catch {
    return usualFirstPort;
  }
}

/** Assigns ports of this machine to the instances of a host. */
export class Ports {
  readonly #claimed = new Set<number>();
  readonly #first: number;

  /** @param first the first port that services may have, also when the host itself may have others. */
  constructor(first: number) {
    this.#first = first;
  }

  /** Claims the wanted port when it may be had, else another free one, until it is released. */
  async claim(wanted: number): Promise<number> {
    if (wanted >= this.#first && !this.#claimed.has(wanted)) {
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
