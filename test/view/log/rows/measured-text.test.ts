import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import type { LineEntry } from '../../../../source/tail/arena/entries.ts';
import { parseLineQuery } from '../../../../source/tail/query/log-query.ts';
import { fitLine } from '../../../../source/view/text/fit.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { createColumnLayout } from '../../../../source/view/log/rows/column-layout.ts';
import {
  entryRows,
  type LogLayout,
  type MatchPlace,
  matchPlace,
} from '../../../../source/view/log/rows/entry-rows.ts';
import { emptyGutter, type LogStyle } from '../../../../source/view/log/rows/line.ts';

const layout: LogLayout = {
  width: 40,
  height: 5,
  wrap: false,
  times: 'off',
  rawJson: false,
  scrollLeft: 0,
};

const entryOf = (logLine: string): LineEntry<LogLine> => ({
  kind: 'line',
  seq: 1,
  place: 1,
  line: { logLine, serviceName: 'web' },
});

function styleOf(text: string, regex = false): LogStyle {
  const read = parseLineQuery({ text, regex });
  if (!read.ok) throw new Error(read.error.sentence);
  return { times: 'off', serviceWidth: 4, now: 0, search: read.value };
}

const plainStyle: LogStyle = { times: 'off', serviceWidth: 4, now: 0 };
const wrapped: LogLayout = { ...layout, wrap: true };

const textOf = (line: Line) => line.map(({ text }) => text).join('');
const looks = (rows: readonly Line[]) => rows.map((row) => fitLine(row, layout.width));
const matched = (line: Line) =>
  line.filter(({ token }) => token === 'match').map(({ text }) => text);
const placeOf = (text: string, style: LogStyle, look = layout): MatchPlace | undefined =>
  matchPlace(entryOf(text), style, emptyGutter, look);
const rowsOf = (text: string, style: LogStyle, look: LogLayout, above = 0) =>
  entryRows(entryOf(text), style, emptyGutter, look, above);

const plainUnits = ['word ', '\t', '\x1b[31m', '\x1b[0m', '\x1b[2H'];

/** Returns long texts of these units. */
const longText = (units: readonly string[]) =>
  fc
    .array(fc.constantFrom(...units), { minLength: 1, maxLength: 40 })
    .chain((all) => fc.integer({ min: 1, max: 400 }).map((count) => all.join('').repeat(count)));

/** Long texts of all kinds of characters, and of colours. */
const anyText = longText([...plainUnits, '世界', 'e\u0301', '👍🏽']);

test('rows deep in a long line are those of the whole line', () => {
  fc.assert(
    fc.property(anyText, fc.nat(300), (text, above) => {
      const all = looks(rowsOf(text, plainStyle, { ...wrapped, height: above + 5 }));
      const some = looks(rowsOf(text, plainStyle, wrapped, above));
      expect(some.length).toBe(all.length);
      expect(some.slice(above, -1).map(textOf)).toEqual(all.slice(above, -1).map(textOf));
    }),
    { numRuns: 60 },
  );
});

test('a long line scrolled sideways shows the cells that its rows show', () => {
  fc.assert(
    fc.property(longText(plainUnits), fc.integer({ min: 1, max: 12_000 }), (text, scrollLeft) => {
      const [row = []] = looks(rowsOf(text, plainStyle, { ...layout, scrollLeft }));
      const cells = textOf(rowsOf(text, plainStyle, { ...wrapped, width: 1_000_000 })[0] ?? []);
      const shown = cells.slice(5 + scrollLeft + 1, 5 + scrollLeft + 34);
      expect(textOf(row).slice(6, 39)).toBe(shown.padEnd(33));
    }),
    { numRuns: 60 },
  );
});

test('the colours of a long line go on where it is scrolled to', () => {
  const text = `\x1b[31m${'r'.repeat(9000)}\x1b[1m${'b'.repeat(9000)}\x1b[0m${'p'.repeat(9000)}`;
  const style = (scrollLeft: number) =>
    rowsOf(text, plainStyle, { ...layout, scrollLeft })[0]?.at(-2)?.style;
  expect(style(8000)).toEqual({ color: 'red' });
  expect(style(16_000)).toEqual({ color: 'red', bold: true });
  expect(style(25_000)).toBeUndefined();
});

test('the place of a match is in cells, behind the columns that do not scroll', () => {
  expect(placeOf('one two', styleOf('two'))).toEqual({ row: 0, cells: [4, 7], fixed: 5 });
  expect(placeOf('支払い two', styleOf('two'))?.cells).toEqual([7, 10]);
  expect(placeOf('a\ttwo', styleOf('two'))?.cells).toEqual([8, 11]);
  expect(placeOf('\x1b[31mone \x1b[32mt\x1b[33mwo', styleOf('two'))?.cells).toEqual([4, 7]);
  expect(placeOf('one two two', styleOf('two'))?.cells).toEqual([4, 7]);
  expect(placeOf('one two', styleOf('level:info'))).toBeUndefined();
  expect(placeOf('one', styleOf('two'))).toBeUndefined();
});

test('the place of a match in a record is where it is drawn, and columns give way to it', () => {
  const record = '{"level":"info","msg":"paid","user":"ann"}';
  expect(placeOf(record, styleOf('ann'))?.cells).toEqual([15, 18]);
  expect(placeOf(record, styleOf('ann'), { ...layout, rawJson: true })?.cells).toEqual([37, 40]);
  const columns = createColumnLayout(['user']);
  expect(placeOf(record, { ...styleOf('ann'), columns })?.cells).toEqual([15, 18]);
  expect(textOf(rowsOf(record, { ...styleOf('bob'), columns }, layout)[0] ?? [])).toContain(
    'user=',
  );
});

test('a match deep in a line of a megabyte has its place, and is drawn there', () => {
  for (const [unit, cells] of [
    ['abcdefghij', 900_000],
    ['日本語 x', 1_440_000],
    ['\x1b[31mabcdefgh', 720_000],
  ] as const) {
    const head = unit.repeat(Math.ceil(900_000 / 10)).slice(0, unit.length * 90_000);
    const text = `${head}needle${unit.repeat(10_000)}`;
    const style = styleOf('needle');
    const { cells: [from, to] = [0, 0] } = placeOf(text, style) ?? {};
    expect(to - from).toBe(6);
    expect(from).toBe(unit.startsWith('日') ? 90_000 * 8 : cells);
    const [row = []] = looks(rowsOf(text, style, { ...layout, scrollLeft: from - 5 }));
    expect(matched(row)).toEqual(['needle']);
    const { row: at = 0 } = placeOf(text, style, wrapped) ?? {};
    const rows = rowsOf(text, style, { ...wrapped, height: 10 }, at - 4);
    expect(rows.findIndex((each) => matched(each).length > 0)).toBe(at);
  }
});

test('a row says in the colour of matches on which side one is out of view', () => {
  const text = `needle ${'x'.repeat(20_000)} needle ${'x'.repeat(20_000)}`;
  const signs = (scrollLeft: number, query = 'needle') =>
    matched(looks(rowsOf(text, styleOf(query), { ...layout, scrollLeft }))[0] ?? []);
  expect(signs(0)).toEqual(['needle', '…']);
  expect(signs(10_000)).toEqual(['…', '…']);
  expect(signs(20_005)).toEqual(['…', 'needle']);
  expect(signs(30_000)).toEqual(['…']);
  expect(signs(10_000, 'nothing')).toEqual([]);
});
