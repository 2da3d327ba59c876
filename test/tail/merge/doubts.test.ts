import { expect, it } from 'vitest';
import { Doubts } from '../../../source/tail/merge/doubts.ts';

/** Doubts about the places 1 to 1000, all of which are old enough to be looked at. */
function settledDoubts(): Doubts {
  const doubts = new Doubts();
  doubts.note(1, 1000);
  doubts.check(2000);
  doubts.check(2000);
  return doubts;
}

it('looks at the next range only after a check, once a page has shown nothing', () => {
  const doubts = settledDoubts();
  expect(doubts.next()).toBe(1000);
  doubts.resolve(900, 1000);
  doubts.noteLook(false);
  expect(doubts.next()).toBeUndefined();
  doubts.check(2000);
  expect(doubts.next()).toBe(899);
});

it('looks on at once while pages change lines, or lack copies of them', () => {
  const doubts = settledDoubts();
  doubts.noteLook(true);
  expect(doubts.next()).toBe(1000);
  expect(doubts.isConfirmed(950, 2)).toBe(false);
  doubts.noteLook(false);
  expect(doubts.next()).toBe(1000);
});

it('removes copies when two pages lack as many of them', () => {
  const doubts = settledDoubts();
  expect(doubts.isConfirmed(950, 2)).toBe(false);
  expect(doubts.isConfirmed(950, 1)).toBe(false);
  expect(doubts.isConfirmed(950, 1)).toBe(true);
});
