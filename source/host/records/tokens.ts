import { hash, randomBytes } from 'node:crypto';
import type { HostClock } from '../clock.ts';
import { makeRoom } from '../make-room.ts';
import type { Storage } from './storage.ts';

/** A person can tell it from other secrets by this; scanners can too. */
const prefix = 'hd_';

/** Tokens that are remembered as they are written; the one that was the first goes first. */
const mostKnown = 1024;

/** Bearer tokens and the wallets they stand for. Only their hashes are stored. */
export class Tokens {
  readonly #storage: Storage;
  readonly #clock: HostClock;
  /**
   * Wallets of tokens that were looked up and are known, which they stay. Only in memory, where
   * requests have them too, and looked up by a hash with a secret of the process: how long that
   * takes says nothing about the characters of one.
   */
  readonly #known = new Map<string, string>();

  constructor(storage: Storage, clock: HostClock) {
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
    const known = this.#known.get(token);
    if (known !== undefined) return known;
    const row = this.#storage
      .prepare('select wallet from tokens where hash = ?')
      .get(hashOf(token));
    if (row === undefined) return undefined;
    const wallet = String(row['wallet']);
    makeRoom(this.#known, mostKnown);
    this.#known.set(token, wallet);
    return wallet;
  }
}

/** Tokens are 256 random bits, so one fast hash is as strong as a slow one. */
function hashOf(token: string): string {
  return hash('sha256', token, 'hex');
}
