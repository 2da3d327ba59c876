import { describe, expect, it } from 'vitest';
import { groupingAccuracy } from './grouping-accuracy.ts';

describe('the grouping accuracy', () => {
  it('counts the lines of groups that are exactly those of a label', () => {
    expect(groupingAccuracy(['a', 'a', 'b', 'c'], [1, 1, 2, 3])).toBe(1);
    expect(groupingAccuracy(['a', 'a', 'b', 'c'], [1, 1, 2, 2])).toBe(0.5);
    expect(groupingAccuracy(['a', 'a', 'b', 'c'], [1, 4, 2, 3])).toBe(0.5);
    expect(groupingAccuracy(['a', 'a'], [1, 1])).toBe(1);
  });
});
