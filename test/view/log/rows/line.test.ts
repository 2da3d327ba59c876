import { expect, test } from 'vitest';
import { type LineMatcher, parseLineQuery } from '../../../../source/tail/query/log-query.ts';
import { sliceLine, wrapLine } from '../../../../source/view/text/fit.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { entryRows } from '../../../../source/view/log/rows/entry-rows.ts';
import { emptyGutter, logLine } from '../../../../source/view/log/rows/line.ts';

function testOf(text: string, regex = false): LineMatcher {
  const read = parseLineQuery({ text, regex });
  if (!read.ok) throw new Error(read.error.sentence);
  return read.value;
}

const style = { times: 'off', serviceWidth: 0, now: 0 } as const;

function drawn(text: string, query: string, regex = false): Line {
  const shown = { stream: 'stdout', logLine: text, id: undefined, timestamp: undefined };
  return logLine(
    { ...shown, serviceName: undefined },
    { ...style, search: testOf(query, regex) },
    { hasCursor: false, hasMark: false },
  );
}

const matched = (line: Line) =>
  line.filter(({ token }) => token === 'match').map(({ text }) => text);
const textOf = (line: Line) => line.map(({ text }) => text).join('');

test('every match in a line is highlighted, regardless of case', () => {
  expect(matched(drawn('GET /pay 504, Pay later', 'pay'))).toEqual(['pay', 'Pay']);
  expect(textOf(drawn('GET /pay 504', 'pay'))).toBe(' GET /pay 504');
});

test('a match replaces the colours of the line', () => {
  const line = drawn('\x1b[31merror: pay\x1b[0m ok', 'pay');
  expect(line.slice(3)).toEqual([
    { text: 'error: ', style: { color: 'red' } },
    { text: 'pay', token: 'match' },
    { text: ' ok', token: 'bad' },
  ]);
});

test('wide characters, accents and tabs are highlighted whole', () => {
  expect(matched(drawn('支払い 日本 x', '日本'))).toEqual(['日本']);
  expect(matched(drawn('cafe\u0301 x', 'cafe'))).toEqual(['cafe\u0301']);
  expect(matched(drawn('a\tb', '\\s', true))).toEqual(['       ']);
});

test('a match continues in a wrapped row, and is cut by horizontal scrolling', () => {
  const line = drawn('0123456789abcdef', '89ab');
  expect(wrapLine(line, 11).map(matched)).toEqual([['89'], ['ab']]);
  expect(matched(sliceLine(line, 10))).toEqual(['9ab']);
});

test('levels, services and negated terms of a query are not highlighted', () => {
  expect(matched(drawn('WARN slow', 'level:warn slow'))).toEqual(['slow']);
  expect(matched(drawn('WARN slow', '!fast'))).toEqual([]);
});

test('a line that colours each letter is cut to the width', () => {
  const letters = 'abcdefghij'.repeat(12);
  const text = letters.replaceAll(/./g, '\x1b[38;2;255;128;0m\x1b[48;2;0;0;128m$&');
  const line = { stream: 'stdout', logLine: text, id: undefined, timestamp: undefined };
  const entry = { kind: 'line', seq: 0, place: 0, line: { ...line, serviceName: 'w' } } as const;
  const look = {
    width: 121,
    height: 10,
    wrap: false,
    times: 'off',
    rawJson: false,
    scrollLeft: 0,
  } as const;
  expect(entryRows(entry, style, emptyGutter, look).map(textOf)).toEqual([` ${letters}`]);
  const rows = entryRows(entry, style, emptyGutter, { ...look, width: 61, wrap: true });
  expect(rows.map(textOf).join('')).toBe(` ${letters}`);
});

test('the instance follows its service, whose name is cut to make room', () => {
  const head = (serviceName: string, instance?: number) =>
    textOf(
      logLine(
        { logLine: 'x', serviceName, instance },
        { ...style, serviceWidth: 7, instanceWidth: 3 },
        emptyGutter,
      ),
    );
  expect(head('worker')).toBe(' worker    x');
  expect(head('worker', 2)).toBe(' worker 2  x');
  expect(head('worker', 12)).toBe(' worker 12 x');
  expect(head('workers-of-the-night', 12)).toBe(' worker 12 x'.replace('worker', 'worke…'));
  expect(head('web', 2)).toBe(' web 2     x');
});

test('a JSON line is a record or as it is written, with the visible part of a long one', () => {
  const style = { times: 'off', serviceWidth: 0, now: 0 } as const;
  const layout = {
    width: 30,
    height: 4,
    wrap: false,
    times: 'off',
    rawJson: false,
    scrollLeft: 0,
  } as const;
  const text = '{"level":"warn","msg":"slow","ms":812}';
  const entry = { kind: 'line', seq: 0, place: 0, line: { logLine: text } } as const;
  const draw = (rawJson: boolean, scrollLeft = 0) =>
    entryRows(entry, style, emptyGutter, { ...layout, rawJson, scrollLeft }).map(textOf);
  expect(draw(false)).toEqual([' WARN slow ms=812']);
  expect(draw(false, 5)).toEqual([' …low ms=812']);
  expect(draw(true)[0]).toMatch(/^ \{"level"/);
});

test('the time since the line before is as wide where it is unknown', () => {
  const line = { logLine: 'x', timestamp: '2026-01-01T00:00:02.500Z' };
  const between = { ...style, times: 'between' } as const;
  const shown = (before?: string) => textOf(logLine(line, between, { ...emptyGutter, before }));
  expect(shown('2026-01-01T00:00:01Z')).toBe(' +1.500s x');
  expect(shown()).toBe('         x');
});
