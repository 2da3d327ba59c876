import { randomUUID } from 'node:crypto';
import { type Atoms, formatDecimal, parseDecimal } from '../contract/decimal.ts';
import type { Grant } from '../contract/grants.ts';
import { ExactNumber } from './server/body.ts';
import { type HostClock, startInterval } from './clock.ts';
import { isWriteFailure } from './disk-space.ts';
import { type JsonDecimal, toJsonDecimal } from './money/json-decimal.ts';
import { parseStoredAmount, parseWalletAddress } from './money/wallets.ts';
import { forbidden, invalidField, notFound } from './refusal.ts';
import type { Storage } from './records/storage.ts';

/** A grant as the API returns it, its amounts with all of their digits. */
export type GrantResponse = Omit<Grant, 'limit' | 'spent'> & {
  readonly limit: JsonDecimal;
  readonly spent: JsonDecimal;
  /** Present once the host has seen the grant expire; final, even when its clock is set back. */
  readonly status?: 'expired';
};

/** An active grant that is not exhausted. */
export interface SpendableGrant {
  readonly id: string;
  readonly grantor: string;
  readonly remaining: Atoms;
}

const timestamp = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** Milliseconds between two checks for expired grants. */
const expiryIntervalMs = 1000;

/**
 * Spend grants (contract, part 3). The states active and exhausted are derived at each read.
 * Revocation and expiry are stored, because both are final even when the clock is set back. The latest
 * time of the clock isn't stored instead: after one jump to a wrong year, all later grants would expire.
 */
export class Grants {
  readonly #storage: Storage;
  readonly #clock: HostClock;
  /** The soonest expiry of a grant that is not stored as expired, in ms since the epoch. */
  #nextExpiry = Number.NEGATIVE_INFINITY;

  constructor(storage: Storage, clock: HostClock) {
    this.#storage = storage;
    this.#clock = clock;
  }

  /**
   * Creates a grant from a request body parsed with exact numbers. `grantee`, `limit` and
   * `expires_at` are required; throws a 422 for an invalid field.
   */
  create(grantor: string, body: Readonly<Record<string, unknown>>): GrantResponse {
    const grantee = parseWalletAddress(body['grantee'], 'grantee');
    if (grantee === grantor)
      throw invalidField('grantee', 'the address of a wallet other than your own');
    const limit = readLimit(body['limit']);
    const now = this.#clock.now();
    const expiresAt = readTimestamp(body['expires_at']);
    if (expiresAt <= now) throw invalidField('expires_at', 'a time in the future');
    return this.insert({ grantor, grantee, limit, expiresAt });
  }

  insert(grant: {
    readonly grantor: string;
    readonly grantee: string;
    readonly limit: Atoms;
    readonly expiresAt: number;
  }): GrantResponse {
    const id = randomUUID();
    this.#storage.transaction(() => {
      this.#storage
        .prepare(
          `insert into grants (id, grantor, grantee, spend_limit, spent, expires_at, created_at)
           values (?, ?, ?, ?, '0', ?, ?)`,
        )
        .run(
          id,
          grant.grantor,
          grant.grantee,
          formatDecimal(grant.limit),
          grant.expiresAt,
          this.#clock.now(),
        );
    });
    this.#nextExpiry = Math.min(this.#nextExpiry, grant.expiresAt);
    return this.#find(id, grant.grantor);
  }

  /**
   * Stores each expiry, now and until the returned function is called. Between two expiries, a check only
   * compares two numbers.
   */
  watch(onFailure: (error: unknown) => void): () => void {
    const check = () => {
      try {
        this.#storeExpired();
      } catch (error) {
        // The next check tries again.
        if (!isWriteFailure(error)) onFailure(error);
      }
    };
    check();
    return startInterval(this.#clock, expiryIntervalMs, check);
  }

  #storeExpired(): void {
    const now = this.#clock.now();
    if (now < this.#nextExpiry) return;
    this.#storage
      .prepare('update grants set expired_at = ?1 where expired_at is null and expires_at <= ?1')
      .run(now);
    const next = this.#storage
      .prepare('select min(expires_at) as next from grants where expired_at is null')
      .get()?.['next'];
    this.#nextExpiry = Number(next ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the grants that a wallet gave or received, oldest first. */
  list(wallet: string): readonly GrantResponse[] {
    return this.#storage
      .prepare('select * from grants where grantor = ?1 or grantee = ?1 order by number')
      .all(wallet)
      .map(toGrant);
  }

  /** Revokes a grant; a no-op when it is revoked. Throws a 403 unless the caller is the grantor. */
  revoke(wallet: string, id: string): GrantResponse {
    const grant = this.#find(id, wallet);
    if (grant.grantor !== wallet) {
      throw forbidden('Only the grantor can revoke a grant; you are its grantee.');
    }
    this.#storage
      .prepare('update grants set revoked_at = ? where id = ? and revoked_at is null')
      .run(this.#clock.now(), id);
    return this.#find(id, wallet);
  }

  /** Returns the grants that a wallet can spend from now, soonest-expiring first. */
  listSpendable(grantee: string): readonly SpendableGrant[] {
    return this.#storage
      .prepare(
        `select id, grantor, spend_limit, spent from grants
         where grantee = ? and revoked_at is null and expired_at is null and expires_at > ?
         order by expires_at, number`,
      )
      .all(grantee, this.#clock.now())
      .map((row) => ({
        id: String(row['id']),
        grantor: String(row['grantor']),
        remaining: parseStoredAmount(row['spend_limit']) - parseStoredAmount(row['spent']),
      }))
      .filter((grant) => grant.remaining > 0n);
  }

  /** Adds an amount to the spent total of a grant. The caller ensures that the limit covers it. */
  spend(id: string, amount: Atoms): void {
    const row = this.#storage.prepare('select spent from grants where id = ?').get(id);
    this.#storage
      .prepare('update grants set spent = ? where id = ?')
      .run(formatDecimal(parseStoredAmount(row?.['spent']) + amount), id);
  }

  #find(id: string, wallet: string): GrantResponse {
    const row = this.#storage
      .prepare('select * from grants where id = ?1 and (grantor = ?2 or grantee = ?2)')
      .get(id, wallet);
    if (row === undefined) throw notFound('grant with this id');
    return toGrant(row);
  }
}

function toGrant(row: Record<string, unknown>): GrantResponse {
  const { revoked_at: revoked, expired_at: expired } = row;
  return {
    id: String(row['id']),
    grantor: String(row['grantor']),
    grantee: String(row['grantee']),
    limit: toJsonDecimal(parseStoredAmount(row['spend_limit'])),
    spent: toJsonDecimal(parseStoredAmount(row['spent'])),
    expires_at: new Date(Number(row['expires_at'])).toISOString(),
    created_at: new Date(Number(row['created_at'])).toISOString(),
    ...(revoked === null ? {} : { revoked_at: new Date(Number(revoked)).toISOString() }),
    ...(expired === null ? {} : { status: 'expired' }),
  };
}

/** Maximum characters of a limit; parsing longer numbers is slow and adds no precision. */
const maxLimitLength = 64;
/** Exclusive maximum of a limit: 1e30 in units of 1e-18, which every client can represent. */
const limitBound = 10n ** 48n;

function readLimit(value: unknown): Atoms {
  const expected = 'a number above 0 and below 1e30 with at most 18 decimals';
  if (!(value instanceof ExactNumber)) throw invalidField('limit', expected);
  const limit = value.text.length > maxLimitLength ? undefined : parseDecimal(value.text);
  if (limit === undefined || limit <= 0n || limit >= limitBound)
    throw invalidField('limit', expected);
  return limit;
}

function readTimestamp(value: unknown): number {
  const expected = 'an ISO 8601 timestamp in UTC, like 2030-01-31T12:00:00Z';
  if (typeof value !== 'string' || !timestamp.test(value))
    throw invalidField('expires_at', expected);
  const time = Date.parse(value);
  if (Number.isNaN(time)) throw invalidField('expires_at', expected);
  // Date.parse accepts February 30th as March 2nd.
  const day = Number(value.slice(8, 10));
  const month = Number(value.slice(5, 7));
  if (day > new Date(Date.UTC(Number(value.slice(0, 4)), month, 0)).getUTCDate()) {
    throw invalidField('expires_at', expected);
  }
  return time;
}
