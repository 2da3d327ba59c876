import type { ServerResponse } from 'node:http';
import { rateLimited } from '../refusal.ts';

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
