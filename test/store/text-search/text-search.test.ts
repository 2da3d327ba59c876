import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTextSearch } from '../../../source/store/text-search/text-search.ts';
import { createTestClock } from '../../support/clock.ts';

const query = (text: string, regex = false) => ({ text, regex });
const yaml = [
  'server:',
  '  port: 8080',
  '  timeout: 2s',
  '  upstream: http://x:8080',
  'level: info',
];

function searchIn(lines: readonly string[], from = 0) {
  const clock = createTestClock();
  const search = createTextSearch(clock);
  search.show(lines, from);
  return { clock, search, now: () => search.state.getState() };
}

describe('a search in a text', () => {
  it('jumps to the first match behind the reader, steps in a circle, and ends', () => {
    const { search, now } = searchIn(yaml, 2);
    search.setQuery(query('8080'));
    expect(now()).toMatchObject({ matches: [1, 3], at: 3, isDone: true, jumps: 1 });
    expect(search.step('next')).toBe(true);
    expect(now()).toMatchObject({ at: 1, jumps: 2 });
    search.step('previous');
    expect(now().at).toBe(3);
    search.setQuery(undefined);
    expect(now()).toMatchObject({ query: undefined, matches: [], at: undefined });
    expect(search.step('next')).toBe(false);
    expect(search.spans('8080')).toEqual([]);
  });

  it('starts from the line that the reader has chosen, until the text scrolls or is another', () => {
    const { search, now } = searchIn(yaml, 0);
    search.choose(2);
    expect(now()).toMatchObject({ at: 2, jumps: 0, query: undefined });
    search.setQuery(query('8080'));
    expect(now()).toMatchObject({ at: 3, jumps: 1 });
    search.choose(2);
    search.step('previous');
    expect(now().at).toBe(1);
    search.choose(4);
    search.show(yaml, 0);
    expect(search.from()).toBe(4);
    search.show(yaml, 1);
    expect(search.from()).toBe(1);
    search.setQuery(undefined);
    search.choose(4);
    search.show(['another text'], 1);
    expect(now().at).toBeUndefined();
  });

  it('minds the case of a query with a capital letter, and reads terms and ! as text', () => {
    const { search, now } = searchIn(['Port', 'port', 'level: info', '!x', 'x']);
    search.setQuery(query('port'));
    expect(now().matches).toEqual([0, 1]);
    search.setQuery(query('Port'));
    expect(now().matches).toEqual([0]);
    search.setQuery(query('level: in'));
    expect(now().matches).toEqual([2]);
    search.setQuery(query('!x'));
    expect(now().matches).toEqual([3]);
    expect(search.spans('a !x b')).toEqual([[2, 4]]);
  });

  it('keeps the query before an invalid expression, and says what is wrong', () => {
    const { search, now } = searchIn(yaml);
    search.setQuery(query('80+', true));
    search.setQuery(query('80(', true));
    expect(now()).toMatchObject({ query: { text: '80+' }, matches: [1, 3] });
    expect(now().problem?.sentence).toMatch(/^Invalid regular expression/);
  });

  it('scans a long text in slices, and finds what one scan would find', async () => {
    const lines = Array.from({ length: 100_000 }, (_, index) =>
      index % 1000 === 999 ? `needle ${index}` : `a line of some length, ${index}`,
    );
    const { clock, search, now } = searchIn(lines, 50_000);
    search.setQuery(query('needle'));
    expect(now().isDone).toBe(false);
    expect(now().matches.length).toBeLessThan(20);
    for (let turns = 0; !now().isDone; turns += 1) {
      expect(turns).toBeLessThan(100);
      await clock.advance(0);
    }
    expect(now().matches).toHaveLength(100);
    expect(now()).toMatchObject({ at: 50_999, jumps: 1 });
  });

  it('stops a scan when the query changes', async () => {
    const lines = Array.from({ length: 50_000 }, (_, index) => `one two ${index}`);
    const { clock, search, now } = searchIn(lines);
    search.setQuery(query('one'));
    search.setQuery(query('zero'));
    for (let turns = 0; turns < 50; turns += 1) await clock.advance(0);
    expect(now()).toMatchObject({ matches: [], isDone: true, query: { text: 'zero' } });
  });

  it('searches changed lines without moving the reader', () => {
    const { search, now } = searchIn(yaml);
    search.setQuery(query('8080'));
    search.show(['new', ...yaml], 0);
    expect(now()).toMatchObject({ matches: [2, 4], jumps: 1 });
    search.show(['new', ...yaml], 0);
    expect(now()).toMatchObject({ matches: [2, 4], jumps: 1 });
  });

  it('gives up on an expression that takes too long', () => {
    const clock = createTestClock();
    const search = createTextSearch({ ...clock, guard: () => ({ ok: false }) });
    search.show(yaml, 0);
    search.setQuery(query('(a+)+$', true));
    expect(search.state.getState().problem?.sentence).toBe('This pattern takes too long.');
  });

  it('finds exactly the lines that hold the text', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '!', ' '), maxLength: 6 });
    fc.assert(
      fc.property(
        fc.array(text),
        text.filter((one) => one !== ''),
        (lines, typed) => {
          const { search, now } = searchIn(lines);
          search.setQuery(query(typed));
          expect(now().matches).toEqual(
            lines.flatMap((line, index) => (line.includes(typed) ? [index] : [])),
          );
        },
      ),
    );
  });
});
