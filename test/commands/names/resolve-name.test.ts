import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamedRecord, resolveName } from '../../../source/commands/names/resolve-name.ts';

const word = fc.string({ unit: fc.constantFrom('a', 'b', '/', ':'), maxLength: 4 });
const record: fc.Arbitrary<NamedRecord> = fc.record(
  { id: word.filter((id) => id !== ''), name: word, isClosed: fc.boolean() },
  { requiredKeys: ['id'] },
);
const records = fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 8 });

describe('a typed name', () => {
  const shop = { id: 'a1', name: 'shop' };
  const shop2 = { id: 'b2', name: 'shop-2' };
  const bare = { id: 'c3-4' };

  it('is an id, a name, or a unique beginning of one', () => {
    const all = [shop, shop2, bare];
    expect(resolveName('a1', all)).toEqual({ kind: 'one', record: shop, isExact: true });
    expect(resolveName('shop', all)).toEqual({ kind: 'one', record: shop, isExact: true });
    expect(resolveName('shop-', all)).toEqual({ kind: 'one', record: shop2, isExact: false });
    expect(resolveName('c3', all)).toEqual({ kind: 'one', record: bare, isExact: false });
    expect(resolveName('sho', all)).toMatchObject({ kind: 'several', records: [shop, shop2] });
    expect(resolveName('x', all)).toEqual({ kind: 'none' });
    expect(resolveName('', all)).toEqual({ kind: 'none' });
  });

  it('is ambiguous where two have it, and passes over closed ones', () => {
    const twin = { id: 'd5', name: 'shop' };
    expect(resolveName('shop', [shop, twin])).toEqual({
      kind: 'several',
      records: [shop, twin],
      isExact: true,
    });
    const closed = { ...twin, isClosed: true };
    expect(resolveName('shop', [shop, closed])).toMatchObject({ kind: 'one', record: shop });
    expect(resolveName('shop', [closed])).toMatchObject({ kind: 'one', record: closed });
  });

  it('always finds a record by its whole id', () => {
    fc.assert(
      fc.property(records, (all) => {
        for (const one of all) {
          expect(resolveName(one.id, all)).toEqual({ kind: 'one', record: one, isExact: true });
        }
      }),
    );
  });

  it('finds only records that it begins, in any order of the list', () => {
    fc.assert(
      fc.property(records, word, (all, text) => {
        const found = resolveName(text, all);
        const matches =
          found.kind === 'one' ? [found.record] : found.kind === 'several' ? found.records : [];
        for (const { id, name } of matches) {
          expect(id.startsWith(text) || name?.startsWith(text)).toBe(true);
        }
        const reversed = resolveName(text, all.toReversed());
        expect(reversed.kind).toBe(found.kind);
        if (found.kind === 'one') expect(reversed).toEqual(found);
      }),
    );
  });
});
