import { expect, it } from 'vitest';
import { fuzz } from './fuzz.ts';

it('the host answers 1,000 random requests correctly and changes nothing else', async () => {
  const { statuses, faults, memory = 0 } = await fuzz({ seed: 7, first: 0, last: 1000 });
  expect(faults).toEqual([]);
  // Every one of these statuses must occur.
  for (const status of [101, 200, 204, 400, 401, 403, 404, 405, 409, 413, 422, 431]) {
    expect(statuses.get(status) ?? 0).toBeGreaterThan(0);
  }
  expect(memory).toBeLessThan(512);
}, 120_000);

it('an upload whose parser ends early does not keep the connection', async () => {
  const { faults } = await fuzz({ seed: 5, first: 25_575, last: 25_576 });
  expect(faults).toEqual([]);
}, 60_000);
