import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestFitting,
  findable,
  paletteFit,
  type PaletteCandidate,
  paletteQuery,
} from '../../../../source/view/shell/palette/palette-match.ts';

function candidate(name: string, more = ''): PaletteCandidate {
  const row = { id: name, name, explanation: '', key: '', run() {} };
  return { found: findable(name, more), row: () => row };
}

function fit(typed: string, name: string, more = ''): number | undefined {
  const query = paletteQuery(typed);
  return query && paletteFit(query, findable(name, more));
}

function found(typed: string, ...kinds: readonly (readonly string[])[]): readonly string[] {
  const query = paletteQuery(typed);
  if (query === undefined) return [];
  const all = kinds.map((names) => names.map((name) => candidate(name)));
  return bestFitting(query, all, 50).map(({ row }) => row().name);
}

const word = fc.stringMatching(/^[a-c]{1,3}$/);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('-'));
const typed = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

/** The rule in the plainest words: each word typed begins a word of the name. */
function fitsPlainly(query: string, of: string): boolean {
  const words = of.split('-');
  return query.split(' ').every((one) => words.some((other) => other.startsWith(one)));
}

describe('what is typed', () => {
  it('fits what has words that begin with its words, in any order, and nothing else', () => {
    fc.assert(
      fc.property(typed, name, (query, of) => {
        expect(fit(query, of) !== undefined).toBe(fitsPlainly(query, of));
      }),
    );
    expect(fit('app yaml', 'config/app.yaml')).toBeDefined();
    expect(fit('yaml conf', 'config/app.yaml')).toBeDefined();
    expect(fit('aml', 'config/app.yaml')).toBeUndefined();
    expect(fit('.yaml', 'config/app.yaml')).toBeDefined();
    expect(fit('ЖУР', 'журнал')).toBeDefined();
  });

  it('fits a name the better the more of it was meant: whole, its beginning, its words', () => {
    const names = ['restart', 'restart shop', 'shop restart', 'x shop restart'];
    expect(names.map((of) => fit('restart', of))).toEqual([0, 1, 3, 3]);
    expect(fit('restart', 'a', 'restart it')).toBe(4);
    expect(fit('shop x', 'x shop')).toBe(2);
  });

  it('fits by a synonym worse than by any word of its name or its explanation', () => {
    const query = paletteQuery('rm');
    const of = (name: string, more = '', synonyms = '') =>
      query && paletteFit(query, findable(name, more, synonyms));
    expect(of('rm')).toBe(0);
    expect(of('x', 'rm')).toBe(4);
    expect(of('delete files', 'delete...', 'remove rm')).toBe(5);
    expect(of('delete files', 'delete...', 'remove')).toBeUndefined();
  });

  it('narrows: what a longer text finds, its beginning finds too', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 3 }), name, (a, b, of) => {
        if (fit(a + b, of) !== undefined) expect(fit(a, of)).toBeDefined();
      }),
    );
  });

  it('finds nothing when it is a paste that went astray', () => {
    expect(paletteQuery('a'.repeat(10_000))).toBeUndefined();
    expect(
      paletteQuery(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ')),
    ).toBeUndefined();
  });
});

describe('what is found', () => {
  it('is what fits best, then what comes first, and never more than asked for', () => {
    const groups = fc.array(fc.array(name, { maxLength: 8 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(typed, groups, fc.integer({ min: 1, max: 6 }), (text, names, most) => {
        const query = paletteQuery(text);
        if (query === undefined) throw new Error('nothing to look for');
        const kinds = names.map((group) => group.map((one) => candidate(one)));
        const ranked = kinds
          .flatMap((group, kind) => group.map((one, at) => ({ one, kind, at })))
          .flatMap(({ one, kind, at }) => {
            const how = paletteFit(query, one.found);
            return how === undefined ? [] : [{ one, key: [how, kind, one.found.name.length, at] }];
          })
          .sort((left, right) => {
            const differs = left.key.findIndex((part, index) => part !== right.key[index]);
            return differs === -1 ? 0 : (left.key[differs] ?? 0) - (right.key[differs] ?? 0);
          });
        expect(bestFitting(query, kinds, most)).toEqual(
          ranked.slice(0, most).map(({ one }) => one),
        );
      }),
    );
  });

  it('is the deployment that was meant, among many', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `shop-${at}`);
    expect(found('pay', ['print copied'], [...many, 'payments-old', 'payments'])[0]).toBe(
      'payments',
    );
    expect(found('shop', many)).toHaveLength(50);
    expect(found('shop-77', many)[0]).toBe('shop-77');
  });
});
