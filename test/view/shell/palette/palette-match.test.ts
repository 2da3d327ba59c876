import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstInOrder } from '../../../../source/view/shell/palette/first-in-order.ts';
import { bestMatches } from '../../../../source/view/shell/palette/palette-match.ts';
import {
  type PaletteCandidate,
  prepareNext,
  searchObjects,
} from '../../../../source/view/shell/palette/palette-search.ts';
import { verbReadings } from '../../../../source/view/shell/palette/palette-verbs.ts';

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
  return bestMatches(typed, all, 50).map(({ candidate: { name } }) => name);
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
    expect(bestMatches('a', [[candidate('ab'), candidate('a')]], 1)).toMatchObject([
      { candidate: { name: 'a' } },
    ]);
  });

  it('contain the intended deployment among many', () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `shop-${at}`);
    expect(found('pay', ['print copied'], [...many, 'payments-old', 'payments'])[0]).toBe(
      'payments',
    );
    expect(found('shop', many)).toHaveLength(50);
    expect(found('shop-77', many)[0]).toBe('shop-77');
  });

  it('hold names by their letters at once, and by loose letters once the list is prepared', () => {
    const many = Array.from({ length: 9000 }, (_, at) => candidate(`shop-${at}`));
    const kinds = [[candidate('logs')], [...many, candidate('payments')]];
    const first = (typed: string) => bestMatches(typed, kinds, 1)[0]?.candidate.name;
    expect(first('paym')).toBe('payments');
    expect(first('pymnts')).toBeUndefined();
    let steps = 0;
    while (prepareNext(kinds)) steps += 1;
    expect(steps).toBeGreaterThan(3);
    expect(first('pymnts')).toBe('payments');
  });

  it('find a deployment by a part of its id', () => {
    const shop = { ...candidate('shop'), deployment: 'd1c81a03-a7c7' };
    const ids = (typed: string) =>
      bestMatches(typed, [[shop]], 1).map(({ candidate: { name } }) => name);
    expect(ids('1C81')).toEqual(['shop']);
    expect(ids('1c8')).toEqual([]);
  });
});

describe('the marks', () => {
  it('are the letters of the name that were found', () => {
    const marked = (typed: string, name: string) => {
      const [match] = bestMatches(typed, [[candidate(name)]], 1);
      return (match?.marks ?? []).map((at) => name[at]).join('');
    };
    expect(marked('dply', 'deploy')).toBe('dply');
    expect(marked('app yaml', 'config/app.yaml')).toBe('appyaml');
    expect(marked('cafe', 'Café')).toBe('Café');
  });

  it('are in order, inside the name, and spell the typed letters', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '-'), minLength: 1 });
    fc.assert(
      fc.property(letters, letters, (typed, name) => {
        const [match] = bestMatches(typed, [[candidate(name)]], 1);
        if (match === undefined) return;
        expect(match.marks.every((at, index) => at > (match.marks[index - 1] ?? -1))).toBe(true);
        expect(match.marks.map((at) => name[at]).join('')).toBe(typed.trim());
      }),
    );
  });

  it('come with the synonym, where it fits better than the name', () => {
    const close = candidate('close deployments', 'close...', 'delete', 'rm');
    expect(bestMatches('rm', [[close]], 1)).toMatchObject([{ marks: [], synonym: 'rm' }]);
    expect(bestMatches('close', [[close]], 1)).toMatchObject([{ synonym: undefined }]);
  });
});

describe('a verb', () => {
  const shops = ['shop', 'shop-2', 'ledger'].map((name) => candidate(name));
  const close = {
    verb: 'close',
    synonyms: ['delete', 'stop', 'rm', 'kill'],
    with: ({ name }: PaletteCandidate) => candidate(`close ${name}`),
  };
  const verbs = { verbs: [close], candidates: shops };
  const offers = (typed: string, ...commands: readonly string[]) =>
    bestMatches(typed, [commands.map((name) => candidate(name)), shops], 50, [verbs]);
  const namesOf = (typed: string, ...commands: readonly string[]) =>
    offers(typed, ...commands).map(({ candidate: { name } }) => name);

  it.each(['delshp', 'delete shop', 'shop del', 'close shop', 'closhop', 'rm shop', 'kilshop'])(
    '%j finds the shops to close',
    (typed) => {
      expect(namesOf(typed)).toEqual(['close shop', 'close shop-2']);
    },
  );

  it('marks the letters of the name, and its own where it was typed itself', () => {
    const [bySynonym] = offers('delshp');
    expect(bySynonym).toMatchObject({ synonym: 'delete', marks: [6, 7, 9] });
    const [byVerb] = offers('clo shp');
    expect(byVerb).toMatchObject({ synonym: undefined, marks: [0, 1, 2, 6, 7, 9] });
  });

  it('comes after a name that is typed whole, and needs a name', () => {
    expect(namesOf('shop')).toEqual(['shop', 'shop-2']);
    expect(namesOf('close', 'close files')).toEqual(['close files']);
    expect(namesOf('rm')).toEqual([]);
    expect(namesOf('close shop', 'close shop files')[0]).toBe('close shop');
  });

  it('is read at most once for each rest, and never without one', () => {
    const word = fc.string({ unit: fc.constantFrom('c', 'l', 'o', 's', 'e', 'd', 'r', 'm', ' ') });
    fc.assert(
      fc.property(word, (typed) => {
        const readings = verbReadings(typed, [close]);
        for (const { word: verb, typed: letters, rest } of readings) {
          expect(rest.trim()).toBe(rest);
          expect(rest).not.toBe('');
          expect(typed.toLowerCase()).toContain(verb.slice(0, letters));
        }
        expect(new Set(readings.map(({ rest }) => rest)).size).toBe(readings.length);
      }),
    );
  });
});

describe('the order', () => {
  it('does not depend on the order of the candidates', () => {
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'shop', '-', ' '), minLength: 1 });
    fc.assert(
      fc.property(fc.uniqueArray(name), name, (names, typed) => {
        expect(found(typed, names.toReversed())).toEqual(found(typed, names));
      }),
    );
  });
});

it('takes the first items as a stable sort does', () => {
  const items = fc.array(fc.record({ rank: fc.nat({ max: 4 }), label: fc.nat() }));
  fc.assert(
    fc.property(items, fc.nat({ max: 6 }), (all, most) => {
      const compare = (left: { rank: number }, right: { rank: number }) => left.rank - right.rank;
      expect(firstInOrder(all, compare, most)).toEqual(all.toSorted(compare).slice(0, most));
    }),
  );
});

describe('the objects of a verb in a long list', () => {
  const files = Array.from({ length: 50_000 }, (_, index) => candidate(`src/part-${index}.ts`));

  it('are the best names that hold the text, the shortest first', () => {
    const found = searchObjects(files, 'PART-12', 0.5, 50);
    expect(found).toHaveLength(50);
    for (const { candidate: each, marks } of found) {
      expect(each.name).toContain('part-12');
      expect(marks).toEqual([4, 5, 6, 7, 8, 9, 10]);
    }
    expect(found[0]?.candidate.name).toBe('src/part-12.ts');
    expect(searchObjects(files, 'src/part-49999.ts', 0.5, 50)).toHaveLength(1);
    expect(searchObjects(files, 'prt12', 0.5, 50)).toEqual([]);
    // A short list is searched as the palette searches names.
    expect(searchObjects(files.slice(0, 20), 'prt12', 0, 50)).toHaveLength(1);
  });
});
