import { hash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Storage } from './storage.ts';

/** A person can tell it from other secrets by this; scanners can too. */
const prefix = 'hd_';

/** Bearer tokens and the wallets they stand for. Only their hashes are stored. */
export class Tokens {
  readonly #storage: Storage;
  readonly #clock: Clock;
  /** Wallets of tokens that were looked up, by hash. A token that is known stays so. */
  readonly #known = new Map<string, string>();

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Makes a token for a wallet. It cannot be read again. */
  issue(wallet: string): string {
    const token = prefix + randomBytes(32).toString('base64url');
    this.#storage
      .prepare('insert into tokens (hash, wallet, created_at) values (?, ?, ?)')
      .run(hashOf(token), wallet, this.#clock.now());
    return token;
  }

  /** The wallet of a token, undefined for one that was not issued here. */
  walletOf(token: string): string | undefined {
    // Looked up by hash: how long that takes says nothing about the token's own characters.
    const key = hashOf(token);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const row = this.#storage.prepare('select wallet from tokens where hash = ?').get(key);
    if (row === undefined) return undefined;
    const wallet = String(row['wallet']);
    this.#known.set(key, wallet);
    return wallet;
  }
}

/** Tokens are 256 random bits, so one fast hash is as strong as a slow one. */
function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
