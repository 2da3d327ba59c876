import { expect, test } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import { grantEndings } from '../../../source/store/grants/endings.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const hours = (count: number) => new Date(now + count * 3_600_000).toISOString();

function row(id: string, more: Partial<Grant> = {}) {
  const value: Grant = {
    id,
    grantor: '0xother',
    grantee: '0xme',
    limit: 10,
    spent: 0,
    expires_at: hours(700),
    ...more,
  } as Grant;
  return { value, raw: value, issues: [] } as never;
}

test('grants that stop paying for the caller within a day are found', () => {
  const rows = [
    row('month'),
    row('expires', { expires_at: hours(23) }),
    row('spends', { spent: 5 }),
    row('lasts', { spent: 5 }),
    row('given', { grantor: '0xme', grantee: '0xother', expires_at: hours(2) }),
    row('revoked', { expires_at: hours(2), revoked_at: hours(-1) }),
    row('expired', { expires_at: hours(-1) }),
  ];
  const rates = new Map([
    ['spends', 0.25],
    ['lasts', 0.2],
  ]);
  const endings = grantEndings(rows, { rateOf: (id) => rates.get(id), caller: '0xme', now });
  expect([...endings]).toEqual([
    ['expires', { by: 'expiry', at: Date.parse(hours(23)) }],
    ['spends', { by: 'limit', at: Date.parse(hours(20)) }],
  ]);
});
