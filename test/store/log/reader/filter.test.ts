import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { guard } from '../../../../source/start/bounded-run.ts';
import type { Guard } from '../../../../source/store/time/clock.ts';
import { LogFilter } from '../../../../source/store/log/reader/filter.ts';
import { type LineQuery, parseLineQuery } from '../../../../source/tail/query/log-query.ts';
import { createLogWorld, type TestLine, shownOf } from '../log-world.ts';

const testLine: fc.Arbitrary<TestLine> = fc.record({
  text: fc.constantFrom(
    'pay ok',
    'pay ERROR',
    'p\x1b[31may\x1b[0m',
    'warn: slow',
    'read',
    'Read é',
    '',
  ),
  service: fc.constantFrom('web', 'api', undefined),
});
const lines = fc.array(testLine, { minLength: 1, maxLength: 8 });
const query: fc.Arbitrary<LineQuery | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.record({
    text: fc.constantFrom(
      'pay',
      '!pay',
      'level:warn',
      'service:w a',
      'Read',
      'r.*d',
      'x',
      '!(',
      '',
    ),
    regex: fc.boolean(),
  }),
);
const services = fc.constantFrom(undefined, new Set(['web']), new Set(['api', 'web']));
const where = fc.double({ min: 0, max: 1, noNaN: true });

type Event =
  | { readonly kind: 'put'; readonly where: number; readonly lines: readonly TestLine[] }
  | { readonly kind: 'gap' | 'drop' | 'remove'; readonly where: number }
  | { readonly kind: 'renumber' | 'turn' }
  | { readonly kind: 'set'; readonly query: LineQuery | undefined }
  | { readonly kind: 'services'; readonly services: ReadonlySet<string> | undefined };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('put' as const), where, lines }) },
  fc.record({ kind: fc.constant('put' as const), where: fc.constant(1), lines }),
  fc.record({ kind: fc.constantFrom('gap' as const, 'drop' as const, 'remove' as const), where }),
  fc.record({ kind: fc.constant('renumber' as const) }),
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('turn' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set' as const), query }) },
  fc.record({ kind: fc.constant('services' as const), services }),
);

/** A time limit that ends one run in five before it starts, as on a busy machine. */
function sometimesBusy(): Guard {
  let runs = 0;
  return (work, milliseconds) => {
    runs += 1;
    return runs % 5 === 0 ? { ok: false } : guard(work, milliseconds);
  };
}

describe('a filtered log', () => {
  it('shows matching lines and every gap for any sequence of changes', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.constantFrom(0, 1, 4), (events, pace) => {
        const world = createLogWorld();
        world.setPace(pace);
        const { entries } = world;
        const filter = new LogFilter({
          ...world.options,
          clock: { ...world.options.clock, guard: sometimesBusy() },
          eye: () => entries.at(2)?.seq,
        });
        const told = new Set<number>();
        filter.onCriteriaChanged(() => told.clear());
        filter.onInserted((runs) => {
          for (const { first, last, count } of runs) {
            const end = filter.entries.indexOf(last) + 1;
            const found = filter.entries.slice(filter.entries.indexOf(first), end);
            for (const { seq } of found) told.add(seq);
            expect([found[0]?.seq, found.at(-1)?.seq]).toEqual([first, last]);
            if (chosen === undefined && asked === undefined) expect(found).toHaveLength(count);
          }
        });
        let asked: LineQuery | undefined;
        let chosen: ReadonlySet<string> | undefined;
        const naive = () => {
          const read = parseLineQuery(asked ?? { text: '', regex: false });
          return entries.slice(0, entries.length).filter((entry) => {
            if (entry.kind === 'gap') return true;
            const { logLine, serviceName } = entry.line;
            const isChosen = chosen === undefined || chosen.has(serviceName ?? 'none');
            return isChosen && read.ok && read.value.matches(logLine, serviceName);
          });
        };
        for (const one of events) {
          const at = 'where' in one ? Math.floor(one.where * entries.length) : 0;
          switch (one.kind) {
            case 'put':
              world.insertAt(at, one.lines);
              break;
            case 'gap':
              world.change((log) => log.toggleGap(at));
              break;
            case 'drop':
              world.change((log) => log.dropOldest(at));
              break;
            case 'remove':
              world.change((log) => log.remove(at, 3));
              break;
            case 'renumber':
              world.change((log) => log.renumber());
              break;
            case 'turn':
              world.turn();
              break;
            case 'set':
              filter.setQuery(one.query);
              if (one.query === undefined || parseLineQuery(one.query).ok) asked = one.query;
              break;
            case 'services':
              chosen = one.services;
              filter.setShown({ services: chosen, members: undefined });
              break;
            default:
              one satisfies never;
          }
          // A line that does not match is never shown.
          const seqs = new Set(naive().map(({ seq }) => seq));
          const shown = filter.entries.slice(0, filter.entries.length);
          expect(shown.filter(({ seq }) => !seqs.has(seq))).toEqual([]);
        }
        world.settle();
        const expected = naive();
        const shown = filter.entries;
        expect(shown.slice(0, shown.length)).toEqual(expected);
        expect(shown.length).toBe(expected.length);
        for (const [index, entry] of expected.entries()) {
          expect(shown.at(index)).toBe(entry);
          expect(shown.indexOf(entry.seq)).toBe(index);
        }
        for (const entry of entries.slice(0, entries.length)) {
          const index = expected.findIndex(({ seq }) => seq >= entry.seq);
          expect(shown.indexOf(entry.seq)).toBe(index < 0 ? expected.length : index);
        }
        const scanned: [number, string, string | undefined][] = [];
        shown.scan(0, shown.length, (...line) => scanned.push(line));
        expect(scanned).toEqual(
          expected.flatMap((entry, index) =>
            entry.kind === 'line' ? [[index, entry.line.logLine, entry.line.serviceName]] : [],
          ),
        );
        expect(filter.state.getState().done).toBe(true);
        if (asked !== undefined && asked.text !== '') {
          const untold = expected.filter(({ kind, seq }) => kind === 'line' && !told.has(seq));
          expect(untold).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('shows all lines when the filter is removed', () => {
    const world = createLogWorld();
    world.say('one', 'two', 'three');
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 't', regex: false });
    expect(shownOf(filter.entries)).toEqual(['two', 'three']);
    expect(filter.state.getState()).toMatchObject({ matched: 2, looked: 3, total: 3, done: true });
    filter.setQuery({ text: '', regex: false });
    expect(shownOf(filter.entries)).toEqual(['one', 'two', 'three']);
    expect(filter.state.getState()).toMatchObject({ active: undefined, matched: 0 });
  });

  it('is not done while a line that just arrived is unmatched, whatever was published last', () => {
    const world = createLogWorld();
    world.say('one');
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 't', regex: false });
    expect(filter.isDone()).toBe(true);
    world.say('two');
    expect(filter.state.getState().done).toBe(true);
    expect(filter.isDone()).toBe(false);
    world.settle();
    expect(filter.isDone()).toBe(true);
    expect(shownOf(filter.entries)).toEqual(['two']);
  });

  it('scans around the cursor first, and finds new lines meanwhile', () => {
    const world = createLogWorld();
    world.setPace(4);
    world.say(...Array.from({ length: 2000 }, (_, index) => `line ${index}`));
    const filter = new LogFilter({
      ...world.options,
      eye: () => world.entries.at(999)?.seq,
    });
    filter.setQuery({ text: 'LINE|x*', regex: true });
    filter.setQuery({ text: 'line', regex: false });
    const first = shownOf(filter.entries);
    expect(first).toContain('line 999');
    expect(first.length).toBeLessThan(1000);
    expect(filter.state.getState()).toMatchObject({
      matched: first.length,
      looked: first.length,
      total: 2000,
      done: false,
    });
    world.say('line 2000', 'other');
    world.turn();
    world.turn();
    expect(shownOf(filter.entries)).toContain('line 1001');
    world.settle();
    expect(filter.entries.length).toBe(2001);
    expect(filter.state.getState()).toMatchObject({ matched: 2001, looked: 2002, done: true });
    world.say('line 2001');
    world.settle();
    expect(shownOf(filter.entries).at(-1)).toBe('line 2001');
  });

  it('scans all lines that fill a gap at the edge of the scanned range', () => {
    const xs = ['x 1', 'x 2', 'x 3', 'x 4'];
    const others = Array.from({ length: 255 }, () => 'c');
    for (const eye of [2, undefined]) {
      const world = createLogWorld();
      world.setPace(4);
      world.say('a', 'b', ...others);
      world.change((log) => log.toggleGap(2));
      const at = eye === undefined ? undefined : world.entries.at(eye)?.seq;
      const filter = new LogFilter({ ...world.options, eye: () => at });
      filter.setQuery({ text: 'x', regex: false });
      world.change((log) => log.toggleGap(2));
      world.insertAt(
        2,
        xs.map((text) => ({ text })),
      );
      world.settle();
      expect(shownOf(filter.entries)).toEqual(xs);
    }
  });

  it('publishes at once when the matches fill a screen', () => {
    const world = createLogWorld();
    world.setPace(4);
    world.say(...Array.from({ length: 12_000 }, (_, line) => (line % 40 === 0 ? 'hit' : 'miss')));
    const filter = new LogFilter(world.options);
    const told: number[] = [];
    filter.setQuery({ text: 'hit', regex: false });
    while (filter.entries.length < 50) {
      expect(world.turn()).toBe(true);
      for (const rows of [24, 50]) {
        if (filter.entries.length >= rows && !told.includes(rows)) told.push(rows);
        const { matched } = filter.state.getState();
        if (told.includes(rows)) expect(matched).toBeGreaterThanOrEqual(rows);
      }
    }
    expect(told).toEqual([24, 50]);
    expect(filter.state.getState().done).toBe(false);
  });

  it('keeps the last valid query when one is rejected, and reports the problem', () => {
    const world = createLogWorld();
    world.say('one', 'two', 'three');
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 't.', regex: true });
    filter.setQuery({ text: 't.(', regex: true });
    expect(shownOf(filter.entries)).toEqual(['two', 'three']);
    expect(filter.state.getState()).toMatchObject({
      active: [{ query: { text: 't.', regex: true } }],
      problem: { sentence: 'Invalid regular expression: Unterminated group.' },
    });
    filter.setQuery({ text: 'two', regex: true });
    expect(shownOf(filter.entries)).toEqual(['two']);
    expect(filter.state.getState().problem).toBeUndefined();
  });

  it.each([
    ['(a+)+$', `${'a'.repeat(50_000)}!`],
    ['(.*a){20}', `a${'x'.repeat(3000)}`.repeat(19)],
    ['(.*a){20}b', 'a'.repeat(200_000)],
  ])('survives %s on hostile lines', (text, hostile) => {
    const world = createLogWorld();
    world.setPace(1);
    world.say('aa', hostile, 'one', hostile, 'bab');
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 'a', regex: false });
    world.settle();
    filter.setQuery({ text, regex: true });
    let turns = 0;
    while (world.turn()) turns += 1;
    // Key presses are handled between two attempts at a line.
    expect(turns).toBeGreaterThan(0);
    expect(filter.state.getState()).toMatchObject({
      active: [{ query: { text: 'a', regex: false } }],
      problem: {
        sentence: 'This pattern takes too long on a line of this log.',
        next: 'Simplify it. Tab treats it as text.',
      },
      done: true,
    });
    expect(filter.entries.length).toBe(4);
    world.say('more', 'and more');
    world.settle();
    expect(shownOf(filter.entries).at(-1)).toBe('and more');
  });

  it('gives up a pattern at the first new line that takes too long', () => {
    const world = createLogWorld();
    world.say('ab', 'b');
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: '(a+)+b', regex: true });
    expect(shownOf(filter.entries)).toEqual(['ab']);
    world.say(`b${'a'.repeat(50_000)}`);
    world.settle();
    expect(filter.state.getState()).toMatchObject({
      active: undefined,
      problem: { sentence: 'This pattern takes too long on a line of this log.' },
    });
    expect(filter.entries.length).toBe(3);
  });

  it('scans lines of a megabyte', () => {
    const world = createLogWorld();
    const long = 'x'.repeat(1_000_000);
    world.say(`${long}end`, 'end', long, `${long}END`);
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 'end', regex: false });
    world.settle();
    expect(filter.entries.length).toBe(3);
    filter.setQuery({ text: 'x+end$', regex: true });
    world.settle();
    expect(filter.state.getState().problem ?? filter.entries.length).toBe(2);
  });

  it('publishes nothing after a stop', () => {
    const world = createLogWorld();
    world.setPace(4);
    world.say(...Array.from({ length: 1000 }, () => 'line'));
    const filter = new LogFilter(world.options);
    filter.setQuery({ text: 'line', regex: false });
    filter.stop();
    expect(world.turn()).toBe(false);
    world.say('line');
    expect(world.turn()).toBe(false);
  });
});
