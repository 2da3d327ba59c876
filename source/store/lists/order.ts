/** What each list can be ordered by, in the order in which a key steps through it. */
export const orderNames = {
  deployments: ['service', 'name', 'age', 'state'],
  files: ['name', 'size', 'time'],
  grants: ['service', 'party', 'state', 'spent', 'time left'],
} as const;

export type OrderedList = keyof typeof orderNames;
export type OrderName = (typeof orderNames)[OrderedList][number];

/** `service` is the order in which the service lists the rows. */
export interface ListOrder {
  readonly by: OrderName;
  readonly reversed: boolean;
}

export type ListOrders = Readonly<Record<OrderedList, ListOrder>>;

/** The same each time, so that what is known of an order is found again by it. */
const known = new Map<string, ListOrder>(
  Object.values(orderNames)
    .flat()
    .flatMap((by): [string, ListOrder][] => [
      [by, { by, reversed: false }],
      [`-${by}`, { by, reversed: true }],
    ]),
);

/** As the service lists them, and a tree by its names. */
export const firstOrders: ListOrders = {
  deployments: orderOf('service'),
  files: orderOf('name'),
  grants: orderOf('service'),
};

function orderOf(by: OrderName, reversed = false): ListOrder {
  return known.get(reversed ? `-${by}` : by) ?? { by, reversed };
}

/** The next way to order a list; after the last comes the first. It starts as it is read best. */
export function nextOrder(list: OrderedList, { by }: ListOrder): ListOrder {
  const names: readonly OrderName[] = orderNames[list];
  return orderOf(names[(names.indexOf(by) + 1) % names.length] ?? by);
}

/** The orders that the key steps through, as they start. */
export function ordersOf(list: OrderedList): readonly ListOrder[] {
  return orderNames[list].map((by) => orderOf(by));
}

export function reversedOrder({ by, reversed }: ListOrder): ListOrder {
  return orderOf(by, !reversed);
}

/** `age`, or `-age` where it is reversed: how it is kept, and shown in the title. */
export function orderText({ by, reversed }: ListOrder): string {
  return reversed ? `-${by}` : by;
}

/** Reads what {@link orderText} gave; undefined for what is no order of this list. */
export function readOrder(list: OrderedList, text: string): ListOrder | undefined {
  const order = known.get(text);
  const names: readonly OrderName[] = orderNames[list];
  return order !== undefined && names.includes(order.by) ? order : undefined;
}

const firsts: Readonly<Record<OrderName, readonly [usual: string, reversed: string]>> = {
  service: ['as the service lists them', 'as the service lists them, from the end'],
  name: ['from a to z', 'from z to a'],
  party: ['from a to z', 'from z to a'],
  age: ['newest first', 'oldest first'],
  time: ['newest first', 'oldest first'],
  state: ['what needs attention first', 'what needs attention last'],
  size: ['largest first', 'smallest first'],
  spent: ['most spent first', 'least spent first'],
  'time left': ['what ends soonest first', 'what ends latest first'],
};

/** What an order means, as the end of a sentence. */
export function orderMeaning({ by, reversed }: ListOrder): string {
  const meaning = firsts[by][reversed ? 1 : 0];
  return by === 'service' ? meaning : `by ${by}, ${meaning}`;
}

/** What a row is ordered by. */
export type OrderKey = number | string;

/** Compares what two rows are ordered by; what is not known stands last, whichever way it goes. */
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

/** The rows in the order of their keys; rows of the same key stay as they were to each other. */
export function orderRows<T>(
  rows: readonly T[],
  keyOf: (row: T) => OrderKey | undefined,
  reversed: boolean,
): readonly T[] {
  const keys = rows.map(keyOf);
  const way = reversed ? -1 : 1;
  // Places instead of rows with their keys: of a long list, that many objects cost a third more.
  const places = Array.from(keys.keys()).filter((place) => keys[place] !== undefined);
  places.sort((left, right) => {
    const a = keys[left] as OrderKey;
    const b = keys[right] as OrderKey;
    if (a === b) return 0;
    return a < b ? -way : way;
  });
  const last = rows.filter((_, place) => keys[place] === undefined);
  return places.map((place) => rows[place] as T).concat(last);
}

/** Ms since the epoch of an ISO timestamp; undefined where there is none that can be read. */
export function timeKey(timestamp: string | undefined): number | undefined {
  const at = timestamp === undefined ? Number.NaN : Date.parse(timestamp);
  return Number.isNaN(at) ? undefined : at;
}
