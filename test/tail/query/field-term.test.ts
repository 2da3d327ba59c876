import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fieldKeys, fieldReader } from '../../../source/tail/query/line-fields.ts';
import { filterOf } from '../../../source/tail/query/line-filters.ts';
import { parseLineQuery } from '../../../source/tail/query/log-query.ts';

const json =
  '{"level":"error","status":503,"user":"Ann B","req":{"method":"GET","ms":812.5},"ok":true}';
const pairs = 'level=warn status=404 user=ann msg="no answer" took=1.5s size=12kB trace=a/b';
const plain = 'GET /pay?user=ann 200 served in 12ms';

function matches(text: string, line: string, regex = false): boolean {
  const read = parseLineQuery({ text, regex });
  if (!read.ok) throw new Error(read.error.sentence);
  expect(read.value.isCheap || regex).toBe(true);
  return read.value.matches(line, 'web');
}

describe('a term that compares a field', () => {
  it.each([
    ['status>=500', [json]],
    ['status<500', [pairs]],
    ['status=404', [pairs]],
    ['status=4', []],
    ['status!=404', [json]],
    ['user~ann', [json, pairs]],
    ['user~Ann', [json]],
    ['user=ann', [pairs, plain]],
    ['user="Ann B"', [json]],
    ['msg="no answer"', [pairs]],
    ['user!~ann', []],
    ['level=error', [json]],
    ['level>=warn', [json, pairs]],
    ['level<error', [pairs]],
    ['req.method=get', [json]],
    ['req.ms>800', [json]],
    ['ok=true', [json]],
    ['took>1200ms', [pairs]],
    ['took<1', []],
    ['size>10kb', [pairs]],
    ['size>10s', []],
    ['missing!=1', []],
    ['!user~ann', [plain]],
    ['status>=400 answer', [pairs]],
    ['status>=400 user~b', [json]],
    ['service:web status>=500', [json]],
  ])('%s', (query, expected) => {
    expect([json, pairs, plain].filter((line) => matches(query, line))).toEqual(expected);
  });

  it.each([
    ['user=9223372036855065056', 'user=9223372036855065056 action=login', true],
    ['user=9223372036855065056', 'user=9223372036855065057 action=pay', false],
    ['user=9223372036855065059', '{"user":9223372036855065059,"msg":"json"}', true],
    ['user=9223372036855065059', '{"user":9223372036855065060}', false],
    ['user=9223372036855065059', '{"user":"9223372036855065060"}', false],
    ['user!=9223372036855065059', '{"user":9223372036855065060}', true],
    ['user>9223372036855065059', '{"in":{"user":1},"user":9223372036855065060}', true],
    ['user>=9223372036855065060', 'user=9223372036855065059', false],
    ['user<-9223372036855065059', 'user=-9223372036855065060', true],
    ['x=0.1234567890123456789', '{"x":0.1234567890123456788}', false],
    ['x=1e3', '{"x":1000.000}', true],
    ['x=1e400', 'x=1e401', false],
    ['x<1e9999', 'x=9e9998', true],
    ['took=1.000000000000000001s', 'took=1000000000.000000001ns', true],
    ['took>1h', 'took=3600000.0000000000001ms', true],
    ['took>1h', 'took=60m', false],
  ])('compares numbers exactly: %s, %s', (query, line, isMatch) => {
    expect(matches(query, line)).toBe(isMatch);
  });

  it('orders decimals of any length as they are written', () => {
    const decimal = fc
      .tuple(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.nat({ max: 20 }))
      .map(([digits, places]) => ({ digits, places }));
    const written = ({ digits, places }: { digits: bigint; places: number }): string => {
      const [sign, absolute] = digits < 0n ? ['-', -digits] : ['', digits];
      const text = absolute.toString().padStart(places + 1, '0');
      const point = text.length - places;
      return `${sign}${text.slice(0, point)}${places === 0 ? '' : `.${text.slice(point)}`}`;
    };
    fc.assert(
      fc.property(decimal, decimal, fc.boolean(), (left, right, isJson) => {
        const scaled = (each: typeof left): bigint => each.digits * 10n ** BigInt(20 - each.places);
        const line = isJson ? `{"n":${written(left)}}` : `n=${written(left)}`;
        expect(matches(`n>${written(right)}`, line)).toBe(scaled(left) > scaled(right));
        expect(matches(`n<=${written(right)}`, line)).toBe(scaled(left) <= scaled(right));
      }),
    );
  });

  it('is text in an expression, behind a backslash, and while it is incomplete', () => {
    expect(matches('user=a.n', pairs, true)).toBe(true);
    expect(matches(String.raw`\user=an`, pairs)).toBe(true);
    expect(matches('?user=ann', plain)).toBe(true);
    expect(matches('user=', plain)).toBe(true);
    expect(matches('a->b', 'a->b')).toBe(true);
    expect(matches('x=>y', 'x=>y')).toBe(true);
  });

  it('excludes as a filter of the list', () => {
    expect(filterOf({ text: '!status>=500', regex: false })).toEqual({
      query: { text: 'status>=500', regex: false },
      isExcluding: true,
      isOn: true,
    });
  });

  it('finds a level in all formats', () => {
    expect(matches('level=error', '{"level":50,"msg":"x"}')).toBe(true);
    expect(matches('level=error', 'E0102 15:04:05.678901    1234 file.go:12] x')).toBe(true);
    expect(matches('level:info', 'INFO started')).toBe(true);
    expect(matches('level:info', 'DEBUG started')).toBe(false);
    expect(matches('level:fatal', 'ERROR x')).toBe(false);
  });

  it('reads what was written, and no prefilter skips a line that it matches', () => {
    const key = fc.stringMatching(/^[a-z_][a-z_0-9]{0,8}$/);
    const value = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.stringMatching(/^[A-Za-z_-]{1,8}$/),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const fields = fc.dictionary(key, value, { minKeys: 1, maxKeys: 6 });
    fc.assert(
      fc.property(fields, fc.boolean(), (record, isJson) => {
        const line = isJson
          ? JSON.stringify(record)
          : Object.entries(record)
              .map(([name, own]) => `${name}=${JSON.stringify(String(own))}`)
              .join(' ');
        for (const [name, own] of Object.entries(record)) {
          // Logfmt escapes line breaks, which stay escaped.
          if (!isJson && /[\p{C}\\]/u.test(String(own))) continue;
          expect(fieldReader(name)(line)).toBe(
            isJson && typeof own === 'number'
              ? String(JSON.parse(JSON.stringify(own)))
              : String(own),
          );
          const query = `${name}=${JSON.stringify(String(own)).replaceAll(/\\(?![\\"])/g, '')}`;
          const read = parseLineQuery({ text: query, regex: false });
          if (!read.ok || !read.value.matches(line, undefined)) continue;
          const { prefilter } = read.value;
          if (prefilter === undefined) continue;
          prefilter.text.lastIndex = 0;
          expect(prefilter.text.test(line)).toBe(true);
        }
      }),
    );
  });
});

describe('the keys of the fields of a line', () => {
  it('are those of an object and its inner objects, or of pairs', () => {
    expect(fieldKeys(json)).toEqual(['level', 'status', 'user', 'req.method', 'req.ms', 'ok']);
    expect(fieldKeys(pairs)).toEqual(['level', 'status', 'user', 'msg', 'took', 'size', 'trace']);
    expect(fieldKeys(plain)).toEqual([]);
    expect(fieldKeys('12:00 done {"a":1}')).toEqual(['a']);
  });
});
