import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type FilteredRow, parseListFilter } from '../../../source/store/lists/filter.ts';
import { joinTexts } from '../../../source/store/lists/searched-texts.ts';
import { codePoint } from '../../support/code-point.ts';

const matches = (typed: string, row: FilteredRow) => parseListFilter(typed).matches(row);
const text = (value: string): FilteredRow => ({ text: value.toLowerCase() });

it('matches rows with every word, in any order and case', () => {
  expect(matches('WEB shop', text('Shop-2 web'))).toBe(true);
  expect(matches('web api', text('shop web'))).toBe(false);
});

it('inverts a word with a leading exclamation mark', () => {
  expect(matches('shop !old', text('shop-2'))).toBe(true);
  expect(matches('shop !old', text('shop-old'))).toBe(false);
});

it('reads an escaped exclamation mark as text, also in an inverted word', () => {
  expect(matches('\\!important', text('!important'))).toBe(true);
  expect(matches('\\!important', text('important'))).toBe(false);
  expect(matches('!\\!x', text('a!x'))).toBe(false);
  expect(matches('!\\!x', text('ax'))).toBe(true);
});

it('matches the beginning of the state', () => {
  expect(matches('state:active', { text: 'shop', state: 'Active' })).toBe(true);
  expect(matches('state:act', { text: 'shop', state: 'active' })).toBe(true);
  expect(matches('state:active', { text: 'shop', state: 'inactive' })).toBe(false);
  expect(matches('state:active', { text: 'state:active', state: 'failed' })).toBe(false);
  expect(matches('state:limit', { text: '0x1 0x2', state: 'limit reached' })).toBe(true);
  expect(matches('active', { text: 'shop', state: 'active' })).toBe(false);
});

it('matches the beginning of any service name', () => {
  const row = { text: 'shop web api', services: [{ name: 'web' }, { name: 'api' }] };
  expect(matches('service:api', row)).toBe(true);
  expect(matches('service:A', row)).toBe(true);
  expect(matches('service:shop', row)).toBe(false);
  expect(matches('!service:web', row)).toBe(false);
});

it('matches no row without a state or services by them', () => {
  expect(matches('state:active', text('state:active'))).toBe(false);
  expect(matches('service:web', text('service:web'))).toBe(false);
  expect(matches('!state:active', text('shop'))).toBe(true);
});

it('matches every row while a term is unfinished', () => {
  for (const typed of ['', '  ', '!', 'state:', '!state:', 'service:', '!service:']) {
    expect(matches(typed, { text: 'shop', state: 'active', services: [{ name: 'web' }] })).toBe(
      true,
    );
  }
});

const typedArbitrary = fc.oneof(
  fc.string({ unit: codePoint }),
  fc
    .array(fc.constantFrom('!', '\\', ' ', 'state:', 'service:', ':', 'a', 'İ', '\t'), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);
const rowArbitrary: fc.Arbitrary<FilteredRow> = fc.record({
  text: fc.string({ unit: codePoint }).map((value) => value.toLowerCase()),
  state: fc.option(fc.string(), { nil: undefined }),
  services: fc.array(fc.record({ name: fc.string() }), { maxLength: 3 }),
});
const wordArbitrary = fc
  .string({ unit: codePoint, minLength: 1 })
  .filter((word) => !/\s/.test(word) && !/^!|^\\!|^(state|service):/i.test(word));

it('parses any text', () => {
  fc.assert(
    fc.property(typedArbitrary, rowArbitrary, (typed, row) => {
      expect(typeof matches(typed, row)).toBe('boolean');
    }),
  );
});

it('matches a row by each word of its text', () => {
  fc.assert(
    fc.property(fc.array(wordArbitrary, { minLength: 1, maxLength: 4 }), (words) => {
      for (const word of words) expect(matches(word, text(words.join(' ')))).toBe(true);
    }),
  );
});

it('matches an inverted word exactly when it does not match the word', () => {
  fc.assert(
    fc.property(wordArbitrary, rowArbitrary, (word, row) => {
      expect(matches(`!${word}`, row)).toBe(!matches(word, row));
    }),
  );
});

it('never matches more rows with one more term', () => {
  fc.assert(
    fc.property(typedArbitrary, typedArbitrary, rowArbitrary, (typed, more, row) => {
      if (matches(`${typed} ${more}`, row)) expect(matches(typed, row)).toBe(true);
    }),
  );
});

it('tells whether it reads the state', () => {
  expect(parseListFilter('shop STATE:act').asksState).toBe(true);
  expect(parseListFilter('!state:act').asksState).toBe(true);
  expect(parseListFilter('shop xstate:act').asksState).toBe(false);
  fc.assert(
    fc.property(typedArbitrary, rowArbitrary, (typed, row) => {
      const filter = parseListFilter(typed);
      if (filter.asksState) return;
      expect(filter.matches({ ...row, state: undefined })).toBe(filter.matches(row));
    }),
  );
});

it('finds the texts of a list that match', () => {
  const texts = fc.array(
    fc.option(
      rowArbitrary.map((row) => row.text),
      { nil: undefined },
    ),
  );
  fc.assert(
    fc.property(typedArbitrary, texts, (typed, all) => {
      const filter = parseListFilter(typed);
      fc.pre(filter.asksTextOnly);
      const isMatch = (one: string | undefined) =>
        one !== undefined && filter.matches({ text: one });
      expect(filter.findTexts(joinTexts(all))).toEqual(
        [...all.keys()].filter((index) => isMatch(all[index])),
      );
    }),
  );
});

it('finds each text once, also beside empty texts and texts with line ends', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n', 'é'), maxLength: 5 });
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(fc.array(letters), word, (texts, one) => {
      expect(parseListFilter(one).findTexts(joinTexts(texts))).toEqual(
        [...texts.keys()].filter((index) => texts[index]?.includes(one)),
      );
    }),
  );
});

it('reads fields only where it has one', () => {
  fc.assert(
    fc.property(typedArbitrary, rowArbitrary, (typed, row) => {
      const filter = parseListFilter(typed);
      if (filter.asksTextOnly) expect(filter.matches({ text: row.text })).toBe(filter.matches(row));
      else expect(typed).toMatch(/(state|service):/i);
    }),
  );
});
