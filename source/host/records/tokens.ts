import { hash, randomBytes } from 'node:crypto';
import type { HostClock } from '../clock.ts';
import { evictOldest } from '../make-room.ts';
import type { Storage } from './storage.ts';

/** Prefix by which people and secret scanners recognise a token. */
const prefix = 'hd_';

/** Maximum of cached tokens; the oldest is evicted first. */
const maxCachedTokens = 1024;

/** Bearer tokens and their wallets. Only hashes of tokens are stored. */
export class Tokens {
  readonly #storage: Storage;
  readonly #clock: HostClock;
  /**
   * Cached wallets by token; a valid token stays valid. Tokens in clear text are in memory only, as
   * in requests. The map hashes with a secret of the process, so timing reveals nothing of a token.
   */
  readonly #cache = new Map<string, string>();

  constructor(storage: Storage, clock: HostClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Creates a token for a wallet. The token can't be read again later. */
  issue(wallet: string): string {
    const token = prefix + randomBytes(32).toString('base64url');
    this.#storage
      .prepare('insert into tokens (hash, wallet, created_at) values (?, ?, ?)')
      .run(hashOf(token), wallet, this.#clock.now());
    return token;
  }

  /** Returns the wallet of a token, or undefined for an unknown token. */
  walletOf(token: string): string | undefined {
    const cached = this.#cache.get(token);
    if (cached !== undefined) return cached;
    const row = this.#storage
      .prepare('select wallet from tokens where hash = ?')
      .get(hashOf(token));
    if (row === undefined) return undefined;
    const wallet = String(row['wallet']);
    evictOldest(this.#cache, maxCachedTokens);
    this.#cache.set(token, wallet);
    return wallet;
  }
}

/** Tokens are 256 random bits, so one fast hash is as strong as a slow one. */
function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
