import { parseDecimal } from '../../source/contract/decimal.ts';
import { systemClock } from '../../source/host/clock.ts';
import { Deployments } from '../../source/host/deployments.ts';
import { usageOf } from '../../source/host/money/ledger.ts';
import { Wallets } from '../../source/host/money/wallets.ts';
import { Storage } from '../../source/host/records/storage.ts';
import { firstBalances, type Paid } from './host-clients.ts';
import type { Money } from './host-judge.ts';

/** A time in which a host was there, in ms of `performance.now`. */
export interface Life {
  /** Its process was made. */
  readonly from: number;
  /** It said that it is up. */
  readonly up: number;
  /** It was told to end, or killed. */
  readonly until: number;
  /** It was gone. */
  readonly to: number;
}

/** Ms in which a service starts, on a machine that is busy. */
const startsWithin = 15_000;

/** Reads the records of a host that has ended. */
export function moneyIn(dataDir: string, paid: readonly Paid[], lives: readonly Life[]): Money {
  const storage = Storage.open(dataDir);
  try {
    const deployments = new Deployments(storage, systemClock);
    const wallets = new Wallets(storage);
    const grants = storage.prepare('select grantor, spend_limit, spent from grants').all();
    return {
      costs: paid.map(({ id, name, from, to, surely }) => ({
        name,
        price: deployments.getById(id).price,
        ...deployments.getAccount(id),
        recorded: usageOfRuns(storage, id),
        // A process may outlive a killed host, until the next one finds it.
        longest: Math.min(lives.at(-1)?.to ?? 0, to) - from + 1,
        ran: lives.some((life) => life.until - Math.max(life.up, surely) > startsWithin),
      })),
      lost: new Map(
        Object.entries(firstBalances).map(([wallet, first]) => [
          wallet,
          atoms(first) - wallets.getBalance(wallet),
        ]),
      ),
      grants: grants.map((row) => ({
        grantor: String(row['grantor']),
        limit: atoms(row['spend_limit']),
        spent: atoms(row['spent']),
      })),
      grantors: ['sponsor'],
    };
  } finally {
    storage.close();
  }
}

function atoms(value: unknown): bigint {
  const amount = parseDecimal(String(value));
  if (amount === undefined) throw new Error('a stored amount is no decimal');
  return amount;
}

function usageOfRuns(storage: Storage, id: string): bigint {
  const row =
    storage.prepare('select run_usage from deployments where id = ?').get(id) ??
    storage
      .prepare('select run_usage from archived_deployments where number = ?')
      .get(Number(id.slice(id.lastIndexOf('-') + 1)));
  return storage
    .prepare('select price, ran_ms from charged_runs where deployment = ?')
    .all(id)
    .map((run) => usageOf(atoms(run['price']), Number(run['ran_ms'])))
    .reduce((total, usage) => total + usage, BigInt(String(row?.['run_usage'])));
}
