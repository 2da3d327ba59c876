import { expect, it } from 'vitest';
import { type Evidence, judgeDuel } from './judge.ts';

function evidence(more: Partial<Evidence>, killedAt?: number): Evidence {
  const words = [
    { text: 'early', seenAt: 1000, isSaved: false },
    { text: 'saved', seenAt: 4000, isSaved: true },
    { text: 'late', seenAt: 4000, isSaved: false },
  ];
  return { processes: [{ words, killedAt }], remains: 'early saved late', writes: [], ...more };
}

it('finds every word that is neither on the service nor on this machine', () => {
  expect(judgeDuel(evidence({}))).toEqual([]);
  expect(judgeDuel(evidence({ remains: 'saved' }))).toEqual([
    'early is lost: written 0 times, replaced 0 times',
    'late is lost: written 0 times, replaced 0 times',
  ]);
});

it('excuses only what a kill came too soon after', () => {
  expect(judgeDuel(evidence({ remains: 'early saved' }, 4500))).toEqual([]);
  expect(judgeDuel(evidence({ remains: '' }, 4500))).toEqual([
    'early is lost, 3500 ms before a kill: written 0 times, replaced 0 times',
    'saved is lost, though it was saved, 500 ms before a kill: written 0 times, replaced 0 times',
  ]);
});

it('finds writes that changed nothing', () => {
  const writes = [
    { path: 'a', before: 'one', after: 'two' },
    { path: 'a', before: 'two', after: 'two' },
    { path: 'b', before: undefined, after: undefined },
  ];
  expect(judgeDuel(evidence({ writes }))).toEqual([
    'a was written twice: two',
    'b was deleted twice',
  ]);
});
