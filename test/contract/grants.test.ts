import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Grant, grantState } from '../../source/contract/grants.ts';

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

it('is active from its creation, with nothing spent', () => {
  expect(grantState(grant(), expiry - 30 * day)).toBe('active');
});

it('is expired from the very moment it names', () => {
  expect(grantState(grant(), expiry - 1)).toBe('active');
  expect(grantState(grant(), expiry)).toBe('expired');
  expect(grantState(grant(), expiry + 1)).toBe('expired');
});

it('has reached its limit when all of it is spent, or more', () => {
  expect(grantState(grant({ spent: 49.999_999 }), 0)).toBe('active');
  expect(grantState(grant({ spent: 50 }), 0)).toBe('limit reached');
  expect(grantState(grant({ spent: 50.1 }), 0)).toBe('limit reached');
  expect(grantState(grant({ limit: 0 }), 0)).toBe('limit reached');
});

it('is revoked when the service says so by a time or by a word, in either case', () => {
  expect(grantState(grant({ revoked_at: '2026-11-22T00:00:00Z' }), 0)).toBe('revoked');
  expect(grantState(grant({ status: 'revoked' }), 0)).toBe('revoked');
  expect(grantState(grant({ status: 'REVOKED' }), 0)).toBe('revoked');
});

it('takes no other word of the service for a state', () => {
  for (const status of ['active', 'expired', 'exhausted', '']) {
    expect(grantState(grant({ status }), 0)).toBe('active');
  }
});

it('does not expire by a time that cannot be read', () => {
  expect(grantState(grant({ expires_at: 'never' }), expiry)).toBe('active');
});

it('names revocation before expiry, and expiry before the limit', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (revoked, expired, spent) => {
      const state = grantState(
        grant({
          ...(revoked ? { revoked_at: '2026-11-22T00:00:00Z' } : {}),
          spent: spent ? 50 : 0,
        }),
        expired ? expiry : expiry - 1,
      );
      const [wanted = 'active'] = [
        ...(revoked ? ['revoked'] : []),
        ...(expired ? ['expired'] : []),
        ...(spent ? ['limit reached'] : []),
      ];
      expect(state).toBe(wanted);
    }),
  );
});

it('never becomes active again as time passes and money is spent', () => {
  const amount = fc.double({ min: 0, max: 100, noNaN: true });
  const time = fc.integer({ min: expiry - day, max: expiry + day });
  fc.assert(
    fc.property(amount, amount, time, time, (spent, more, now, later) => {
      fc.pre(later >= now);
      const before = grantState(grant({ spent }), now);
      const after = grantState(grant({ spent: spent + more }), later);
      if (before !== 'active') expect(after).not.toBe('active');
    }),
  );
});
