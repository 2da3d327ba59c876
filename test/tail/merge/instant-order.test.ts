import { describe, expect, it } from 'vitest';
import { layOver } from '../../../source/tail/merge/instant-order.ts';

/** Returns the keys of an instant after a page was laid over it. */
function laid(known: string, page: string, isCut: boolean): string {
  const lines = layOver(known.split(''), page.split(''), isCut);
  return lines.map((line) => known[line.known ?? -1] ?? page[line.row ?? -1]).join('');
}

describe('a page laid over an instant', () => {
  it('brings its order, and the lines that are new', () => {
    expect(laid('bca', 'abcd', false)).toBe('abcd');
  });

  it('leaves lines that it does not show before the one that they stood before', () => {
    expect(laid('abxc', 'abc', false)).toBe('abxc');
  });

  it('lies behind older lines where it lacks the first ones', () => {
    expect(laid('abx', 'cdxy', true)).toBe('abcdxy');
    expect(laid('ab', 'cd', true)).toBe('abcd');
  });
});
