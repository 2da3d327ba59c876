import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressName, parseAddressBook } from '../../../source/store/grants/address-book.ts';

const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';

describe('an address book', () => {
  it('is a JSON object with an address for each name', () => {
    const { book, problem } = parseAddressBook(`{"Dana": "${dana}", " Bot ": "cosmos1Bot"}`);
    expect(problem).toBeUndefined();
    expect(book).toEqual([
      { name: 'Dana', address: dana },
      { name: 'Bot', address: 'cosmos1Bot' },
    ]);
  });

  it.each(['', '[]', 'null', '"Dana"', '{"Dana": ', '{Dana: 1}'])(
    'cannot be read from %j',
    (text) => {
      expect(parseAddressBook(text)).toEqual({
        book: [],
        problem: 'is not a JSON object like {"Dana": "0x12ab"}',
      });
    },
  );

  it('keeps valid entries and reports the others', () => {
    const one = parseAddressBook(`{"Dana": "${dana}", "Bot": 5}`);
    expect(one).toEqual({
      book: [{ name: 'Dana', address: dana }],
      problem: 'has no address for "Bot"',
    });
    const { book, problem } = parseAddressBook('{"a": "", "b": null, " ": "0x1"}');
    expect(book).toEqual([]);
    expect(problem).toBe('has no addresses for 3 names');
  });

  it('may start with a byte order mark and contain any JSON', () => {
    expect(parseAddressBook('\uFEFF{"Dana": "0x1"}').book).toHaveLength(1);
    expect(parseAddressBook('{"__proto__": "0x1"}').book).toEqual([
      { name: '__proto__', address: '0x1' },
    ]);
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const { book } = parseAddressBook(text);
        expect(book.every(({ name, address }) => name !== '' && address !== '')).toBe(true);
      }),
    );
  });
});

describe('the name of an address', () => {
  const { book } = parseAddressBook(
    `{"Dana": "${dana}", "Also Dana": "${dana}", "Bot": "cosmos1Bot"}`,
  );

  it('is found in any case of a hexadecimal address, as the first of several', () => {
    expect(addressName(book, dana)).toBe('Dana');
    expect(addressName(book, dana.toUpperCase().replace('0X', '0x'))).toBe('Dana');
  });

  it('is found for other addresses only in the exact case', () => {
    expect(addressName(book, 'cosmos1Bot')).toBe('Bot');
    expect(addressName(book, 'cosmos1bot')).toBeUndefined();
    expect(addressName(book, '')).toBeUndefined();
    expect(addressName([], dana)).toBeUndefined();
  });
});
