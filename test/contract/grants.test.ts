import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Grant, deriveGrantState } from '../../source/contract/grants.ts';

const expiry = Date.UTC(2026, 11, 21, 1, 4);
const day = 86_400_000;

const grant = (more: Partial<Grant> = {}): Grant => ({
  id: '1',
  grantor: '0xa',
  grantee: '0xb',
  limit: 50,
  spent: 0,
  expires_at: new Date(expiry).toISOString(),
  created_at: '2026-11-21T01:04:00Z',
  ...more,
});

it('a grant is active from its creation', () => {
  expect(deriveGrantState(grant(), expiry - 30 * day)).toBe('active');
});

it('a grant is expired from its expiry time on', () => {
  expect(deriveGrantState(grant(), expiry - 1)).toBe('active');
  expect(deriveGrantState(grant(), expiry)).toBe('expired');
  expect(deriveGrantState(grant(), expiry + 1)).toBe('expired');
});

it('a grant has reached its limit when at least the limit is spent', () => {
  expect(deriveGrantState(grant({ spent: 49.999_999 }), 0)).toBe('active');
  expect(deriveGrantState(grant({ spent: 50 }), 0)).toBe('limit reached');
  expect(deriveGrantState(grant({ spent: 50.1 }), 0)).toBe('limit reached');
  expect(deriveGrantState(grant({ limit: 0 }), 0)).toBe('limit reached');
});

it('a grant is revoked by a revocation time or a status word, ignoring case', () => {
  expect(deriveGrantState(grant({ revoked_at: '2026-11-22T00:00:00Z' }), 0)).toBe('revoked');
  expect(deriveGrantState(grant({ status: 'revoked' }), 0)).toBe('revoked');
  expect(deriveGrantState(grant({ status: 'REVOKED' }), 0)).toBe('revoked');
});

it('a grant that its service calls expired is so whatever the clock says', () => {
  expect(deriveGrantState(grant({ status: 'expired' }), 0)).toBe('expired');
});

it('other status words of the service are ignored', () => {
  for (const status of ['active', 'exhausted', '']) {
    expect(deriveGrantState(grant({ status }), 0)).toBe('active');
  }
});

it('a grant with an unreadable expiry time does not expire', () => {
  expect(deriveGrantState(grant({ expires_at: 'never' }), expiry)).toBe('active');
});

it('revocation has priority over expiry, and expiry over the limit', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (revoked, expired, spent) => {
      const state = deriveGrantState(
        grant({
          ...(revoked ? { revoked_at: '2026-11-22T00:00:00Z' } : {}),
          spent: spent ? 50 : 0,
        }),
        expired ? expiry : expiry - 1,
      );
      const [expected = 'active'] = [
        ...(revoked ? ['revoked'] : []),
        ...(expired ? ['expired'] : []),
        ...(spent ? ['limit reached'] : []),
      ];
      expect(state).toBe(expected);
    }),
  );
});

it('a grant never becomes active again as time passes and money is spent', () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true });
  const time = fc.integer({ min: expiry - day, max: expiry + day });
  fc.assert(
    fc.property(amount, amount, time, time, (spent, more, now, later) => {
      fc.pre(later >= now);
      const before = deriveGrantState(grant({ spent }), now);
      const after = deriveGrantState(grant({ spent: spent + more }), later);
      if (before !== 'active') expect(after).not.toBe('active');
    }),
  );
});
