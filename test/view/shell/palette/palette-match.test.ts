import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestMatches,
  type PaletteCandidate,
} from '../../../../source/view/shell/palette/palette-match.ts';

function candidate(name: string, more = '', ...synonyms: readonly string[]): PaletteCandidate {
  return {
    name,
    more,
    synonyms,
    row: () => ({ id: name, name, explanation: '', key: '', run() {} }),
  };
}

/** The names found among candidates of several kinds, the best first. */
function found(
  typed: string,
  ...kinds: readonly (readonly (string | PaletteCandidate)[])[]
): readonly string[] {
  const all = kinds.map((kind) =>
    kind.map((each) => (typeof each === 'string' ? candidate(each) : each)),
  );
  return bestMatches(typed, all, 50).map(({ name }) => name);
}

describe('a palette query', () => {
  it.each([
    ['app yaml', 'config/app.yaml'],
    ['yaml conf', 'config/app.yaml'],
    ['.yaml', 'config/app.yaml'],
    ['aml', 'config/app.yaml'],
    ['ЖУР', 'журнал'],
    ['cafe', 'Café'],
    ['日本', '東京 日本語'],
    ['dply', 'deploy'],
    ['  edit  FILE ', 'edit file'],
  ])('%j finds %s', (typed, name) => {
    expect(found(typed, [name, 'something else'])).toEqual([name]);
  });

  it.each([
    ['ylp', 'deploy'],
    ['app xml', 'config/app.yaml'],
    ['zzz', 'deploy'],
  ])('%j does not find %s', (typed, name) => {
    expect(found(typed, [name])).toEqual([]);
  });

  it('finds a whole name first, then its beginning, then its words', () => {
    const names = ['x shop restart', 'shop restart', 'restart shop', 'restart'];
    expect(found('restart', names)).toEqual(names.toReversed());
    expect(found('shop x', ['x shop restart', 'shop and x', 'x shop'])[0]).toBe('x shop');
  });

  it('finds a synonym after words of the name and of the explanation', () => {
    const commands = [
      candidate('form'),
      candidate('delete files', 'delete...', 'remove', 'rm'),
      candidate('x', 'rm'),
      candidate('rm'),
    ];
    expect(found('rm', commands)).toEqual(['rm', 'x', 'delete files', 'form']);
    expect(found('rm files', commands)).toEqual(['delete files']);
  });

  it('finds loose letters only where nothing fits better', () => {
    expect(found('pay', ['payments', 'display', 'print any'])).toEqual(['payments']);
    expect(found('dspy', ['payments', 'display'])).toEqual(['display']);
  });

  it('finds every name by its text', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((text) => text.trim() !== '');
    fc.assert(
      fc.property(name, fc.array(name), (one, others) => {
        expect(found(one, [...others, one])).toContain(one);
      }),
      { numRuns: 1000 },
    );
  });

  it('finds a name by marks alone', () => {
    expect(found('᾽', ['a', '᾽'])).toEqual(['᾽']);
    expect(found('\u0301', ['e\u0301t', 'et'])).toEqual(['e\u0301t']);
  });

  it('finds nothing for an accidental paste', () => {
    const many = Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ');
    expect(found('a'.repeat(10_000), ['a'.repeat(10_000)])).toEqual([]);
    expect(found(many, [many])).toEqual([]);
  });
});

describe('the results', () => {
  it('are sorted by score, then by kind, then by length, and limited', () => {
    expect(found('shop', ['my shop', 'shop'], ['shop'], ['shops', 'shop'])).toEqual([
      'shop',
      'shop',
      'shop',
      'shops',
      'my shop',
    ]);
    expect(bestMatches('a', [[candidate('ab'), candidate('a')]], 1)).toMatchObject([{ name: 'a' }]);
  });

  it('contain the intended deployment among many', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `shop-${at}`);
    expect(found('pay', ['print copied'], [...many, 'payments-old', 'payments'])[0]).toBe(
      'payments',
    );
    expect(found('shop', many)).toHaveLength(50);
    expect(found('shop-77', many)[0]).toBe('shop-77');
  });
});
