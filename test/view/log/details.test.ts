import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { Entry, GapEntry } from '../../../source/tail/arena/entries.ts';
import type { DetailRow } from '../../../source/view/text/detail-rows.ts';
import { lineDetails, lineToColour } from '../../../source/view/log/details.ts';
import { instantTexts } from '../../../source/view/text/instant.ts';

function subject(line: LogLine): Parameters<typeof lineDetails>[0] {
  return { kind: 'line', deploymentId: 'd-1', entry: { kind: 'line', seq: 1, place: 1, line } };
}

function shown(rows: readonly DetailRow[]): readonly string[] {
  return rows.map(({ line }) => line.map(({ text }) => text).join(''));
}

const rowsOf = (line: LogLine) => lineDetails(subject(line), 'shop', undefined);

describe('the details of a line', () => {
  it('show every field that the service sent', () => {
    const rows = rowsOf({
      id: 2n ** 60n,
      serviceName: 'web',
      stream: 'stderr',
      timestamp: '2026-01-01T00:00:01.234567Z',
      logLine: 'ERROR no answer',
    });
    expect(shown(rows)).toEqual([
      'id          1152921504606846976',
      'time        2026-01-01T00:00:01.234567Z',
      'UTC         2026-01-01T00:00:01.234Z',
      expect.stringMatching(/^here {8}(2025-12-31|2026-01-01) /),
      'service     web',
      'stream      stderr',
      'deployment  shop  d-1',
      'level       error, read from the text',
      '',
      'text',
      'ERROR no answer',
    ]);
  });

  it('omit missing fields and keep an unparsable time', () => {
    expect(shown(rowsOf({ logLine: '', timestamp: 'soon' }))).toEqual([
      'time        soon',
      'deployment  shop  d-1',
      '',
      'text',
      '',
    ]);
  });

  it('show JSON with one value per row, before the received text', () => {
    const logLine = 'done {"id":7,"to":["a"]}';
    const rows = rowsOf({ logLine });
    expect(shown(rows)).toEqual(
      expect.arrayContaining(['  {', '    "id": 7,', '    "to": [', '      "a"', 'text', logLine]),
    );
    expect(rows.find(({ key }) => key === 'json 1')).toMatchObject({
      value: '7',
      whole: '{"id":7,"to":["a"]}',
    });
    expect(lineToColour(subject({ logLine }))).toBe('{\n  "id": 7,\n  "to": [\n    "a"\n  ]\n}');
    expect(lineToColour(subject({ logLine: 'plain' }))).toBeUndefined();
  });

  it('split a long text into rows without losing characters', () => {
    const logLine = `${'a'.repeat(1023)}${'🙂'.repeat(600)}`;
    const texts = rowsOf({ logLine }).filter(({ key }) => key.startsWith('text '));
    expect(texts.length).toBeGreaterThan(2);
    expect(texts.map(({ value }) => value).join('')).toBe(logLine);
    expect(texts.every(({ value = '' }) => value.isWellFormed())).toBe(true);
    expect(texts.every(({ whole }) => whole === logLine)).toBe(true);
  });

  it('limit the rows of JSON and show how many follow', () => {
    const logLine = JSON.stringify(Array.from({ length: 6000 }, () => ({})));
    const rows = shown(rowsOf({ logLine }));
    expect(rows.length).toBeLessThan(5100);
    expect(rows).toContain('1002 more lines. Y copies all.');
    expect(shown(rowsOf({ logLine: `{"a":"${'x'.repeat(70_000)}"}` }))).toContain(
      'Too long to show as JSON.',
    );
  });

  it('are cached for the same line and name', () => {
    const one = subject({ logLine: 'a' });
    expect(lineDetails(one, 'shop', undefined)).toBe(lineDetails(one, 'shop', undefined));
    expect(lineDetails(one, 'other', undefined)).not.toBe(lineDetails(one, 'shop', undefined));
  });
});

describe('the details of a gap', () => {
  const gap = (state: GapEntry<LogLine>['state']): Entry<LogLine> => ({
    kind: 'gap',
    seq: 3,
    place: 3,
    state,
    after: { id: 4710, logLine: 'before' },
    until: { id: 5231, logLine: 'behind', serviceName: 'web' },
  });
  const detailsOf = (state: GapEntry<LogLine>['state']) =>
    shown(lineDetails({ kind: 'line', deploymentId: 'd', entry: gap(state) }, '', undefined));

  it('show the missing lines, the reason, the retry key and the lines around the gap', () => {
    expect(detailsOf({ kind: 'missing', why: 'unanswered' })).toEqual([
      'Lines 4711 to 5230 could not be fetched.',
      'The service did not answer, or its pages do not show these lines.',
      'R fetches them again.',
      '',
      'line before',
      '4710  before',
      '',
      'line after',
      '5231 web  behind',
    ]);
  });

  it('offer no retry for lines that are gone, and where line numbers begin again', () => {
    const gone = detailsOf({ kind: 'missing', why: 'gone' });
    expect(gone.slice(0, 2)).toEqual([
      'Lines 4711 to 5230 are no longer kept.',
      'The service no longer has these lines.',
    ]);
    const begun = detailsOf({ kind: 'missing', why: 'renumbered' });
    expect(begun[0]).toBe('Line numbers begin again.');
    expect([...gone, ...begun].join()).not.toContain('R fetches');
  });

  it('offer no retry for dropped lines and for lines being fetched', () => {
    const dropped = detailsOf({ kind: 'missing', why: 'dropped' });
    expect(dropped[0]).toBe('Lines 4711 to 5230 had left memory.');
    expect(dropped[1]).toContain('--log-lines keeps more.');
    expect(dropped.join()).not.toContain('R in');
    expect(detailsOf({ kind: 'filling' })[0]).toBe('Lines 4711 to 5230 are being fetched.');
  });
});

describe('an instant', () => {
  it('is shown in UTC and in local time with its offset', () => {
    const before = process.env['TZ'];
    process.env['TZ'] = 'Asia/Kolkata';
    const texts = instantTexts('2026-01-01T00:00:00+01:00');
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
    expect(texts).toEqual({
      utc: '2025-12-31T23:00:00.000Z',
      local: '2026-01-01 04:30:00.000 +05:30',
    });
    expect(instantTexts('never')).toBeUndefined();
  });
});
