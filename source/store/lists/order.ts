/** The sort orders of each list, in the sequence of the key `o`. */
export const orderNames = {
  deployments: ['service', 'name', 'age', 'state'],
  files: ['name', 'size', 'time'],
  grants: ['service', 'party', 'state', 'spent', 'time left'],
} as const;

export type OrderedList = keyof typeof orderNames;
export type OrderName = (typeof orderNames)[OrderedList][number];

/** A sort order; `service` keeps the sequence of the service's answer. */
export interface ListOrder {
  readonly by: OrderName;
  readonly reversed: boolean;
}

export type ListOrders = Readonly<Record<OrderedList, ListOrder>>;

/** Interned orders: caches compare them by identity. */
const orders = new Map<string, ListOrder>(
  Object.values(orderNames)
    .flat()
    .flatMap((by): [string, ListOrder][] => [
      [by, { by, reversed: false }],
      [`-${by}`, { by, reversed: true }],
    ]),
);

/** The initial order of each list. */
export const firstOrders: ListOrders = {
  deployments: orderOf('service'),
  files: orderOf('name'),
  grants: orderOf('service'),
};

function orderOf(by: OrderName, reversed = false): ListOrder {
  return orders.get(reversed ? `-${by}` : by) ?? { by, reversed };
}

/** Returns the next order of a list, not reversed; the first one follows the last. */
export function nextOrder(list: OrderedList, { by }: ListOrder): ListOrder {
  const names: readonly OrderName[] = orderNames[list];
  return orderOf(names[(names.indexOf(by) + 1) % names.length] ?? by);
}

/** Returns all orders of a list, not reversed. */
export function ordersOf(list: OrderedList): readonly ListOrder[] {
  return orderNames[list].map((by) => orderOf(by));
}

export function reversedOrder({ by, reversed }: ListOrder): ListOrder {
  return orderOf(by, !reversed);
}

/** Formats an order for titles and for storage: `age`, or `-age` when reversed. */
export function orderText({ by, reversed }: ListOrder): string {
  return reversed ? `-${by}` : by;
}

/** Parses the text of {@link orderText}; undefined when the list has no such order. */
export function readOrder(list: OrderedList, text: string): ListOrder | undefined {
  const order = orders.get(text);
  const names: readonly OrderName[] = orderNames[list];
  return order !== undefined && names.includes(order.by) ? order : undefined;
}

const meanings: Readonly<Record<OrderName, readonly [forward: string, reversed: string]>> = {
  service: ['as listed by the service', 'as listed by the service, reversed'],
  name: ['a to z', 'z to a'],
  party: ['a to z', 'z to a'],
  age: ['newest first', 'oldest first'],
  time: ['newest first', 'oldest first'],
  state: ['most urgent first', 'least urgent first'],
  size: ['largest first', 'smallest first'],
  spent: ['most spent first', 'least spent first'],
  'time left': ['soonest end first', 'latest end first'],
};

/** Describes an order for the end of a sentence: `by age, newest first`. */
export function orderMeaning({ by, reversed }: ListOrder): string {
  const meaning = meanings[by][reversed ? 1 : 0];
  return by === 'service' ? meaning : `by ${by}, ${meaning}`;
}

/** The sort key of a row. */
export type OrderKey = number | string;

/** Compares two sort keys; an undefined key comes last in both directions. */
export function compareKeys<K extends OrderKey>(
  left: K | undefined,
  right: K | undefined,
  reversed: boolean,
): number {
  if (left === right) return 0;
  if (left === undefined) return 1;
  if (right === undefined) return -1;
  return left < right === reversed ? 1 : -1;
}

/** Sorts rows by key; the sort is stable, and rows without a key come last. */
export function orderRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => OrderKey | undefined,
  reversed: boolean,
): readonly T[] {
  const keys = rows.map(keyOf);
  const direction = reversed ? -1 : 1;
  // Sorts indexes: pairs of key and row would take a third longer for a long list.
  const indexes = Array.from(keys.keys()).filter((index) => keys[index] !== undefined);
  indexes.sort((left, right) => {
    const a = keys[left] as OrderKey;
    const b = keys[right] as OrderKey;
    if (a === b) return 0;
    return a < b ? -direction : direction;
  });
  const withoutKey = rows.filter((_, index) => keys[index] === undefined);
  return indexes.map((index) => rows[index] as T).concat(withoutKey);
}

/** Parses an ISO timestamp to ms since the epoch; undefined when it is missing or invalid. */
export function timeKey(timestamp: string | undefined): number | undefined {
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}
