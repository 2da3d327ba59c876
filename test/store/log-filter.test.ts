import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLogFilter } from '../../source/store/log-filter.ts';
import { type LineQuery, readLineQuery } from '../../source/tail/log-query.ts';
import { createLogWorld, type Said, shownOf } from './log-world.ts';

const said: fc.Arbitrary<Said> = fc.record({
  text: fc.constantFrom('pay ok', 'pay ERROR', 'warn: slow', 'read', 'Read é', ''),
  service: fc.constantFrom('web', 'api', undefined),
});
const lines = fc.array(said, { minLength: 1, maxLength: 8 });
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
  | { readonly kind: 'put'; readonly where: number; readonly lines: readonly Said[] }
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

describe('a filtered log', () => {
  it('shows the lines that match and every gap, whatever happens to the log meanwhile', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), fc.constantFrom(0, 1, 4), (events, pace) => {
        const world = createLogWorld();
        world.setPace(pace);
        const { entries } = world;
        const filter = createLogFilter({ ...world.options, eye: () => entries.at(2)?.seq });
        let asked: LineQuery | undefined;
        let chosen: ReadonlySet<string> | undefined;
        const naive = () => {
          const read = readLineQuery(asked ?? { text: '', regex: false });
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
              world.put(at, one.lines);
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
              filter.set(one.query);
              if (one.query === undefined || readLineQuery(one.query).ok) asked = one.query;
              break;
            case 'services':
              chosen = one.services;
              filter.setServices(chosen);
              break;
            default:
              one satisfies never;
          }
          // Nothing is ever shown that does not match.
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
      }),
      { numRuns: 400 },
    );
  });

  it('shows all again when nothing is filtered', () => {
    const world = createLogWorld();
    world.say('one', 'two', 'three');
    const filter = createLogFilter(world.options);
    filter.set({ text: 't', regex: false });
    expect(shownOf(filter.entries)).toEqual(['two', 'three']);
    expect(filter.state.getState()).toMatchObject({ matched: 2, looked: 3, total: 3, done: true });
    filter.set({ text: '', regex: false });
    expect(shownOf(filter.entries)).toEqual(['one', 'two', 'three']);
    expect(filter.state.getState()).toMatchObject({ query: undefined, matched: 0 });
  });
});
