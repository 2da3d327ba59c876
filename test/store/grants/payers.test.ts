import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Grant, deriveGrantState } from '../../../source/contract/grants.ts';
import { remainingText, payersOf } from '../../../source/store/grants/payers.ts';

const now = Date.parse('2026-11-21T12:00:00Z');
const addresses = fc.constantFrom('0xme', '0xa', '0xb');
const grants = fc.array(
  fc.record({
    id: fc.uuid(),
    grantor: addresses,
    grantee: addresses,
    limit: fc.integer({ min: 1, max: 10 }),
    spent: fc.integer({ min: 0, max: 10 }),
    expires_at: fc
      .integer({ min: -1000, max: 1000 })
      .map((minutes) => new Date(now + minutes * 60_000).toISOString()),
    created_at: fc.constant('2026-11-01T00:00:00Z'),
    revoked_at: fc.constantFrom(undefined, '2026-11-02T00:00:00Z'),
  }),
  { maxLength: 8 },
);
const read = (values: readonly Grant[]) => values.map((value) => ({ value, unknown: {} }));

test('active received grants pay, the first to expire first', () => {
  fc.assert(
    fc.property(grants, (all) => {
      const payers = payersOf(read(all), '0xme', now);
      const expected = all.filter(
        (grant) =>
          grant.grantee === '0xme' &&
          grant.grantor !== '0xme' &&
          deriveGrantState(grant, now) === 'active',
      );
      expect(payers?.grants.map(({ id }) => id).sort()).toEqual(
        expected.map(({ id }) => id).sort(),
      );
      const ends = payers?.grants.map(({ expires_at: end }) => Date.parse(end)) ?? [];
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
    }),
  );
});

test('the remaining amount is rounded down, but never to 0', () => {
  const [base] =
    fc.sample(
      grants.filter((all) => all.length > 0),
      1,
    )[0] ?? [];
  if (base === undefined) throw new Error('no grant');
  const left = (limit: number, spent: number) => remainingText({ ...base, limit, spent });
  expect(left(25, 0)).toBe('25 left');
  expect(left(25, 0.0004)).toBe('24.999 left');
  expect(left(0.3, 0.1 + 0.2 - 0.1)).toBe('0.1 left');
  expect(left(25, 24.9999)).toBe('<0.001 left');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1e6 }), fc.nat({ max: 1e6 }), (limit, part) => {
      const spent = (limit * part) / 1_000_001;
      const text = left(limit, spent);
      const shown = text.startsWith('<') ? 0 : Number.parseFloat(text);
      expect(shown).toBeLessThanOrEqual(limit - spent + limit * 1e-12);
    }),
  );
});

test('the payers are unknown if the caller is unknown', () => {
  const [grant] =
    fc.sample(
      grants.filter((all) => all.length > 0),
      1,
    )[0] ?? [];
  if (grant === undefined) throw new Error('no grant');
  const between = { ...grant, grantor: '0xa', grantee: '0xb' };
  expect(payersOf(read([between]), undefined, now)).toBeUndefined();
  expect(payersOf([], undefined, now)).toBeUndefined();
  expect(payersOf([], '0xme', now)).toEqual({ grants: [] });
});
