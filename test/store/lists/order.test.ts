import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Grant } from '../../../source/contract/grants.ts';
import { orderDeployments } from '../../../source/store/deployments/order.ts';
import { emptyAddressBook } from '../../../source/store/grants/address-book.ts';
import { orderGrants } from '../../../source/store/grants/order.ts';
import { listPaneNames } from '../../../source/store/lists/list-panes.ts';
import {
  compareKeys,
  firstOrders,
  type ListOrder,
  nextOrder,
  orderedIndexes,
  orderMeaning,
  orderNames,
  orderRows,
  orderText,
  readOrder,
  reversedOrder,
} from '../../../source/store/lists/order.ts';
import { read } from '../requests.ts';

const lists = listPaneNames;
const keys = fc.option(fc.integer({ min: -3, max: 3 }), { nil: undefined });
const texts = fc.option(fc.constantFrom('', 'a', 'ab', 'b', 'é'), { nil: undefined });

describe('the orders of a list', () => {
  it('are stepped through one by one, then again from the first', () => {
    for (const list of lists) {
      let order = firstOrders[list];
      const seen: string[] = [];
      for (const _ of orderNames(list)) {
        seen.push(order.by);
        order = nextOrder(list, order);
      }
      expect(seen).toEqual(orderNames(list));
      expect(order).toBe(firstOrders[list]);
    }
  });

  it('are reversed and back, and not reversed after a step', () => {
    for (const list of lists) {
      const reversed = reversedOrder(firstOrders[list]);
      expect(reversed).toMatchObject({ by: firstOrders[list].by, reversed: true });
      expect(reversedOrder(reversed)).toBe(firstOrders[list]);
      expect(nextOrder(list, reversed).reversed).toBe(false);
    }
  });

  it('are parsed from their text, only for a list that has them', () => {
    for (const list of lists) {
      for (const by of orderNames(list)) {
        for (const reversed of [false, true]) {
          const order: ListOrder = { by, reversed };
          expect(readOrder(list, orderText(order))).toEqual(order);
        }
      }
      for (const text of ['', '-', 'age ', '--age', 'toString', '__proto__']) {
        expect(readOrder(list, text)).toBeUndefined();
      }
    }
    expect(readOrder('grants', 'age')).toBeUndefined();
    expect(readOrder('files', 'spent')).toBeUndefined();
  });

  it('have a description', () => {
    expect(orderMeaning('deployments', { by: 'age', reversed: false })).toBe(
      'by age, newest first',
    );
    expect(orderMeaning('deployments', { by: 'age', reversed: true })).toBe('by age, oldest first');
    expect(orderMeaning('grants', firstOrders.grants)).toBe('as listed by the service');
  });
});

describe('rows in an order', () => {
  it('are sorted by key, stable, and without a key last', () => {
    for (const arbitrary of [keys, texts] as fc.Arbitrary<number | string | undefined>[]) {
      fc.assert(
        fc.property(fc.array(arbitrary), fc.boolean(), (all, reversed) => {
          const rows = all.map((key, index) => ({ key, index }));
          const ordered = orderRows(rows, ({ key }) => key, reversed);
          expect(ordered.toSorted((a, b) => a.index - b.index)).toEqual(rows);
          for (const [at, row] of ordered.slice(1).entries()) {
            const before = ordered[at] ?? row;
            const compared = compareKeys<number | string>(before.key, row.key, reversed);
            expect(compared).toBeLessThanOrEqual(0);
            if (compared === 0) expect(before.index).toBeLessThan(row.index);
          }
          expect(orderRows(ordered, ({ key }) => key, reversed)).toEqual(ordered);
        }),
      );
    }
  });

  it('do not depend on the order that the sorting starts from', () => {
    const allKeys = fc.array(fc.oneof(keys, texts), { maxLength: 12 });
    const start = fc.nat({ max: 15 }).chain((length) => {
      const indexes = Array.from({ length }, (_, index) => index);
      return fc.shuffledSubarray(indexes, { minLength: length });
    });
    fc.assert(
      fc.property(allKeys, start, fc.boolean(), (all, before, reversed) => {
        const comparable = all.map((key) => (key === undefined ? undefined : String(key)));
        expect(orderedIndexes(comparable, reversed, before)).toEqual(
          orderedIndexes(comparable, reversed),
        );
      }),
    );
  });

  it('are compared antisymmetrically and transitively', () => {
    fc.assert(
      fc.property(keys, keys, keys, fc.boolean(), (a, b, c, reversed) => {
        const compare = (x: typeof a, y: typeof a) => compareKeys(x, y, reversed);
        expect(Math.sign(compare(a, b)) + Math.sign(compare(b, a))).toBe(0);
        expect(compare(a, b) === 0).toBe(a === b);
        if (compare(a, b) <= 0 && compare(b, c) <= 0) expect(compare(a, c)).toBeLessThanOrEqual(0);
      }),
    );
  });
});

describe('deployments', () => {
  const deployment = (id: string, more: Partial<Deployment> = {}) =>
    read<Deployment>({ id, services: [], ...more });
  const rows = [
    deployment('1', { name: 'v10', state: 'closed', createdAt: '2026-01-03T00:00:00Z' }),
    deployment('2', { name: 'V2', state: 'active', createdAt: '2026-01-01T00:00:00Z' }),
    deployment('3', { name: 'Émile', state: 'rolling', createdAt: 'yesterday' }),
    deployment('aa', { state: 'FAILED', createdAt: '2026-01-02T00:00:00Z' }),
    deployment('5', { name: 'v1', state: 'suspended' }),
    deployment('6', { name: 'v3', state: 'restarting', createdAt: '2026-01-05T00:00:00Z' }),
    deployment('7', { name: 'v4', state: 'starting', createdAt: '2026-01-04T00:00:00Z' }),
    deployment('8', { name: 'v4', createdAt: '2026-01-04T00:00:00Z' }),
  ];
  const ordered = (by: ListOrder['by'], reversed = false) =>
    orderDeployments(rows, { by, reversed }).rows.map(({ value }) => value.id);

  it('are the same array in the order of the service', () => {
    expect(orderDeployments(rows, firstOrders.deployments).rows).toBe(rows);
    expect(ordered('service', true)).toEqual(['8', '7', '6', '5', 'aa', '3', '2', '1']);
  });

  it('are by label: the name, else the short id', () => {
    expect(ordered('name')).toEqual(['aa', '3', '5', '2', '6', '7', '8', '1']);
    expect(ordered('name', true)).toEqual(['1', '7', '8', '6', '2', '5', '3', 'aa']);
  });

  it('are by age, newest first, unknown ages last', () => {
    expect(ordered('age')).toEqual(['6', '7', '8', '1', 'aa', '2', '3', '5']);
    expect(ordered('age', true)).toEqual(['2', 'aa', '1', '7', '8', '6', '3', '5']);
  });

  it('are by restarts and by cost, highest first, unknown ones last', () => {
    const counted = (id: string, restarts: number | undefined, pricePerHour?: string) =>
      deployment(id, { services: [{ name: 'web', restarts }], pricePerHour });
    const some = [counted('a', 2, '0.12'), counted('b', undefined), counted('c', 10, '1.5')];
    const idsBy = (by: ListOrder['by'], reversed = false) =>
      orderDeployments(some, { by, reversed }).rows.map(({ value }) => value.id);
    expect(idsBy('restarts')).toEqual(['c', 'a', 'b']);
    expect(idsBy('cost')).toEqual(['c', 'a', 'b']);
    expect(idsBy('cost', true)).toEqual(['a', 'c', 'b']);
  });
});

describe('grants', () => {
  const now = Date.UTC(2026, 5, 1);
  const grant = (id: string, more: Partial<Grant> = {}) =>
    read<Grant>({
      id,
      grantor: '0xMe',
      grantee: `0x${id}`,
      limit: 10,
      spent: 0,
      expires_at: new Date(now + 5000).toISOString(),
      created_at: '2026-01-01T00:00:00Z',
      ...more,
    });
  const rows = [
    grant('d', { spent: 3, expires_at: new Date(now + 9000).toISOString() }),
    grant('a', { spent: 2, limit: 2 }),
    grant('c', { expires_at: new Date(now - 1).toISOString(), spent: 5 }),
    grant('B', { spent: 4 }),
    grant('r', { grantor: '0xAlice', grantee: '0xMe', status: 'revoked', limit: 0 }),
  ];
  const ordered = (by: ListOrder['by'], reversed = false, at = now, book = emptyAddressBook) =>
    orderGrants(rows, { order: { by, reversed }, wallet: '0xMe', book, now: at }).rows.map(
      ({ value }) => value.id,
    );

  it('are in the order of the service', () => {
    expect(
      orderGrants(rows, {
        order: firstOrders.grants,
        wallet: undefined,
        book: emptyAddressBook,
        now,
      }).rows,
    ).toBe(rows);
    expect(ordered('service', true)).toEqual(['r', 'B', 'c', 'a', 'd']);
  });

  it('are by the other party in both directions', () => {
    expect(ordered('party')).toEqual(['a', 'r', 'B', 'c', 'd']);
    expect(ordered('party', true)).toEqual(['d', 'c', 'B', 'r', 'a']);
  });

  it('are by the name of the other party, if it has one', () => {
    const book = [
      { name: 'Zoe 10', address: '0xa' },
      { name: 'zoe 2', address: '0xd' },
    ];
    expect(ordered('party', false, now, book)).toEqual(['r', 'B', 'c', 'd', 'a']);
  });

  it('are by state, a reached limit first', () => {
    expect(ordered('state')).toEqual(['a', 'd', 'B', 'c', 'r']);
  });

  it('are by the spent share, largest first', () => {
    expect(ordered('spent')).toEqual(['a', 'r', 'c', 'B', 'd']);
  });

  it('are by the time left, ended grants last', () => {
    expect(ordered('time left')).toEqual(['B', 'd', 'a', 'c', 'r']);
    expect(ordered('time left', true)).toEqual(['d', 'B', 'a', 'c', 'r']);
    expect(ordered('time left', false, now + 6000)).toEqual(['d', 'a', 'c', 'B', 'r']);
  });
});
