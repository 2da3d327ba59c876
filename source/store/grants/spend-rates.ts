import type { Grant } from '../../contract/grants.ts';
import { addReading, isClockBreak, ratePerHourUntil, type SpendReadings } from './runway.ts';
import { type Spending, totalSpending } from './spending.ts';
import type { Listing, ListingStore } from '../lists/listing.ts';

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
  /** Readings up to the last change of each grant, by its index, valid until the last answer. */
  let readings: readonly SpendReadings[] = [];
  let indexes: ReadonlyMap<string, number> = new Map();
  let answeredAt = 0;
  /** Computed with each answer, because a title shows it in every frame. */
  let total: Spending | undefined;

  const rateAt = (index: number) => ratePerHourUntil(readings[index] ?? [], answeredAt);

  const totalOf = (rows: Rows, of: typeof readings, at: number) =>
    totalSpending(rows, (index) => ratePerHourUntil(of[index] ?? [], at), at);

  function extendToAnswer(readings: SpendReadings): SpendReadings {
    const last = readings.at(-1);
    // The last reading already belongs to the last answer.
    if (last?.at === answeredAt) return readings;
    return last === undefined ? [] : addReading(readings, { at: answeredAt, spent: last.spent });
  }

  function readingsOf(rows: Rows, before: Rows, at: number): readonly SpendReadings[] {
    const isReset = isClockBreak(answeredAt, at);
    return rows.map(({ value: { id, spent } }, index) => {
      const isSameRow = before[index]?.value.id === id;
      const old = isReset ? undefined : readings[isSameRow ? index : (indexes.get(id) ?? -1)];
      if (old === undefined) return [{ at, spent }];
      return old.at(-1)?.spent === spent ? old : addReading(extendToAnswer(old), { at, spent });
    });
  }

  let ahead: Ahead | undefined;

  list.prepareWith((rows) => {
    const from = readings;
    const at = serviceNow();
    const before = list.state.getState().rows;
    let next = from;
    return [
      () => void (next = readingsOf(rows, before, at)),
      () => void (ahead = { rows, from, at, readings: next, total: totalOf(rows, next, at) }),
    ];
  });

  list.state.subscribe((now, before) => {
    const isAnswer = now.loadedAt !== before.loadedAt || now.rows !== before.rows;
    if (now.loadedAt === undefined || !isAnswer) return;
    let at = serviceNow();
    const prepared = ahead;
    ahead = undefined;
    const isPrepared = prepared?.rows === now.rows && prepared.from === readings;
    if (isPrepared) {
      ({ at, readings } = prepared);
    } else if (isClockBreak(answeredAt, at) || now.rows !== before.rows) {
      readings = readingsOf(now.rows, before.rows, at);
    }
    if (!hasSameIds(before.rows, now.rows)) {
      indexes = new Map(now.rows.map(({ value }, index) => [value.id, index]));
    }
    answeredAt = at;
    total = isPrepared ? prepared.total : totalOf(now.rows, readings, at);
  });

  return {
    rateOf: (id) => rateAt(indexes.get(id) ?? -1),
    total: () => total,
  };
}

type Rows = Listing<Grant>['rows'];

/** The readings and the total of rows that are about to be shown. */
interface Ahead {
  readonly rows: Rows;
  /** The readings that these were made from. */
  readonly from: readonly SpendReadings[];
  /** Ms since the epoch, by the clock of the service. */
  readonly at: number;
  readonly readings: readonly SpendReadings[];
  readonly total: Spending | undefined;
}

function hasSameIds(before: Rows, now: Rows): boolean {
  if (before === now) return true;
  return (
    before.length === now.length &&
    now.every(({ value }, index) => before[index]?.value.id === value.id)
  );
}
