import type { HostClock } from '../clock.ts';
import { evictOldest } from '../make-room.ts';
import type { ServerResponse } from 'node:http';
import { rateLimited } from '../refusal.ts';

/** Limits the open log streams of each wallet, over all addresses that the host listens on. */
export class StreamLimiter {
  readonly #limit: number;
  readonly #counts = new Map<string, number>();

  /** @param limit is the maximum of open streams of one wallet. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Reserves a place. Returns the function that releases it, or undefined at the limit. */
  acquire(wallet: string): (() => void) | undefined {
    const count = this.#counts.get(wallet) ?? 0;
    if (count >= this.#limit) return undefined;
    this.#counts.set(wallet, count + 1);
    return () => {
      const remaining = (this.#counts.get(wallet) ?? 0) - 1;
      if (remaining > 0) this.#counts.set(wallet, remaining);
      else this.#counts.delete(wallet);
    };
  }
}

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

/** Length from which an answer counts, in bytes; shorter ones are limited by the connections. */
const largeLength = 64 * 1024;

/** Large answers of a wallet that are prepared at a time. */
const maxPrepared = 4;

interface Preparation {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Limits the memory that the large answers of each wallet take at a time, over all addresses that
 * the host listens on: answers that are being prepared, and those that their clients have not read.
 */
export class AnswerLimiter {
  readonly #limit: number;
  readonly #unread = new Map<string, number>();
  readonly #preparations = new Map<string, Preparation>();

  /** @param limit is the number of unread bytes at which a wallet gets no further answers. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Throws a 429 while the clients of a wallet have not read the large answers that they got. */
  assertRoom(wallet: string): void {
    if ((this.#unread.get(wallet) ?? 0) < this.#limit) return;
    throw rateLimited('Too many large answers are being sent to this wallet. Read them first.', 1);
  }

  /** Counts an answer as unread until its response is closed. */
  track(wallet: string, payload: unknown, response: ServerResponse): void {
    const isBytes = typeof payload === 'string' || payload instanceof Uint8Array;
    const bytes = isBytes ? Buffer.byteLength(payload) : 0;
    if (bytes < largeLength || response.closed) return;
    this.#unread.set(wallet, (this.#unread.get(wallet) ?? 0) + bytes);
    response.once('close', () => {
      const rest = (this.#unread.get(wallet) ?? 0) - bytes;
      if (rest > 0) this.#unread.set(wallet, rest);
      else this.#unread.delete(wallet);
    });
  }

  /** Prepares an answer that may be large once few others of the wallet are being prepared. */
  async prepare<T>(wallet: string, work: () => Promise<T>): Promise<T> {
    let preparation = this.#preparations.get(wallet);
    if (preparation === undefined) {
      this.#preparations.set(wallet, (preparation = { running: 0, waiting: [] }));
    }
    if (preparation.running < maxPrepared) preparation.running += 1;
    else await new Promise<void>((resolve) => preparation.waiting.push(resolve));
    try {
      // The answers before this one may be unread by now.
      this.assertRoom(wallet);
      return await work();
    } finally {
      const next = preparation.waiting.shift();
      if (next !== undefined) next();
      else if ((preparation.running -= 1) === 0) this.#preparations.delete(wallet);
    }
  }
}
