import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestMatches,
  toSearchable,
  rankMatch,
  type PaletteCandidate,
  paletteQuery,
} from '../../../../source/view/shell/palette/palette-match.ts';

function candidate(name: string, more = ''): PaletteCandidate {
  const row = { id: name, name, explanation: '', key: '', run() {} };
  return { searchable: toSearchable(name, more), row: () => row };
}

function fit(typed: string, name: string, more = ''): number | undefined {
  const query = paletteQuery(typed);
  return query && rankMatch(query, toSearchable(name, more));
}

function found(typed: string, ...kinds: readonly (readonly string[])[]): readonly string[] {
  const query = paletteQuery(typed);
  if (query === undefined) return [];
  const all = kinds.map((names) => names.map((name) => candidate(name)));
  return bestMatches(query, all, 50).map(({ row }) => row().name);
}

const word = fc.stringMatching(/^[a-c]{1,3}$/);
const name = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join('-'));
const typed = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '));

/** Returns true when each typed word begins a word of the name. */
function fitsPlainly(query: string, of: string): boolean {
  const words = of.split('-');
  return query.split(' ').every((one) => words.some((other) => other.startsWith(one)));
}

describe('a palette query', () => {
  it('matches only names whose words begin with its words, in any order', () => {
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

  it('ranks a whole name first, then its beginning, then its words', () => {
    const names = ['restart', 'restart shop', 'shop restart', 'x shop restart'];
    expect(names.map((of) => fit('restart', of))).toEqual([0, 1, 3, 3]);
    expect(fit('restart', 'a', 'restart it')).toBe(4);
    expect(fit('shop x', 'x shop')).toBe(2);
  });

  it('ranks a synonym below the words of the name and the explanation', () => {
    const query = paletteQuery('rm');
    const of = (name: string, more = '', synonyms = '') =>
      query && rankMatch(query, toSearchable(name, more, synonyms));
    expect(of('rm')).toBe(0);
    expect(of('x', 'rm')).toBe(4);
    expect(of('delete files', 'delete...', 'remove rm')).toBe(5);
    expect(of('delete files', 'delete...', 'remove')).toBeUndefined();
  });

  it('finds with a prefix everything that the longer text finds', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 12 }), fc.string({ maxLength: 3 }), name, (a, b, of) => {
        if (fit(a + b, of) !== undefined) expect(fit(a, of)).toBeDefined();
      }),
    );
  });

  it('finds nothing for an accidental paste', () => {
    expect(paletteQuery('a'.repeat(10_000))).toBeUndefined();
    expect(
      paletteQuery(Array.from({ length: 100 }, (_, at) => `w${at}`).join(' ')),
    ).toBeUndefined();
  });
});

describe('the results', () => {
  it('are sorted by rank, then by order, and limited', () => {
    const groups = fc.array(fc.array(name, { maxLength: 8 }), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(typed, groups, fc.integer({ min: 1, max: 6 }), (text, names, most) => {
        const query = paletteQuery(text);
        if (query === undefined) throw new Error('nothing to look for');
        const kinds = names.map((group) => group.map((one) => candidate(one)));
        const ranked = kinds
          .flatMap((group, kind) => group.map((one, at) => ({ one, kind, at })))
          .flatMap(({ one, kind, at }) => {
            const how = rankMatch(query, one.searchable);
            return how === undefined
              ? []
              : [{ one, key: [how, kind, one.searchable.name.length, at] }];
          })
          .sort((left, right) => {
            const differs = left.key.findIndex((part, index) => part !== right.key[index]);
            return differs === -1 ? 0 : (left.key[differs] ?? 0) - (right.key[differs] ?? 0);
          });
        expect(bestMatches(query, kinds, most)).toEqual(
          ranked.slice(0, most).map(({ one }) => one),
        );
      }),
    );
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
