import { describe, expect, it } from 'vitest';
import { nearestTests } from './nearest-tests.ts';

describe('the tests nearest to a module', () => {
  it('are those of its folder first, and none of whole programs', () => {
    const [first, ...others] = nearestTests('source/tail/log/offsets.ts', 12);
    expect(first).toMatch(/^test\/tail\/log\//);
    expect(others.length).toBeGreaterThan(2);
    expect(others.filter((file) => file.startsWith('test/e2e/'))).toEqual([]);
  });

  it('are at most as many as asked for, each once', () => {
    const tests = nearestTests('source/contract/instant.ts', 5);
    expect(tests).toHaveLength(5);
    expect(new Set(tests).size).toBe(5);
  });
});
