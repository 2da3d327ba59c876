import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { stripSilentCodes } from '../../../source/tail/silent-codes.ts';
import { encodeFrame } from '../../../source/tail/arena/frame.ts';
import { parseLineQuery } from '../../../source/tail/query/log-query.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import type { Run } from '../../../source/tail/arena/run.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { createPrefilter } from '../../../source/tail/query/prefilter.ts';
import { lineCodec } from '../../servers/log-frames.ts';

const unit = fc.constantFrom(
  'a',
  'B',
  ' ',
  '"',
  '\\',
  'é',
  '\n',
  '/',
  ',"logLine":"',
  'ab',
  '1',
  '\x1b[31m',
  '\x1b[K',
  '\x1b(B',
  'xx',
  'xxx',
);
const patterns = fc.constantFrom(
  'ab',
  '"a',
  'B"a',
  String.raw`\\a`,
  'a/b?',
  'éab',
  '(ab|B1) ?',
  'ab[0-9]*1',
  String.raw`"a\d+B`,
  '(?:ab|1)*B ',
  'a.*B1',
  'ab|B1',
  'xabx',
  'ax"b',
  '[a-z]b1',
  '(a"B|1b1)x',
  '(xx|B1)[a-z]*',
  '(Bab|1a)1',
  '001b',
);

/** Writers of JSON with needless escapes, and of text that is not JSON. */
const writers: readonly ((json: string) => string)[] = [
  (json) => json,
  (json) => json.replaceAll('a', String.raw`\u0061`),
  (json) => json.replaceAll(String.raw`\"`, String.raw`\u0022`),
  (json) => json.replaceAll('/', String.raw`\/`),
  (json) => json.replaceAll('é', String.raw`\u00e9`),
  (json) => json.replaceAll('B', String.raw`\x`),
  (json) => json.replaceAll('xx', String.raw`\x`),
  (json) => json.replaceAll('31m', String.raw`\u0033\u0031m`),
];

it('a prefiltered scan skips no matching line in any encoding', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          text: fc.string({ unit, maxLength: 8 }),
          writer: fc.constantFrom(...writers),
        }),
        { maxLength: 40 },
      ),
      patterns,
      fc.constantFrom('', 'i'),
      fc.nat(10),
      fc.boolean(),
      (lines, pattern, flags, from, hasBefore) => {
        const sequence = new Sequence<LogLine>({
          row: toRow,
          ...lineCodec,
          maxLines: 1000,
          maxBytes: 1_000_000,
        });
        const messages = lines.map(({ text, writer }, id) =>
          Buffer.from(writer(Buffer.from(encodeFrame({ id, logLine: text })).toString())),
        );
        const service = sequence.services.code('api');
        const append = (start: number, end: number): void => {
          const run = runOf(messages.slice(start, end), start, service);
          if (end > start) sequence.append(run, []);
        };
        const sieve = createPrefilter(pattern, flags);
        const seen = new Map<number, string>();
        const scan = (): void => {
          seen.clear();
          const see = (index: number, text: string): unknown => seen.set(index, text);
          sequence.scan(from, lines.length, see, sieve);
        };
        const half = hasBefore ? messages.length >> 1 : 0;
        append(0, half);
        // The properties of earlier lines do not apply to later ones.
        scan();
        append(half, messages.length);
        scan();
        const all = new Map<number, string>();
        sequence.scan(from, lines.length, (index, text) => all.set(index, text));
        const expression = new RegExp(pattern, flags);
        for (const [index, text] of all) {
          expect(seen.get(index) ?? text).toBe(text);
          const message = messages[index] ?? Buffer.from('');
          expect(text).toBe(lineOrMessage(message, 0, message.length).logLine);
          if (expression.test(stripSilentCodes(text))) expect(seen.has(index)).toBe(true);
        }
      },
    ),
    { numRuns: 1000 },
  );
});

it('a prefiltered scan skips no line that matches without its colour codes', () => {
  const unit = fc.constantFrom(
    'a',
    'b',
    'xxx',
    '\x1b[31m',
    '\x1b[0m',
    '\x1b[K',
    '\x1b(B',
    '\x1b',
    '[3',
    '\\',
  );
  const texts = fc.array(fc.string({ unit, minLength: 3, maxLength: 6 }), { maxLength: 20 });
  const escapes = fc.constantFrom(String.raw`\u001b`, String.raw`\u001B`);
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom('ab', 'aba', 'ab+a', '(aba|xb)', String.raw`a\\b`),
      escapes,
      (lines, text, escape) => {
        const sequence = new Sequence<LogLine>({
          row: toRow,
          ...lineCodec,
          maxLines: 1000,
          maxBytes: 1_000_000,
        });
        const put = lines.map((logLine, place) => {
          const line = { id: place, logLine };
          const json = Buffer.from(encodeFrame(line)).toString();
          const message = Buffer.from(json.replaceAll(String.raw`\u001b`, escape));
          return { place, row: { ...toRow(line), message } };
        });
        sequence.apply({ put, lean: 'newer', drop: [], spans: [] });
        const read = parseLineQuery({ text, regex: true });
        const test = read.ok ? read.value : undefined;
        const seen = new Set<number>();
        sequence.scan(0, lines.length, (index) => seen.add(index), test?.prefilter);
        for (const [index, line] of lines.entries()) {
          const isMatch = new RegExp(text).test(stripSilentCodes(line));
          expect(test?.matches(line, undefined)).toBe(isMatch);
          expect(isMatch && !seen.has(index)).toBe(false);
        }
      },
    ),
    { numRuns: 300 },
  );
});

it('a prefilter takes linear time', () => {
  const read = parseLineQuery({ text: '1[0-9]*7.*a+ab', regex: true });
  const sieve = read.ok ? read.value.prefilter : undefined;
  // Scanning a run again from each of its letters would take hours.
  expect('1'.repeat(1_000_000).search(sieve?.text ?? /1/)).toBe(-1);
  expect('a'.repeat(1_000_000).search(sieve?.message ?? /a/)).toBe(-1);
});

it('a scan decodes the lines alone in which its prefilter finds something', () => {
  const lineOf = (place: number): LogLine => ({
    id: place,
    logLine: `${place % 10 === 0 ? 'ERROR' : 'fine'} ${place} took`,
  });
  const sequence = new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines: 10_000,
    maxBytes: 1_000_000,
  });
  const put = Array.from({ length: 1000 }, (_, place) => {
    const line = lineOf(place);
    return { place, row: { ...toRow(line), message: encodeFrame(line) } };
  });
  sequence.apply({ put, lean: 'newer', drop: [], spans: [] });
  const seenBy = (pattern: string, flags = ''): readonly string[] => {
    const seen: string[] = [];
    const sieve = createPrefilter(pattern, flags);
    sequence.scan(0, 1000, (_, text) => seen.push(text), sieve);
    return seen;
  };
  expect(seenBy(' 99 took')).toEqual(['fine 99 took']);
  expect(seenBy('ERROR [0-9]+5 ')).toEqual([]);
  expect(seenBy('error 99', 'i')).toEqual(['ERROR 990 took']);
  expect(seenBy('(ERROR 5|fine 5)55').length).toBe(1);
  expect(seenBy('(ERROR 5|fine 5)50').length).toBe(1);
  // Every line has a letter of its literal, and few match.
  expect(seenBy('[a-z]+ [0-9]*99 took').length).toBe(10);
  // Most lines contain it.
  expect(seenBy('took').length).toBe(1000);
});

/** A message that is not a log line is shown as received. */
function lineOrMessage(bytes: Uint8Array, start: number, end: number): LogLine {
  const text = Buffer.from(bytes.subarray(start, end)).toString();
  return lineCodec.decode(bytes, start, end) ?? lineCodec.plain(text);
}

/** Messages with stream headers between them, which are not text. */
function runOf(messages: readonly Uint8Array[], firstPlace: number, service: number): Run {
  const header = Buffer.from([0x81, 126, 0x61, 0x62]);
  const ends: number[] = [];
  let end = 0;
  for (const message of messages) ends.push((end += header.length + message.length));
  return {
    bytes: Buffer.concat(messages.flatMap((message) => [header, message])),
    count: messages.length,
    starts: Uint32Array.from(messages, (message, index) => (ends[index] ?? 0) - message.length),
    ends: Uint32Array.from(ends),
    places: Float64Array.from(messages, (_, index) => firstPlace + index),
    services: Uint8Array.from(messages, () => service),
  };
}
