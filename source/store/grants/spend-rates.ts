import type { Grant } from '../../contract/grants.ts';
import { isBreak, ratePerHour, type SpendReadings, withReading } from './spend-rate.ts';
import type { ListingStore } from '../lists/listing.ts';

/** How fast grants are spent, by what was seen of them so far. */
export interface GrantRates {
  /** An hour; undefined while it cannot be told. */
  rateOf(id: string): number | undefined;
}

/** Reads each answer to the list. What does not change takes no work: lists are long. */
export function createGrantRates(options: {
  readonly list: ListingStore<Grant>;
  readonly serviceNow: () => number;
}): GrantRates {
  const { list, serviceNow } = options;
  /** Up to the last change of each; since then it is what it was at {@link answeredAt}. */
  let known: ReadonlyMap<string, SpendReadings> = new Map();
  let answeredAt = 0;

  function upToNow(readings: SpendReadings): SpendReadings {
    const last = readings.at(-1);
    // What changes with each answer is up to the last one.
    if (last?.at === answeredAt) return readings;
    return last === undefined ? [] : withReading(readings, { at: answeredAt, spent: last.spent });
  }

  list.state.subscribe((now, before) => {
    const isAnswer = now.loadedAt !== before.loadedAt || now.rows !== before.rows;
    if (now.loadedAt === undefined || !isAnswer) return;
    const at = serviceNow();
    const isAnew = isBreak(answeredAt, at);
    if (isAnew || now.rows !== before.rows) {
      const next = new Map<string, SpendReadings>();
      for (const { value } of now.rows) {
        const readings = isAnew ? undefined : known.get(value.id);
        const { id, spent } = value;
        if (readings === undefined) next.set(id, [{ at, spent }]);
        else if (readings.at(-1)?.spent === spent) next.set(id, readings);
        else next.set(id, withReading(upToNow(readings), { at, spent }));
      }
      known = next;
    }
    answeredAt = at;
  });

  return { rateOf: (id) => ratePerHour(upToNow(known.get(id) ?? [])) };
}
