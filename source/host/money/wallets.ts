import { type Atoms, formatDecimal, parseDecimal } from '../../contract/decimal.ts';
import { invalid } from '../refusal.ts';
import type { Storage } from '../storage.ts';

/** Balance of a wallet that is seen for the first time. */
const firstBalance = 1000n * 10n ** 18n;

const longestAddress = 128;

/** Reads a wallet address: any text without blanks. Services differ in what theirs look like. */
export function walletAddress(value: unknown, field: string): string {
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value) || value.length > longestAddress) {
    throw invalid(
      field,
      `a wallet address: 1 to ${longestAddress} printable characters, no blanks`,
    );
  }
  return value;
}

/** Reads a balance, as text since it is exact. */
export function readBalance(text: string): Atoms {
  const balance = parseDecimal(text);
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
