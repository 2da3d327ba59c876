import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPairs } from '../../../source/view/text/json-pairs.ts';
import { jsonRecord } from '../../../source/view/text/json-record.ts';
import { spansText } from '../../../source/view/text/fit.ts';
import { parseLineQuery } from '../../../source/tail/query/log-query.ts';
import type { TextSpan } from '../../../source/tail/query/log-query.ts';

const noMarks: readonly TextSpan[] = [];

function marksOf(text: string, query: string): readonly TextSpan[] {
  const parsed = parseLineQuery({ text: query, regex: false });
  return parsed.ok ? parsed.value.spans(text) : [];
}

const shown = (text: string, hasTime = true) => {
  const line = jsonRecord(text, noMarks, undefined, hasTime);
  return line && spansText(line);
};

/** Draws a record with the matches of a search between brackets; undefined for one as written. */
function searched(text: string, query: string): string | undefined {
  const line = jsonRecord(text, marksOf(text, query), undefined, true);
  return line?.map((part) => (part.token === 'match' ? `[${part.text}]` : part.text)).join('');
}

describe('the pairs of a JSON object', () => {
  test('are those that a parser finds, whatever is inside', () => {
    const value = fc.jsonValue({ maxDepth: 4 });
    fc.assert(
      fc.property(fc.dictionary(fc.string(), value), fc.constantFrom(0, 1), (object, indent) => {
        const text = JSON.stringify(object, undefined, indent);
        fc.pre(text.length <= 8192 && text !== '{}');
        const pairs = jsonPairs(text) ?? [];
        const read = pairs.map(({ key, value: { text: own, isString } }): [string, unknown] => [
          JSON.parse(`"${key.text}"`) as string,
          JSON.parse(isString ? `"${own}"` : own) as unknown,
        ]);
        expect(JSON.stringify(Object.fromEntries(read))).toBe(JSON.stringify(object));
        for (const { key, value: token } of pairs) {
          expect(text.slice(key.from, key.to)).toBe(key.text);
          expect(text.slice(token.from, token.to)).toBe(token.text);
        }
      }),
    );
  });

  test('of other texts are none, and no text makes it fail', () => {
    for (const text of ['', '{', '{}', '{}x', '{"a"}', '{"a":}', '{"a":1', '{"a":1,}', '{"a":1} x'])
      expect(jsonPairs(text) ?? []).toEqual([]);
    const piece = fc.constantFrom('{', '}', '[', ']', '"', '\\', ':', ',', 'a', '1', ' ', '\u001b');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const pairs = jsonPairs(`{"a":${pieces.join('')}`);
        for (const { value } of pairs ?? []) expect(value.to).toBeGreaterThanOrEqual(value.from);
      }),
    );
  });

  test.each([
    ['deep', `{"a":${'['.repeat(4000)}${']'.repeat(4000)}}`, 1],
    ['deep and open', `{"a":${'{"a":'.repeat(1500)}`, undefined],
    ['full of quotes', `{"a":"${'\\"'.repeat(4000)}"}`, 1],
    ['full of keys', `{${'"a":1,'.repeat(1300)}"a":2}`, 1301],
    ['huge', `{"a":"${'x'.repeat(1_000_000)}"}`, undefined],
  ])('of a text that is %s are read in one pass', (_, text, count) => {
    expect(jsonPairs(text)?.length).toBe(count);
  });
});

describe('a JSON record of a log', () => {
  test('shows level, message and the other fields, without its time', () => {
    const text =
      '{"time":"2026-01-01T11:00:00Z","pid":7,"level":"info","msg":"a b","user":"eve","took":"1 s"}';
    expect(shown(text)).toBe('INFO a b pid=7 user=eve took="1 s"');
    expect(shown(text, false)).toBe('INFO a b time=2026-01-01T11:00:00Z pid=7 user=eve took="1 s"');
  });

  test('shows nested values as they are written, and repeated keys each', () => {
    expect(shown('{"msg":"x","a":{"b":[1,"c d"]},"a":2,"msg":"y","e":""}')).toBe(
      'x a={"b":[1,"c d"]} a=2 msg=y e=""',
    );
  });

  test('names the levels of pino, and keeps other numbers', () => {
    expect(shown('{"level":50,"msg":"no"}')).toBe('ERROR no');
    expect(shown('{"severity":3,"message":"no"}')).toBe('3 no');
    expect(shown('{"level":{"a":1}}')).toBe('level={"a":1}');
  });

  test('draws keys quietly and the rest in the colour of its level', () => {
    const line = jsonRecord('{"level":"error","msg":"no","a":1}', noMarks, 'bad', true);
    expect(line?.filter(({ token }) => token === 'quiet').map(({ text }) => text)).toEqual([
      'a',
      '=',
    ]);
    expect(line?.filter(({ token }) => token === 'bad').map(({ text }) => text)).toEqual([
      'ERROR',
      'no',
      '1',
    ]);
  });

  test('shows the matches of a search in the raw text', () => {
    const text = '{"ts":1,"level":"info","msg":"pay \\"x\\"","took":"12 ms"}';
    expect(searched(text, 'inf')).toBe('[INF]O pay "x" took="12 ms"');
    expect(searched(text, '2 m')).toBe('INFO pay "x" took="1[2 m]s"');
    expect(searched(text, 'oo')).toBe('INFO pay "x" t[oo]k="12 ms"');
    expect(searched(text, 'pay')).toBe('INFO [pay "x"] took="12 ms"');
    expect(searched(text, 'took":"12')).toBe('INFO pay "x" [took]="[12] ms"');
  });

  test('stays as written where a match would be hidden', () => {
    const text = '{"ts":17,"msg":"x","a":1}';
    expect(searched(text, '17')).toBeUndefined();
    expect(searched(text, '","')).toBeUndefined();
    expect(searched(text, 'x')).toBe('[x] a=1');
  });

  test('shows every match, and the same text with and without one', () => {
    const word = fc.stringMatching(/^[ab "\\]{0,6}$/);
    fc.assert(
      fc.property(fc.dictionary(word, word, { minKeys: 1 }), word, (object, query) => {
        const text = JSON.stringify({ level: 'info', msg: 'ab', ...object });
        const marks = marksOf(text, query);
        const line = jsonRecord(text, marks, undefined, true);
        if (line === undefined) return;
        const matches = line.filter(({ token }) => token === 'match');
        expect(matches.length > 0).toBe(marks.length > 0);
        expect(spansText(line)).toBe(shown(text));
      }),
    );
  });
});
