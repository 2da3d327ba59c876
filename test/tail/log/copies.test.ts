import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { Copies, isAgreeing, isRepeated, type Likeness } from '../../../source/tail/log/copies.ts';

const line: LogLine = {
  id: 4,
  serviceName: 'web',
  timestamp: '2026-01-01T00:00:01.123456Z',
  logLine: 'GET /health 200 OK',
};

function likeness(copies: Copies, change: Partial<LogLine>): Likeness {
  return copies.compare(toRow(line), toRow({ ...line, ...change }));
}

describe('two records with one id', () => {
  it.each<[string, Partial<LogLine>]>([
    ['they are equal', {}],
    ['one has its time in milliseconds', { timestamp: '2026-01-01T00:00:01.123Z' }],
    ['one has its time in seconds', { timestamp: '2026-01-01T00:00:01Z' }],
    ['one has its time in another zone', { timestamp: '2026-01-01T02:00:01.123456+02:00' }],
    ['the text of one is cut', { logLine: 'GET /health' }],
    ['the text of one is cut with a mark', { logLine: 'GET /health…' }],
    ['one has no time', { timestamp: undefined }],
    ['one has no service', { serviceName: undefined }],
  ])('are copies of one line when %s', (_, change) => {
    expect(likeness(new Copies(), change)).toBe('same');
  });

  it('are different lines by their nanoseconds', () => {
    const copies = new Copies();
    expect(likeness(copies, {})).toBe('same');
    expect(likeness(copies, { timestamp: '2026-01-01T00:00:01.123457Z' })).toBe('other');
    expect(likeness(copies, { timestamp: '2026-01-01T00:00:01.1234560Z' })).toBe('same');
  });

  it('are different lines by their texts', () => {
    const other = { timestamp: '2026-01-01T00:00:02Z', logLine: 'GET /login 200 OK' };
    expect(likeness(new Copies(), other)).toBe('other');
    expect(likeness(new Copies(), { ...other, logLine: 'GET' })).toBe('other');
  });

  it('tell nothing by a field in which no copies have agreed', () => {
    const copies = new Copies();
    expect(likeness(copies, { timestamp: '2026-01-01T00:00:02Z' })).toBe('unsure');
    expect(likeness(copies, { serviceName: 'web-1' })).toBe('unsure');
    expect(likeness(copies, {})).toBe('same');
    expect(likeness(copies, { timestamp: '2026-01-01T00:00:02Z' })).toBe('other');
    expect(likeness(copies, { serviceName: 'web-1' })).toBe('other');
  });

  it('may be one line whose text is shown in two forms when their times agree', () => {
    const copies = new Copies();
    expect(likeness(copies, {})).toBe('same');
    const logLine = 'get /health 200 ok';
    expect(likeness(copies, { logLine })).toBe('unsure');
    expect(likeness(copies, { logLine, timestamp: undefined })).toBe('other');
    expect(likeness(copies, { logLine, serviceName: 'web-1' })).toBe('other');
  });

  it('are repeated when all that they show is equal', () => {
    expect(isRepeated(toRow(line), toRow({ ...line }))).toBe(true);
    expect(isRepeated(toRow(line), toRow({ ...line, logLine: 'GET /health' }))).toBe(false);
  });
});

describe('two records without usable ids', () => {
  it('agree in the fields that both show', () => {
    const agrees = (change: Partial<LogLine>): boolean =>
      isAgreeing(toRow(line), toRow({ ...line, ...change }));
    expect(agrees({ id: undefined, timestamp: '2026-01-01T00:00:01Z' })).toBe(true);
    expect(agrees({ id: 5 })).toBe(false);
    expect(agrees({ serviceName: 'db' })).toBe(false);
    expect(agrees({ logLine: 'GET /login 200 OK' })).toBe(false);
  });
});
