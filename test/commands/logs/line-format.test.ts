import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  createLineFormat,
  type LineFormatOptions,
} from '../../../source/commands/logs/line-format.ts';
import { formatLogfmt } from '../../../source/commands/logs/line-format.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import { formatJsonLine, formatTextLine } from '../../../source/store/log/format.ts';

const now = Date.UTC(2026, 10, 20, 12);

const format = (line: LogLine, options: Partial<LineFormatOptions> = {}): string =>
  createLineFormat({ form: 'text', id: 'a-1', now: () => now, ...options }).format(line);

const line: LogLine = {
  id: 7,
  deploymentId: 'b-2',
  serviceName: 'web',
  timestamp: '2026-11-20T11:57:30.120Z',
  logLine: 'ERROR "disk" full',
  stream: 'stderr',
  instance: 2,
};

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('\n', '\r', '\t', '"', '\\', '=', ' ', '\u001b'), fc.string()),
  maxLength: 8,
});

const anyLine = fc.record(
  { logLine: anyText, serviceName: anyText, timestamp: anyText, stream: anyText },
  { requiredKeys: ['logLine'] },
);

describe('text', () => {
  it('has time, service and text in columns', () => {
    expect(format(line)).toBe('2026-11-20T11:57:30.120Z web 2  ERROR "disk" full\n');
    expect(format({ logLine: 'x' })).toBe('- -  x\n');
  });

  it('is as in an export where nothing is chosen', () => {
    fc.assert(
      fc.property(anyLine, (any) => {
        expect(format(any)).toBe(formatTextLine(any));
      }),
    );
  });

  it('has the times that are wanted, as far as they can be read', () => {
    const timesOf = (timestamps: LineFormatOptions['timestamps'], one = line) =>
      format(one, { timestamps }).replace(/ ?web 2.*\n/, '');
    expect(timesOf('none')).toBe('');
    expect(timesOf('utc')).toBe('2026-11-20T11:57:30.120Z');
    expect(timesOf('relative')).toBe('2m');
    expect(Date.parse(timesOf('local'))).toBe(now - 149_880);
    expect(timesOf('utc', { ...line, timestamp: '2026-11-20T12:57:30.12+01:00' })).toBe(
      '2026-11-20T11:57:30.120Z',
    );
    expect(timesOf('utc', { ...line, timestamp: 'noon' })).toBe('noon');
    expect(timesOf('relative', { ...line, timestamp: '2027-11-20T11:57:30Z' })).toBe('0s');
  });

  it('colours the source by level, and the text not at all', () => {
    expect(format(line, { isColoured: true })).toBe(
      '\u001b[2m2026-11-20T11:57:30.120Z\u001b[22m \u001b[31mweb 2\u001b[39m  ERROR "disk" full\n',
    );
    const calm = { serviceName: 'web', logLine: 'fine' };
    expect(format(calm, { isColoured: true, timestamps: 'none' })).toBe(
      '\u001b[36mweb\u001b[39m  fine\n',
    );
  });

  it('shows escape sequences on a terminal', () => {
    const hostile = { serviceName: '\u001b[2J', timestamp: '\u0007', logLine: '\u001b]0;x\u0007' };
    expect(format(hostile, { isVisible: true })).toBe('^G ^[[2J  ^[]0;x^G\n');
  });
});

describe('json', () => {
  it('is the message of the contract, which may be copied', () => {
    expect(format(line, { form: 'json' })).toBe(formatJsonLine(line, 'a-1'));
    expect(format({ ...line, partial: true }, { form: 'json' })).toMatch(
      /"stream":"stderr","instance":2,"partial":true\}\n$/,
    );
    const copies = (isVisible: boolean) =>
      createLineFormat({ form: 'json', id: '', isVisible, now: () => now }).copiesMessages;
    expect([copies(false), copies(true)]).toEqual([true, false]);
  });
});

describe('raw', () => {
  it('is the text alone, after a time where one is wanted', () => {
    expect(format({ ...line, logLine: 'a\n\tb' }, { form: 'raw' })).toBe('a\n\tb\n');
    expect(format(line, { form: 'raw', timestamps: 'relative' })).toBe('2m ERROR "disk" full\n');
    const hostile = { logLine: 'a\n\u001b[31mb' };
    expect(format(hostile, { form: 'raw', isVisible: true })).toBe('a\n^[[31mb\n');
  });
});

describe('logfmt', () => {
  it('has the fields that are known', () => {
    expect(format(line, { form: 'logfmt' })).toBe(
      'time=2026-11-20T11:57:30.120Z level=error deployment=b-2 service=web instance=2 stream=stderr id=7 msg="ERROR \\"disk\\" full"\n',
    );
    expect(format({ logLine: 'a', partial: true }, { form: 'logfmt' })).toContain(' partial=true ');
    expect(format({ logLine: '' }, { form: 'logfmt' })).toBe('deployment=a-1 msg=""\n');
    expect(format(line, { form: 'logfmt', timestamps: 'none' })).toMatch(/^level=error /);
  });

  it('quotes what a reader would cut', () => {
    const written = (value: string) => formatLogfmt([['k', value]]).slice(2);
    expect(['a', 'a-b/c:1', 'é', ''].map(written)).toEqual(['a', 'a-b/c:1', 'é', '""']);
    expect(['a b', 'a=b', 'a"b', 'a\\b', 'a\nb', '\u001b[m'].map(written)).toEqual([
      '"a b"',
      '"a=b"',
      String.raw`"a\"b"`,
      String.raw`"a\\b"`,
      String.raw`"a\nb"`,
      String.raw`"\u001b[m"`,
    ]);
  });

  test('any values can be read back', () => {
    const pairs = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'msg'), anyText));
    fc.assert(
      fc.property(pairs, (all) => {
        expect(readLogfmt(formatLogfmt(all))).toEqual(all);
      }),
    );
  });
});

test('every form but raw is one line a record', () => {
  const forms = fc.constantFrom('text', 'json', 'logfmt' as const);
  fc.assert(
    fc.property(anyLine, forms, fc.boolean(), (any, form, isVisible) => {
      const written = format(any, { form, isVisible });
      expect(written.indexOf('\n')).toBe(written.length - 1);
    }),
  );
});

/** Reads pairs by the grammar of logfmt, quoted values like strings of JSON. */
function readLogfmt(text: string): readonly (readonly [string, string])[] {
  const pairs = text.matchAll(/(?:^| )([a-z]+)=(?:"((?:[^"\\]|\\.)*)"|([^\s"=]*))(?= |$)/gu);
  return [...pairs].map(([, key = '', quoted, bare = '']) => [
    key,
    quoted === undefined ? bare : (JSON.parse(`"${quoted}"`) as string),
  ]);
}
