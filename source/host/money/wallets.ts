import { type Atoms, formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import { invalidField } from '../refusal.ts';
import type { Storage } from '../records/storage.ts';

/** Balance of a wallet without a stored one. */
const initialBalance = 1000n * 10n ** 18n;

const maxAddressLength = 128;

const maxBalanceLength = 100;

/**
 * Matches hexadecimal, Bech32, Base58 and Base64 addresses, account ids with a chain prefix
 * (CAIP-10) and plain names; rejects flags, URL queries, quotes and markup.
 */
const addressForm = /^[0-9A-Za-z][\w.:@+/=~*-]*$/;

/** Parses a wallet address. Throws a 422 for an invalid one. */
export function parseWalletAddress(value: unknown, field: string): string {
  if (typeof value !== 'string' || !addressForm.test(value) || value.length > maxAddressLength) {
    throw invalidField(
      field,
      `a wallet address: 1 to ${maxAddressLength} letters, digits and . _ : @ + / = ~ * -, ` +
        'the first a letter or digit',
    );
  }
  return value;
}

/** Parses a balance, given as text to be exact. Throws a 422 for an invalid one. */
export function parseBalance(value: unknown): Atoms {
  const isText = typeof value === 'string' && value.length <= maxBalanceLength;
  const balance = isText ? parseDecimal(value) : undefined;
  if (balance === undefined || balance < 0n) {
    throw invalidField('balance', 'a number of 0 or more with at most 18 decimals');
  }
  return balance;
}

/** Stores the balances of wallets. */
export class Wallets {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  getBalance(address: string): Atoms {
    const row = this.#storage.prepare('select balance from wallets where address = ?').get(address);
    return row === undefined ? initialBalance : parseStoredAmount(row['balance']);
  }

  setBalance(address: string, balance: Atoms): void {
    this.#storage
      .prepare('insert or replace into wallets (address, balance) values (?, ?)')
      .run(address, formatDecimal(balance));
  }
}

/** Parses an amount from the host's database. */
export function parseStoredAmount(value: unknown): Atoms {
  const amount = parseDecimal(String(value));
  if (amount === undefined) throw new RangeError('a stored amount is not a decimal');
  return amount;
}
