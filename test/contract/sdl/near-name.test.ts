import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSuggestion, findNearName } from '../../../source/contract/sdl/near-name.ts';

/** Returns the optimal string alignment distance, written like its definition. */
function distanceOf(from: string, to: string): number {
  const cache = new Map<string, number>();
  const at = (row: number, column: number): number => {
    if (row === 0 || column === 0) return row + column;
    const key = `${row} ${column}`;
    const cached = cache.get(key);
    if (cached !== undefined) return cached;
    const isSame = from[row - 1] === to[column - 1];
    const isSwap = row > 1 && column > 1 && from[row - 2] === to[column - 1];
    const distance = Math.min(
      at(row - 1, column) + 1,
      at(row, column - 1) + 1,
      at(row - 1, column - 1) + (isSame ? 0 : 1),
      isSwap && from[row - 1] === to[column - 2] ? at(row - 2, column - 2) + 1 : Infinity,
    );
    cache.set(key, distance);
    return distance;
  };
  return at(from.length, to.length);
}

describe('a near name', () => {
  it.each([
    ['wbe', ['api', 'web'], 'web'],
    ['servces', ['services'], 'services'],
    ['comamnd', ['command', 'comment'], 'command'],
    ['worker-1', ['worker-12', 'worker'], 'worker-12'],
    ['database', ['db', 'web'], undefined],
    ['api', ['app'], 'app'],
    ['api', ['web', 'apple'], undefined],
    ['as', ['at'], undefined],
    ['web', ['web'], undefined],
    ['Web', ['web'], 'web'],
    ['', ['a'], undefined],
  ])('of %j among %j is %j', (name, candidates, near) => {
    expect(findNearName(name, candidates)).toBe(near);
  });

  it('is found after any single edit', () => {
    const names = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(names, fc.nat(), fc.constantFrom('x', ''), (name, at, letter) => {
        const index = at % name.length;
        const mistyped = `${name.slice(0, index)}${letter}${name.slice(index + 1)}`;
        fc.pre(mistyped !== name);
        expect(findNearName(mistyped, [name])).toBe(name);
      }),
    );
  });

  it('is within the distance of the definition', () => {
    const names = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 3, maxLength: 8 });
    fc.assert(
      fc.property(names, names, (name, candidate) => {
        const distance = distanceOf(name, candidate);
        const isNear = distance > 0 && distance < (name.length < 5 ? 2 : 3);
        expect(findNearName(name, [candidate])).toBe(isNear ? candidate : undefined);
      }),
      { numRuns: 1000 },
    );
  });

  it('ends a sentence', () => {
    expect(formatSuggestion('wbe', ['web'])).toBe(' Did you mean web?');
    expect(formatSuggestion('wbe', ['api'])).toBe('');
  });
});
