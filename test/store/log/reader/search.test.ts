import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogFilter } from '../../../../source/store/log/reader/filter.ts';
import { LogSearch } from '../../../../source/store/log/reader/search.ts';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import { parseLineQuery } from '../../../../source/tail/query/log-query.ts';
import { createLogWorld } from '../log-world.ts';

function createWorld(...texts: readonly string[]) {
  const world = createLogWorld();
  world.say(...texts);
  const filter = new LogFilter(world.options);
  const shown = filter.entries;
  const view = new LogView({ entries: shown, received: () => 0 });
  const search = new LogSearch({ ...world.options, filter, view });
  return {
    ...world,
    filter,
    shown,
    view,
    search,
    find: (text: string, regex = false) => search.setQuery({ text, regex }),
    /** Returns the text under the cursor. */
    under() {
      const position = view.position.getState();
      if (position.kind === 'following') return 'following';
      const entry = shown.at(shown.indexOf(position.cursor));
      return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
    },
    /** Moves the cursor to the entry at an index. */
    stand: (index: number) => view.goTo(shown.at(index)?.seq ?? 0),
  };
}

describe('a search', () => {
  it('starts at the newest match at or before the cursor', () => {
    const world = createWorld('x one', 'two', 'x three', 'four', 'x five');
    world.find('x');
    expect(world.under()).toBe('x five');
    world.stand(3);
    world.find('x');
    expect(world.under()).toBe('x three');
    world.find('X|x t', true);
    expect(world.under()).toBe('x three');
    expect(world.search.state.getState()).toMatchObject({ newer: 0, older: 0, done: true });
  });

  it('goes to a later match if there is no earlier one, and returns if there is none', () => {
    const world = createWorld('one', 'two', 'x three', 'x four');
    world.stand(1);
    world.find('x');
    expect(world.under()).toBe('x three');
    world.stand(1);
    world.find('y');
    expect(world.under()).toBe('two');
    expect(world.search.state.getState()).toMatchObject({ at: undefined, newer: 0, older: 0 });
  });

  it('steps to newer and older matches, counts them and reports missing ones', () => {
    const world = createWorld('x one', 'two', 'x three', 'x four');
    world.find('x');
    const counts = () => {
      const { newer, older } = world.search.state.getState();
      return [world.under(), newer, older];
    };
    expect(counts()).toEqual(['x four', 0, 2]);
    expect(world.search.next('newer')).toBe('none');
    expect(world.search.next('older')).toBe('moved');
    expect(counts()).toEqual(['x three', 1, 1]);
    expect(world.search.next('older')).toBe('moved');
    expect(counts()).toEqual(['x one', 2, 0]);
    expect(world.search.next('older')).toBe('none');
    expect(counts()).toEqual(['x one', 2, 0]);
    world.stand(1);
    expect(counts()).toEqual(['two', 2, 1]);
    expect(world.search.state.getState().at).toBeUndefined();
    expect(world.search.next('newer')).toBe('moved');
    expect(counts()).toEqual(['x three', 1, 1]);
  });

  it('starts from the same position while typing, and returns when the query is removed', () => {
    const world = createWorld('xyz', 'xy', 'x', 'four', 'five');
    world.stand(3);
    const before = world.view.position.getState();
    for (const [text, expected] of [
      ['x', 'x'],
      ['xy', 'xy'],
      ['xyz', 'xyz'],
      ['xyzz', 'four'],
      ['xyz', 'xyz'],
      ['x', 'x'],
    ] as const) {
      world.search.setQuery({ text, regex: false }, before);
      expect(world.under()).toBe(expected);
    }
    world.search.setQuery(undefined);
    world.view.restore(before);
    expect(world.under()).toBe('four');
    expect(world.search.next('older')).toBe('none');
  });

  it('keeps following when nothing is found', () => {
    const world = createWorld('one', 'two');
    world.find('x');
    expect(world.under()).toBe('following');
    world.say('x three');
    world.settle();
    expect(world.under()).toBe('following');
    expect(world.search.next('older')).toBe('moved');
    expect(world.under()).toBe('x three');
  });

  it('goes to a match as soon as it is found, unless the reader has moved', () => {
    const lines = ['x', ...Array.from({ length: 2000 }, (_, index) => `line ${index}`)];
    for (const goesOn of [false, true]) {
      const world = createWorld(...lines);
      world.setPace(4);
      world.find('x');
      expect(world.under()).toBe('following');
      expect(world.search.state.getState().done).toBe(false);
      if (goesOn) world.stand(700);
      world.settle();
      expect(world.under()).toBe(goesOn ? 'line 699' : 'x');
    }
  });

  it('reports a pending step and its outcome', () => {
    const lines = Array.from({ length: 2000 }, (_, index) => (index % 1500 === 0 ? 'x' : 'y'));
    const world = createWorld(...lines);
    world.find('x');
    world.settle();
    expect(world.under()).toBe('x');
    world.setPace(4);
    world.stand(1999);
    world.find('x');
    expect(world.search.next('older')).toBe('looking');
    expect(world.search.state.getState().looking).toBe('older');
    world.settle();
    // The step starts at the match that was still pending.
    expect(world.search.state.getState()).toMatchObject({
      at: world.entries.at(0)?.seq,
      newer: 1,
      older: 0,
      looking: undefined,
    });
    world.stand(0);
    world.find('x');
    world.stand(1999);
    expect(world.search.next('newer')).toBe('looking');
    world.settle();
    expect(world.search.state.getState()).toMatchObject({ looking: undefined, missed: 'newer' });
    expect(world.search.next('older')).toBe('moved');
    expect(world.search.state.getState().missed).toBeUndefined();
  });

  it('stays in place when the pending step is cancelled', () => {
    const world = createWorld('x', ...Array.from({ length: 2000 }, () => 'y'));
    world.setPace(4);
    world.find('x');
    world.stand(1999);
    expect(world.search.next('older')).toBe('looking');
    world.search.cancelPending();
    expect(world.search.state.getState().looking).toBeUndefined();
    world.settle();
    expect(world.search.state.getState()).toMatchObject({ done: true, missed: undefined });
    expect(world.under()).toBe('y');
  });

  it('skips hidden lines, and finds them again without the filter', () => {
    const world = createWorld('x one', 'x two y', 'three', 'x four y', 'x five');
    world.find('x');
    world.filter.setQuery({ text: 'y', regex: false });
    world.settle();
    expect(world.search.state.getState()).toMatchObject({ older: 2, done: true });
    expect(world.search.next('older')).toBe('moved');
    expect(world.under()).toBe('x four y');
    expect(world.search.next('older')).toBe('moved');
    expect(world.search.next('older')).toBe('none');
    world.filter.setQuery(undefined);
    world.settle();
    expect(world.under()).toBe('x two y');
    expect(world.search.state.getState()).toMatchObject({ newer: 2, older: 1 });
  });

  it('waits for a running filter', () => {
    const texts = Array.from({ length: 3000 }, (_, index) => (index === 5 ? 'x y' : 'line'));
    const world = createWorld(...texts);
    world.setPace(4);
    world.filter.setQuery({ text: 'y', regex: false });
    world.find('x');
    expect(world.under()).toBe('following');
    expect(world.search.state.getState().done).toBe(false);
    world.settle();
    expect(world.search.state.getState()).toMatchObject({ done: true });
    expect(world.under()).toBe('x y');
  });

  it('counts its moves to a match, also those of steps that are found later', () => {
    const world = createWorld('x one', 'two', 'x three');
    const jumps = () => world.search.state.getState().jumps;
    world.find('x');
    expect(jumps()).toBe(1);
    world.search.next('older');
    expect(jumps()).toBe(2);
    world.search.next('older');
    world.view.move(1);
    expect(jumps()).toBe(2);
    world.find('later');
    expect(jumps()).toBe(2);
    world.say('later');
    world.search.next('newer');
    world.settle();
    expect(world.under()).toBe('later');
    expect(jumps()).toBe(3);
  });

  it('reports an invalid query and keeps the last valid one', () => {
    const world = createWorld('x', 'y');
    world.find('x');
    world.find('(', true);
    expect(world.search.state.getState()).toMatchObject({
      query: { text: 'x' },
      problem: { sentence: 'Invalid regular expression: Unterminated group.' },
    });
    expect(world.search.test()?.spans('axb')).toEqual([[1, 2]]);
  });

  it('gives up a pattern that takes too long, and its spans earlier', () => {
    const hostile = `ab ${'a'.repeat(5000)}!`;
    const world = createWorld('ab', hostile);
    world.setPace(1);
    world.find('(a+)+b', true);
    const test = world.search.test();
    expect(test?.matches('ab', undefined)).toBe(true);
    expect(test?.spans(hostile)).toEqual([]);
    expect(test?.spans('ab ab')).toEqual([
      [0, 2],
      [3, 5],
    ]);
    world.say(`${'a'.repeat(5000)}!`);
    world.settle();
    expect(world.search.state.getState()).toMatchObject({
      query: undefined,
      problem: { sentence: 'This pattern takes too long on a line of this log.' },
      done: true,
    });
    expect(world.search.next('older')).toBe('none');
    world.find('ab');
    expect(world.under()).toBe(hostile);
  });

  it('agrees with a naive search on every step for any sequence of changes', () => {
    const texts = fc.array(fc.constantFrom('x', 'y', 'xy', ''), { maxLength: 12 });
    const where = fc.double({ min: 0, max: 1, noNaN: true });
    const event = fc.oneof(
      fc.record({ kind: fc.constant('put' as const), where, texts }),
      fc.record({
        kind: fc.constantFrom('stand' as const, 'gap' as const, 'drop' as const),
        where,
      }),
      fc.record({ kind: fc.constantFrom('newer' as const, 'older' as const, 'filter' as const) }),
    );
    fc.assert(
      fc.property(texts, fc.array(event, { maxLength: 30 }), (start, events) => {
        const world = createWorld(...start);
        const read = parseLineQuery({ text: 'x', regex: false });
        world.find('x');
        world.settle();
        const entries = world.shown;
        const found = () =>
          entries
            .slice(0, entries.length)
            .filter(
              (entry) =>
                entry.kind === 'line' &&
                read.ok &&
                read.value.matches(entry.line.logLine, undefined),
            )
            .map(({ seq }) => seq);
        const cursor = () => {
          const position = world.view.position.getState();
          return position.kind === 'frozen' ? position.cursor : Number.POSITIVE_INFINITY;
        };
        let filtered = false;
        let hasDropped = false;
        for (const one of events) {
          const all = world.entries.length;
          const at = 'where' in one ? Math.floor(one.where * all) : 0;
          switch (one.kind) {
            case 'put':
              // Older lines that come after a drop are the dropped ones again, with their numbers.
              world.insertAt(
                hasDropped && at === 0 ? Math.min(1, all) : at,
                one.texts.map((text) => ({ text })),
              );
              break;
            case 'stand':
              if (entries.length > 0) world.stand(Math.floor(one.where * entries.length));
              break;
            case 'gap':
              world.change((log) => log.toggleGap(at));
              break;
            case 'drop':
              hasDropped = true;
              world.change((log) => log.dropOldest(at));
              break;
            case 'filter':
              filtered = !filtered;
              world.filter.setQuery(filtered ? { text: 'y', regex: false } : undefined);
              break;
            case 'newer':
            case 'older': {
              const from = cursor();
              const expected =
                one.kind === 'newer'
                  ? found().find((seq) => seq > from)
                  : found().findLast((seq) => seq < from);
              const result = world.search.next(one.kind);
              expect(result).toBe(expected === undefined ? 'none' : 'moved');
              expect(cursor()).toBe(expected ?? from);
              break;
            }
            default:
              one satisfies never;
          }
          world.settle();
          const state = world.search.state.getState();
          expect(state).toMatchObject({
            newer: found().filter((seq) => seq > cursor()).length,
            older: found().filter((seq) => seq < cursor()).length,
            at: found().find((seq) => seq === cursor()),
            done: true,
          });
        }
      }),
      { numRuns: 300 },
    );
  });
});
