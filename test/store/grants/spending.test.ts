import { expect, it } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import { totalSpending } from '../../../source/store/grants/spending.ts';
import { read } from '../requests.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 10, 21, 12);

const grant = (id: string, more: Partial<Grant> = {}) =>
  read({
    id,
    grantor: '0xa',
    grantee: '0xb',
    limit: 25,
    spent: 5,
    expires_at: new Date(now + 24 * hour).toISOString(),
    created_at: new Date(now - hour).toISOString(),
    ...more,
  });

const spending = (
  rates: Readonly<Record<string, number>>,
  ...rows: readonly ReturnType<typeof grant>[]
) => totalSpending(rows, (index) => rates[rows[index]?.value.id ?? ''], now);

it('adds the known rates, and ends with the first grant that runs out', () => {
  const rates = { fast: 10, slow: 2 };
  expect(spending(rates, grant('fast'), grant('slow'), grant('unknown'))).toEqual({
    rate: 12,
    outIn: 2 * hour,
  });
});

it('has no end if every grant expires before it runs out', () => {
  expect(spending({ slow: 0.5 }, grant('slow'))).toEqual({ rate: 0.5, outIn: undefined });
  expect(spending({ idle: 0 }, grant('idle'))).toEqual({ rate: 0, outIn: undefined });
});

it('is unknown without the rate of an active grant', () => {
  expect(spending({})).toBeUndefined();
  expect(spending({}, grant('new'))).toBeUndefined();
  const ended = [
    grant('full', { spent: 25 }),
    grant('late', { expires_at: new Date(now - 1).toISOString() }),
    grant('revoked', { revoked_at: new Date(now - 1).toISOString() }),
  ];
  expect(spending({ full: 1, late: 1, revoked: 1 }, ...ended)).toBeUndefined();
});
