import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type ByteSearch,
  sharedByteSearch,
  type Literal,
  maxMatches,
} from '../../../source/tail/query/byte-search.ts';

const bytes = fc
  .string({
    unit: fc.constantFrom('a', 'A', 'b', 'B', '[', '{', '@', '`', '\xc1', 'x'),
    maxLength: 200,
  })
  .map((text) => Buffer.from(text, 'latin1'));
const literals = fc
  .record({
    letters: fc.string({
      unit: fc.constantFrom('a', 'b', 'B', '[', '@'),
      minLength: 1,
      maxLength: 5,
    }),
    ignoresCase: fc.boolean(),
  })
  .map(({ letters, ignoresCase }) => ({
    letters: ignoresCase ? letters.toLowerCase() : letters,
    ignoresCase,
  }));

it('finds ASCII letters anywhere, in any case or in their own', () => {
  fc.assert(
    fc.property(bytes, bytes, literals, fc.nat(40), (before, content, literal, from) => {
      const search = searchOf(before);
      search.load(content);
      const all = placesIn(content.subarray(from), literal).map((place) => from + place);
      expect(findAll(search, literal, from, content.length, maxMatches)).toEqual(all);
      const to = Math.max(from, content.length - 20);
      const fewer = all.filter((place) => place + literal.letters.length <= to);
      expect(findAll(search, literal, from, to, maxMatches)).toEqual(fewer);
    }),
    { numRuns: 2000 },
  );
});

it('stops soon after the requested maximum', () => {
  const literal = { letters: 'aa', ignoresCase: false };
  const content = Buffer.alloc(100_000, 'a');
  const search = searchOf(content);
  for (const most of [1, 100, maxMatches]) {
    const { length } = findAll(search, literal, 0, content.length, most);
    expect(length).toBeGreaterThanOrEqual(most);
    expect(length).toBeLessThan(most + 64);
  }
  const last = Buffer.concat([Buffer.alloc(3_000_000), Buffer.from('aa')]);
  search.load(last);
  expect(findAll(search, literal, 0, last.length, 1)).toEqual([3_000_000]);
});

it('removes only colour codes from JSON', () => {
  const unit = fc.constantFrom(
    String.raw`\u001b[31m`,
    String.raw`\u001B[0;1:2m`,
    String.raw`\u001b[`,
    String.raw`\u001b`,
    String.raw`\\`,
    String.raw`\"`,
    'u001b[3m',
    '31m',
    'letters without any',
    'é',
  );
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 12 }), fc.nat(20), (json, from) => {
      const before = 'x'.repeat(from);
      const content = Buffer.from(before + json);
      const search = searchOf(content);
      const end = search.bleach(from, content.length);
      const bleached = Buffer.from(search.latin1(0, end), 'latin1').toString();
      const codes = /(\\u001[bB]\[[\d:;]*m)|\\?./gs;
      const left = json.replaceAll(codes, (text, code) => (code === undefined ? text : ''));
      expect(bleached).toBe(before + left);
    }),
    { numRuns: 1000 },
  );
});

function searchOf(content: Uint8Array): ByteSearch {
  const search = sharedByteSearch();
  if (search === undefined) throw new Error('this machine has no vectors');
  search.load(content);
  return search;
}

function findAll(
  search: ByteSearch,
  literal: Literal,
  from: number,
  to: number,
  most: number,
): readonly number[] {
  const count = search.find(literal, from, to, most);
  return Array.from({ length: count }, (_, index) => search.matchAt(index));
}

function placesIn(content: Buffer, { letters, ignoresCase }: Literal): readonly number[] {
  const ascii = (text: string): string =>
    ignoresCase ? text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()) : text;
  const text = ascii(content.toString('latin1'));
  const places: number[] = [];
  for (let at = text.indexOf(letters); at >= 0; at = text.indexOf(letters, at + 1)) places.push(at);
  return places;
}
