import { expect, it } from 'vitest';
import type { Grant } from '../../../source/contract/grants.ts';
import { createGrantRates } from '../../../source/store/grants/spend-rates.ts';
import { createListing } from '../../../source/store/lists/listing.ts';
import { createTestClock } from '../../support/clock.ts';
import { read, success } from '../requests.ts';

const grant = (id: string, spent: number): Grant => ({
  id,
  grantor: '0xa',
  grantee: '0xb',
  limit: 10,
  spent,
  expires_at: '2027-01-01T00:00:00Z',
  created_at: '2026-01-01T00:00:00Z',
});

function openRates() {
  const clock = createTestClock();
  let grants: readonly Grant[] = [];
  const list = createListing<Grant>({
    clock,
    key: ({ id }) => id,
    fetchRows: async () => success(grants.map((one) => read(one))),
  });
  return {
    clock,
    rates: createGrantRates({ list, serviceNow: () => clock.now() }),
    answer: async (...next: readonly Grant[]) => {
      grants = next;
      await list.refresh();
    },
  };
}

it('the rate includes answers without changes', async () => {
  const { clock, rates, answer } = openRates();
  await answer(grant('busy', 1), grant('idle', 3));
  expect(rates.rateOf('busy')).toBeUndefined();
  for (let spent = 2; spent <= 11; spent += 1) {
    await clock.advance(3000);
    await answer(grant('busy', spent), grant('idle', 3));
  }
  expect(rates.rateOf('busy')).toBeCloseTo(1200, 6);
  expect(rates.rateOf('idle')).toBe(0);
  expect(rates.rateOf('other')).toBeUndefined();
  await clock.advance(30_000);
  await answer(grant('busy', 11), grant('idle', 3));
  expect(rates.rateOf('busy')).toBeCloseTo(600, 6);
});

it('the rate starts over after a pause or when the clock is set', async () => {
  const { clock, rates, answer } = openRates();
  await answer(grant('1', 1));
  await clock.advance(20_000);
  await answer(grant('1', 2));
  expect(rates.rateOf('1')).toBe(180);
  clock.set(clock.now() - 3_600_000);
  await answer(grant('1', 2));
  expect(rates.rateOf('1')).toBeUndefined();
  await clock.advance(20_000);
  await answer(grant('1', 3));
  expect(rates.rateOf('1')).toBe(180);
  await answer();
  expect(rates.rateOf('1')).toBeUndefined();
});

it('the total follows every answer', async () => {
  const { clock, rates, answer } = openRates();
  await answer(grant('busy', 1));
  expect(rates.total()).toBeUndefined();
  await clock.advance(20_000);
  await answer(grant('busy', 2));
  expect(rates.total()).toEqual({ rate: 180, outIn: expect.closeTo((8 / 180) * 3_600_000, 3) });
  await clock.advance(20_000);
  await answer(grant('busy', 2), grant('idle', 0));
  expect(rates.total()).toEqual({ rate: 90, outIn: expect.closeTo((8 / 90) * 3_600_000, 3) });
  await answer();
  expect(rates.total()).toBeUndefined();
});

it('a rate belongs to its grant, whatever the sequence of the list becomes', async () => {
  const { clock, rates, answer } = openRates();
  for (let spent = 1; spent <= 11; spent += 1) {
    const listed = [grant('busy', spent), grant('idle', 3)];
    await answer(
      ...(spent % 2 === 0 ? listed.toReversed() : [grant(`new-${spent}`, 1), ...listed]),
    );
    await clock.advance(3000);
  }
  expect(rates.rateOf('busy')).toBeCloseTo(1200, 6);
  expect(rates.rateOf('idle')).toBe(0);
});
