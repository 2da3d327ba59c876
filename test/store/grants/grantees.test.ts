import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import {
  knownGrantees,
  filterGrantees,
  parseGrantee,
} from '../../../source/store/grants/grantees.ts';

const me = '0x9f00000000000000000000000000000000000001';
const dana = { name: 'Dana', address: '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c' };
const daniel = { name: 'Daniel', address: 'cosmos1daniel' };
const names = [daniel, dana];

function grantBetween(grantor: string, grantee: string): { value: Grant; unknown: {} } {
  const value = {
    id: `${grantor} ${grantee}`,
    grantor,
    grantee,
    limit: 1,
    spent: 0,
    expires_at: '2030-01-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
  };
  return { value, unknown: {} };
}

const rows = [
  grantBetween(me, 'cosmos1x'),
  grantBetween('cosmos1y', me),
  grantBetween(me, dana.address),
];

test('named grantees come first, then the parties of the grants; each once, the caller never', () => {
  expect(knownGrantees(rows, names, me.toUpperCase().replace('X', 'x'))).toEqual([
    dana,
    daniel,
    { address: 'cosmos1x' },
    { address: 'cosmos1y' },
  ]);
});

test('an address that cannot be typed is not offered', () => {
  expect(
    knownGrantees([grantBetween(me, 'a\u001b[31mb'), grantBetween(me, 'a b')], [], me),
  ).toEqual([]);
});

test('typing filters by name and address, the best match first', () => {
  const known = knownGrantees(rows, names, me);
  expect(filterGrantees(known, 'dan')).toEqual([dana, daniel]);
  expect(filterGrantees(known, 'DANIEL')).toEqual([daniel]);
  expect(filterGrantees(known, '9f3c')).toEqual([dana]);
  expect(filterGrantees(known, 'cosmos1y')[0]).toEqual({ address: 'cosmos1y' });
  expect(filterGrantees(known, 'zzz')).toEqual([]);
});

test('a name and an address resolve to the same grantee in any case', () => {
  const known = knownGrantees(rows, names, me);
  for (const typed of [
    'Dana',
    ' dana ',
    dana.address,
    `0x${dana.address.slice(2).toUpperCase()}`,
  ]) {
    expect(parseGrantee(typed, known, me)).toEqual({ ok: true, grantee: dana, isNew: false });
  }
});

test('an unknown address is allowed and marked as new', () => {
  expect(parseGrantee('akash1qqq', [], me)).toEqual({
    ok: true,
    grantee: { address: 'akash1qqq' },
    isNew: true,
  });
});

test.each([
  ['', 'Enter a wallet address'],
  [me, 'your own wallet'],
  [me.replace('9f', '9F'), 'your own wallet'],
  ['Dana Scully', 'Addresses have no spaces'],
  ['a\u200bb', 'invisible character'],
  ['0x12', '40 hexadecimal digits must follow 0x, not 2.'],
  [`${dana.address}0`, 'not 41.'],
  [dana.address.replace('a', 'g'), 'Only hexadecimal digits'],
  ['x'.repeat(257), 'at most 256'],
  ['twin', '2 addresses have this name'],
])('%j is rejected: %s', (typed, problem) => {
  const known = [dana, { name: 'twin', address: 'a' }, { name: 'Twin', address: 'b' }];
  const read = parseGrantee(typed, known, me);
  expect(read.ok ? read.grantee.address : read.problem).toContain(problem);
});

test('a name without a valid grantee is never used as an address', () => {
  const book = [
    { name: 'Me', address: me },
    { name: 'Torn', address: 'cosmos1\u0007torn' },
    dana,
    { name: 'Scully', address: dana.address },
  ];
  const known = knownGrantees([], book, me);
  expect(parseGrantee('me', known, me, book)).toEqual({
    ok: false,
    problem: 'This is your own wallet. It needs no grant.',
  });
  expect(parseGrantee('scully', known, me, book)).toEqual({
    ok: true,
    grantee: { name: 'Scully', address: dana.address },
    isNew: false,
  });
  expect(parseGrantee(' torn ', known, me, book)).toEqual({
    ok: false,
    problem: 'The address book has no valid address for this name.',
  });
});

test('for any input, the address is the typed one or a known one', () => {
  const known = knownGrantees(rows, names, me);
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ maxLength: 50 }), fc.constantFrom('dana', 'Daniel', 'cosmos1x', me)),
      (typed) => {
        const read = parseGrantee(typed, known, me);
        if (!read.ok) return;
        const { address } = read.grantee;
        expect(read.isNew ? address === typed.trim() : known.includes(read.grantee)).toBe(true);
        expect(address).not.toBe(me);
        expect(address).toMatch(/^\S+$/);
      },
    ),
  );
});
