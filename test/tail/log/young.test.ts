import { expect, it } from 'vitest';
import { YoungHoles } from '../../../source/tail/log/young.ts';

/** Returns holes at 10 to 12 and, noted a tick later, at 20 to 22, both old enough to be looked at. */
function twoRanges(): YoungHoles {
  const young = new YoungHoles();
  young.note(10, 12);
  young.tick(12);
  young.note(20, 22);
  for (let tick = 0; tick < 4; tick += 1) young.tick(22);
  return young;
}

/** Looks at the next range until it is given up, and returns the number of looks and the range. */
function lookAt(young: YoungHoles) {
  for (let looks = 1; looks < 100; looks += 1) {
    for (let tick = 0; young.next() === undefined && tick < 2; tick += 1) young.tick(22);
    const given = young.looked();
    if (given !== undefined) return { looks, given };
  }
  return undefined;
}

it('a range of holes is given up after six pages that do not end it', () => {
  const young = twoRanges();
  expect(young.next()).toBe(12);
  expect(lookAt(young)).toEqual({ looks: 6, given: [10, 12] });
  expect(lookAt(young)).toEqual({ looks: 6, given: [20, 22] });
  expect(young.next()).toBeUndefined();
});

it('a page that settles a range counts for no other', () => {
  const young = twoRanges();
  expect(young.next()).toBe(12);
  young.resolve(5, 15);
  expect(young.looked()).toBeUndefined();
  expect(young.dismiss()).toBeUndefined();
  expect(lookAt(young)).toEqual({ looks: 6, given: [20, 22] });
});
