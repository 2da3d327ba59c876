import { describe, expect, it } from 'vitest';
import { simulate } from './simulated-run.ts';
import type { ServiceShape } from './simulated-service.ts';

/** A service without ids that writes up to three lines at once, half of them alike. */
const plain: ServiceShape = {
  offsets: 'newest',
  rows: 'newest',
  ids: 'none',
  countsAnew: false,
  services: 2,
  replay: 0,
  swaps: 0,
  doubles: 0,
  losses: 0,
  atOnce: 3,
  equal: 0.5,
  httpDigits: 3,
  streamDigits: 3,
  maxPage: 500,
  retention: Number.MAX_SAFE_INTEGER,
  lag: 0,
  history: 'good',
  isFiltered: false,
};

const oldest = { offsets: 'oldest', rows: 'oldest' } as const;
const everything = 1_000_000;
const messy = { swaps: 0.1, doubles: 0.1, replay: 100 };

const shapes: readonly (readonly [string, Partial<ServiceShape>])[] = [
  ['without ids whose stream repeats its last 100 lines', { replay: 100 }],
  ['without ids whose stream repeats everything', { replay: everything }],
  ['without ids, oldest first, whose stream repeats everything', { ...oldest, replay: everything }],
  ['without ids whose stream has another order', { swaps: 0.1 }],
  ['without ids, oldest first, whose stream has another order', { ...oldest, swaps: 0.1 }],
  ['without ids whose stream sends each tenth frame twice', { doubles: 0.1 }],
  ['without ids, oldest first, that sends each tenth frame twice', { ...oldest, doubles: 0.1 }],
  ['without ids whose pages run from old to new', { rows: 'oldest' }],
  ['without ids, oldest first, whose pages run from new to old', { offsets: 'oldest' }],
  ['without ids that shows seconds over HTTP', { httpDigits: 0, replay: 100 }],
  ['without ids with seven lines at once and HTTP behind', { ...messy, atOnce: 7, lag: 20 }],
  ['without ids with forty lines at once', { replay: 100, swaps: 0.1, atOnce: 40 }],
  ['with ids, repeats, swaps and doubles', { ...messy, ids: 'dense' }],
  ['with holes in the ids that loses frames', { ...oldest, ...messy, ids: 'holes', losses: 0.02 }],
  ['with ids per service', { ...oldest, ...messy, ids: 'per-service' }],
  ['that counts its ids anew', { swaps: 0.1, doubles: 0.1, ids: 'dense', countsAnew: true }],
];

/** Only some of their runs have an instant that a small page shows a part of. */
const crowdedShapes: typeof shapes = [
  ['without ids with a hundred lines at once', { atOnce: 100, equal: 0.1 }],
  ['without ids with more lines at once than a small page holds', { replay: 100, atOnce: 150 }],
  ['without ids with nearly half a page of lines at once', { atOnce: 200, equal: 0.1 }],
];

describe('what is shown of a service, once settled, is what it has', () => {
  it.each([
    ...shapes.map(([name, shape]) => [name, shape, 8] as const),
    ...crowdedShapes.map(([name, shape]) => [name, shape, 20] as const),
  ])('%s', (_, shape, runs) => {
    for (let seed = 0; seed < runs; seed += 1) {
      expect(simulate(seed, { ...plain, ...shape })).toBeUndefined();
    }
  });
});
