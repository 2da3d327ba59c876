import { type Atoms, formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import { invalid } from '../refusal.ts';
import type { Storage } from '../records/storage.ts';

/** Balance of a wallet that is seen for the first time. */
const firstBalance = 1000n * 10n ** 18n;

const longestAddress = 128;

/** Longer texts say no more of a balance. */
const longestBalance = 100;

/**
 * Hexadecimal, Bech32, Base58 and Base64 addresses, account ids with a chain before them (CAIP-10)
 * and plain names all fit; a flag, a URL's query, quotes and markup do not.
 */
const addressForm = /^[0-9A-Za-z][\w.:@+/=~*-]*$/;

/** Reads a wallet address. Throws a 422 for a value that is none. */
export function walletAddress(value: unknown, field: string): string {
  if (typeof value !== 'string' || !addressForm.test(value) || value.length > longestAddress) {
    throw invalid(
      field,
      `a wallet address: 1 to ${longestAddress} letters, digits and . _ : @ + / = ~ * -, ` +
        'the first a letter or digit',
    );
  }
  return value;
}

/** Reads a balance, as text since it is exact. Throws a 422 for a value that is none. */
export function readBalance(value: unknown): Atoms {
  const isText = typeof value === 'string' && value.length <= longestBalance;
  const balance = isText ? parseDecimal(value) : undefined;
  if (balance === undefined || balance < 0n) {
    throw invalid('balance', 'a decimal of 0 or more with at most 18 decimals');
  }
  return balance;
}

/** Balances of wallets. */
export class Wallets {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  balance(address: string): Atoms {
    const row = this.#storage.prepare('select balance from wallets where address = ?').get(address);
    return row === undefined ? firstBalance : storedAmount(row['balance']);
  }

  setBalance(address: string, balance: Atoms): void {
    this.#storage
      .prepare('insert or replace into wallets (address, balance) values (?, ?)')
      .run(address, formatDecimal(balance));
  }
}

/** An amount as this host wrote it. */
export function storedAmount(value: unknown): Atoms {
  const amount = parseDecimal(String(value));
  if (amount === undefined) throw new RangeError('a stored amount is no decimal');
  return amount;
}
