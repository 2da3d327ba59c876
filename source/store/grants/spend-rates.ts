import type { Grant } from '../../contract/grants.ts';
import { isClockBreak, ratePerHour, type SpendReadings, addReading } from './runway.ts';
import { type Spending, totalSpending } from './spending.ts';
import type { ListingStore } from '../lists/listing.ts';

/** Spend rates of the listed grants. */
export interface GrantRates {
  /** Returns the amount spent per hour; undefined while it is unknown. */
  rateOf(id: string): number | undefined;
  /** Returns the spending of all active grants at the last answer; undefined while it is unknown. */
  total(): Spending | undefined;
}

/**
 * Records the spent amounts of each answer; unchanged grants cost nothing, because lists are long.
 */
export function createGrantRates(options: {
  readonly list: ListingStore<Grant>;
  readonly serviceNow: () => number;
}): GrantRates {
  const { list, serviceNow } = options;
  /** Readings up to the last change of each grant, valid until the time of the last answer. */
  let readingsById: ReadonlyMap<string, SpendReadings> = new Map();
  let answeredAt = 0;
  /** Cached until the next answer, because a title shows it every second. */
  let total: { readonly spending: Spending | undefined } | undefined;

  function extendToAnswer(readings: SpendReadings): SpendReadings {
    const last = readings.at(-1);
    // The last reading already belongs to the last answer.
    if (last?.at === answeredAt) return readings;
    return last === undefined ? [] : addReading(readings, { at: answeredAt, spent: last.spent });
  }

  list.state.subscribe((now, before) => {
    const isAnswer = now.loadedAt !== before.loadedAt || now.rows !== before.rows;
    if (now.loadedAt === undefined || !isAnswer) return;
    const at = serviceNow();
    const isReset = isClockBreak(answeredAt, at);
    if (isReset || now.rows !== before.rows) {
      const next = new Map<string, SpendReadings>();
      for (const { value } of now.rows) {
        const readings = isReset ? undefined : readingsById.get(value.id);
        const { id, spent } = value;
        if (readings === undefined) next.set(id, [{ at, spent }]);
        else if (readings.at(-1)?.spent === spent) next.set(id, readings);
        else next.set(id, addReading(extendToAnswer(readings), { at, spent }));
      }
      readingsById = next;
    }
    answeredAt = at;
    total = undefined;
  });

  const rateOf = (id: string) => ratePerHour(extendToAnswer(readingsById.get(id) ?? []));
  return {
    rateOf,
    total() {
      total ??= { spending: totalSpending(list.state.getState().rows, rateOf, answeredAt) };
      return total.spending;
    },
  };
}
