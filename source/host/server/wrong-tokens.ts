import type { HostClock } from '../clock.ts';
import { makeRoom } from '../make-room.ts';

const windowMs = 60_000;

/** Addresses that are remembered; the one that was the first goes first. */
const mostAddresses = 4096;

interface Window {
  readonly since: number;
  count: number;
}

/**
 * Counts the tokens that are not known here, by the address they come from. Who guesses is told to
 * wait; a token that is known is not looked at here at all.
 */
export class WrongTokens {
  readonly #clock: HostClock;
  readonly #most: number;
  readonly #windows = new Map<string, Window>();

  /** `most` a minute are taken of one address. */
  constructor(clock: HostClock, most: number) {
    this.#clock = clock;
    this.#most = most;
  }

  /** Takes one more. Gives the whole seconds to wait once there were too many, else undefined. */
  add(address: string): number | undefined {
    const key = networkOf(address);
    const now = this.#clock.monotonic();
    let window = this.#windows.get(key);
    if (window === undefined || now - window.since >= windowMs) {
      this.#windows.delete(key);
      makeRoom(this.#windows, mostAddresses);
      this.#windows.set(key, (window = { since: now, count: 0 }));
    }
    window.count += 1;
    if (window.count <= this.#most) return undefined;
    return Math.ceil((window.since + windowMs - now) / 1000);
  }
}

/** An IPv4 address; of IPv6 the first 64 bits, as whoever has one address there has them all. */
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
