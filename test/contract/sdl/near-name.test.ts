import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { didYouMean, nearName } from '../../../source/contract/sdl/near-name.ts';

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
    expect(nearName(name, candidates)).toBe(near);
  });

  it('is found whatever single edit was made', () => {
    const names = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(names, fc.nat(), fc.constantFrom('x', ''), (name, at, letter) => {
        const index = at % name.length;
        const mistyped = `${name.slice(0, index)}${letter}${name.slice(index + 1)}`;
        fc.pre(mistyped !== name);
        expect(nearName(mistyped, [name])).toBe(name);
      }),
    );
  });

  it('ends a sentence', () => {
    expect(didYouMean('wbe', ['web'])).toBe(' Did you mean web?');
    expect(didYouMean('wbe', ['api'])).toBe('');
  });
});
