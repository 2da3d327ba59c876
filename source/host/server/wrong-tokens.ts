import type { HostClock } from '../clock.ts';
import { evictOldest } from '../make-room.ts';

const windowMs = 60_000;

/** Maximum of remembered addresses; the oldest is forgotten first. */
const maxAddresses = 4096;

interface Window {
  readonly since: number;
  count: number;
}

/**
 * Counts unknown tokens by network address, to slow down guessing. Valid tokens are neither counted
 * nor delayed.
 */
export class WrongTokenLimiter {
  readonly #clock: HostClock;
  readonly #limit: number;
  readonly #windows = new Map<string, Window>();

  /** @param limit is the number of unknown tokens that one address may send a minute. */
  constructor(clock: HostClock, limit: number) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Counts an unknown token. Returns the whole seconds to wait when over the limit. */
  add(address: string): number | undefined {
    const key = networkOf(address);
    const now = this.#clock.monotonic();
    let window = this.#windows.get(key);
    if (window === undefined || now - window.since >= windowMs) {
      this.#windows.delete(key);
      evictOldest(this.#windows, maxAddresses);
      this.#windows.set(key, (window = { since: now, count: 0 }));
    }
    window.count += 1;
    if (window.count <= this.#limit) return undefined;
    return Math.ceil((window.since + windowMs - now) / 1000);
  }
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 one, which one network shares. */
function networkOf(address: string): string {
  const v4 = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  const [head = [], tail] = address
    .replace(/%.*$/, '')
    .split('::')
    .map((part) => part.split(':').filter((group) => group !== ''));
  const zeros = tail === undefined ? 0 : 8 - head.length - tail.length;
  return [...head, ...Array.from({ length: zeros }, () => '0'), ...(tail ?? [])]
    .slice(0, 4)
    .join(':');
}
