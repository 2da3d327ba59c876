import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import { emptyAddressBook } from '../../../source/store/grants/address-book.ts';
import { grantPreparations, visibleGrants } from '../../../source/store/grants/visible.ts';
import {
  type ListOrder,
  type OrderName,
  orderNames,
  readOrder,
  reversedOrder,
} from '../../../source/store/lists/order.ts';
import { read } from '../requests.ts';

function orderOf(by: OrderName): ListOrder {
  return readOrder('grants', by) ?? { by, reversed: false };
}

describe('visible grants', () => {
  const now = Date.UTC(2026, 5, 1);
  const grant = (id: string, more: Partial<Grant> = {}) =>
    read<Grant>({
      id,
      grantor: '0xAAAA',
      grantee: '0xBBBB',
      limit: 10,
      spent: 0,
      expires_at: new Date(now + 1000).toISOString(),
      created_at: '2026-01-01T00:00:00Z',
      ...more,
    });
  const rows = [grant('1'), grant('2', { spent: 10 }), grant('3', { grantee: '0xCCCC' })];
  const visible = (typed: string, at = now) =>
    visibleGrants(rows, typed, at).map((row) => row.value.id);

  it('are the same array without a filter', () => {
    expect(visibleGrants(rows, '', now)).toBe(rows);
  });

  it('stay as they are while the other orders and the filter are prepared', () => {
    const ordering = { book: emptyAddressBook, wallet: undefined, now };
    const shown = visibleGrants(rows, '', now, emptyAddressBook, orderOf('party'));
    for (const step of grantPreparations(rows, ordering)) step();
    expect(visibleGrants(rows, '', now, emptyAddressBook, orderOf('party'))).toBe(shown);
    expect(visible('0xcccc')).toEqual(['3']);
  });

  it('are found by either address', () => {
    expect(visible('0xaaaa')).toEqual(['1', '2', '3']);
    expect(visible('cccc')).toEqual(['3']);
  });

  it('are found by the name of either address', () => {
    const book = [{ name: 'Dana', address: '0xcccc' }];
    const ids = visibleGrants(rows, 'dana', now, book).map((row) => row.value.id);
    expect(ids).toEqual(['3']);
  });

  it('are found by what their rows show: the direction and the state', () => {
    const found = (typed: string, wallet: string | undefined, at = now) =>
      visibleGrants(rows, typed, at, emptyAddressBook, undefined, wallet).map(
        (row) => row.value.id,
      );
    expect(found('given', '0xAAAA')).toEqual(['1', '2', '3']);
    expect(found('received', '0xBBBB')).toEqual(['1', '2']);
    expect(found('given', '0xBBBB')).toEqual([]);
    expect(found('given', undefined)).toEqual([]);
    expect(found('limit reached', '0xAAAA')).toEqual(['2']);
    expect(found('!active', '0xAAAA')).toEqual(['2']);
    expect(found('EXPIRED', '0xAAAA', now + 1000)).toEqual(['1', '2', '3']);
    expect(found('expired', '0xAAAA')).toEqual([]);
  });

  it("are found by the state they are in by the service's clock", () => {
    expect(visible('state:active')).toEqual(['1', '3']);
    expect(visible('state:limit')).toEqual(['2']);
    expect(visible('state:expired', now + 1000)).toEqual(['1', '2', '3']);
    expect(visible('state:expired', now)).toEqual([]);
  });

  it('are the same array at any time until a grant expires', () => {
    const byTime = { by: 'time left', reversed: false } as const;
    const at = (moment: number) =>
      visibleGrants(rows, 'state:active', moment, emptyAddressBook, byTime, '0xAAAA');
    const shown = at(now);
    expect(at(now + 999)).toBe(shown);
    expect(at(now - 999)).toBe(shown);
    expect(at(now + 1000)).toEqual([]);
    expect(at(now)).toEqual(shown);
  });

  it('depend only on rows, filter, order and time, in any sequence of calls', () => {
    const some = [
      grant('1', { spent: 3, expires_at: new Date(now + 2000).toISOString() }),
      grant('2', { spent: 10 }),
      grant('3', { grantor: '0xCCCC', grantee: '0xAAAA', status: 'revoked' }),
      grant('4', { spent: 5, expires_at: new Date(now - 1000).toISOString() }),
    ];
    const ask = fc.record({
      typed: fc.constantFrom(
        '',
        ' ',
        'b',
        'bo',
        'bob',
        'b state:active',
        'active',
        'received',
        '!limit given',
        'state:active',
        '!STATE:exp',
      ),
      by: fc.constantFrom(...orderNames('grants')),
      reversed: fc.boolean(),
      moment: fc.constantFrom(...[-2, -1, 0, 1, 2, 3].map((seconds) => now + seconds * 1000)),
      wallet: fc.constantFrom(undefined, '0xAAAA'),
      book: fc.constantFrom(emptyAddressBook, [{ name: 'bob', address: '0xCCCC' }]),
    });
    fc.assert(
      fc.property(fc.array(ask, { minLength: 1, maxLength: 8 }), (asked) => {
        for (const { typed, by, reversed, moment, wallet, book } of asked) {
          const order = reversed ? reversedOrder(orderOf(by)) : orderOf(by);
          expect(visibleGrants(some, typed, moment, book, order, wallet)).toEqual(
            visibleGrants([...some], typed, moment, book, order, wallet),
          );
        }
      }),
    );
  });
});
