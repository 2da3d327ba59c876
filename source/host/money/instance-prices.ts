import type { Atoms } from '../../contract/decimal.ts';
import { readSdlPlacements } from '../../contract/sdl/parse.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { RunKey } from './charged-runs.ts';

/** The prices of a service's instances for a block of 6 s, in the order of their numbers. */
export type InstancePrices = ReadonlyMap<string, readonly Atoms[]>;

/** The prices of all deployments, read from their definitions when they are first needed. */
export class KnownPrices {
  readonly #deployments: Pick<Deployments, 'readSdl'>;
  /** Prices by the services of a record, which only a new definition replaces. */
  readonly #byServices = new WeakMap<DeploymentRecord['services'], InstancePrices>();

  constructor(deployments: Pick<Deployments, 'readSdl'>) {
    this.#deployments = deployments;
  }

  /** Reads the prices of a deployment before they are needed, together with those of many others. */
  prepare(record: DeploymentRecord): void {
    this.#read(record);
  }

  /** Returns the price of an instance for a block of 6 s. */
  find(record: DeploymentRecord, { service, instance }: RunKey): Atoms {
    return this.#read(record).get(service)?.[instance - 1] ?? 0n;
  }

  #read(record: DeploymentRecord): InstancePrices {
    let prices = this.#byServices.get(record.services);
    if (prices === undefined) {
      prices = readInstancePrices(record, this.#deployments.readSdl(record));
      this.#byServices.set(record.services, prices);
    }
    return prices;
  }
}

type Priced = Pick<DeploymentRecord, 'services' | 'price'>;

/**
 * Returns the price of each instance of a deployment; their sum is the deployment's price. The
 * instances of a service are numbered by placement, in the order of the definition.
 */
export function readInstancePrices(record: Priced, sdl: string): InstancePrices {
  const prices = new Map<string, Atoms[]>();
  // A stored definition may hold what is refused in a new one.
  for (const { service, count, amount } of readSdlPlacements(sdl)) {
    const before = prices.get(service) ?? [];
    prices.set(service, [...before, ...Array<Atoms>(count).fill(amount)]);
  }
  return fits(prices, record) ? prices : splitEvenly(record);
}

/** Returns true when the prices are those of the stored services. */
function fits(prices: InstancePrices, { services, price }: Priced): boolean {
  const total = [...prices.values()].flat().reduce((sum, each) => sum + each, 0n);
  return total === price && services.every(({ name, count }) => prices.get(name)?.length === count);
}

/**
 * Splits the price over all instances, the first ones get the remainder. For definitions that an
 * earlier version read in another way: its total was agreed upon.
 */
function splitEvenly({ services, price }: Priced): InstancePrices {
  const instances = BigInt(services.reduce((sum, { count }) => sum + count, 0));
  let remainder = instances === 0n ? 0n : price % instances;
  return new Map(
    services.map(({ name, count }) => [
      name,
      Array.from({ length: count }, () => {
        const extra = remainder > 0n ? 1n : 0n;
        remainder -= extra;
        return price / instances + extra;
      }),
    ]),
  );
}
