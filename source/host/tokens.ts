import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';
import type { Storage } from './storage.ts';

/** A person can tell it from other secrets by this; scanners can too. */
const prefix = 'hd_';

/** Bearer tokens and the wallets they stand for. Only their hashes are stored. */
export class Tokens {
  readonly #storage: Storage;
  readonly #clock: Clock;

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /** Makes a token for a wallet. It cannot be read again. */
  issue(wallet: string): string {
    const token = prefix + randomBytes(32).toString('base64url');
    this.#storage
      .prepare('insert into tokens (hash, wallet, created_at) values (?, ?, ?)')
      .run(hash(token), wallet, this.#clock.now());
    return token;
  }

  /** The wallet of a token, undefined for one that was not issued here. */
  walletOf(token: string): string | undefined {
    // Looked up by hash: how long that takes says nothing about the token's own characters.
    const row = this.#storage.prepare('select wallet from tokens where hash = ?').get(hash(token));
    return row === undefined ? undefined : String(row['wallet']);
  }
}

/** Tokens are 256 random bits, so one fast hash is as strong as a slow one. */
function hash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
