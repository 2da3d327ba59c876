import { describe, expect, it } from 'vitest';
import { lineWidth } from '../../../source/view/text/fit.ts';
import {
  answerLines,
  errorLines,
  listNotice,
  noticeRows,
} from '../../../source/view/text/notice.ts';

const error = {
  code: 'forbidden',
  operation: 'list grants',
  status: 403,
  sentence: 'Not allowed (403).',
  next: 'Ask its owner.',
  unknownOutcome: false,
} as const;
const sentences = { empty: 'No grants.', unmatched: '0 match.' };
const listing = { rows: [], unlisted: 0, loadedAt: 1, loadingSince: undefined, error: undefined };
const textOf = (lines: ReturnType<typeof errorLines>) =>
  lines.map((line) => line.map((part) => part.text).join(''));

describe('the notice of a list', () => {
  it('reports slow loading, an empty list, or no match', () => {
    const unloaded = { ...listing, loadedAt: undefined };
    expect(listNotice(unloaded, 0, sentences, 299)).toEqual([]);
    expect(textOf(listNotice(unloaded, 0, sentences, 300))).toEqual(['Loading...']);
    expect(textOf(listNotice(listing, 0, sentences, 0))).toEqual(['No grants.']);
    const one = { ...listing, rows: [{ value: 1, unknown: {} }] };
    expect(textOf(listNotice(one, 0, sentences, 0))).toEqual(['0 match.']);
    expect(listNotice(one, 1, sentences, 0)).toEqual([]);
  });

  it('reports an error, except an unreachable service', () => {
    expect(textOf(listNotice({ ...listing, error }, 0, sentences, 0))).toEqual([
      'Not allowed (403). Ask its owner.',
    ]);
    const away = { ...error, code: 'refused' } as const;
    expect(textOf(listNotice({ ...listing, error: away }, 0, sentences, 0))).toEqual([
      'No grants.',
    ]);
  });
});

describe('notices as rows', () => {
  it('never take more rows than available for a long error message', () => {
    const long = { ...error, errorMessage: 'word '.repeat(20_000) };
    const rows = noticeRows(errorLines(long), 38, 4);
    expect(rows).toHaveLength(4);
    for (const row of rows) expect(lineWidth(row)).toBeLessThanOrEqual(38);
    expect(noticeRows(errorLines(long), 38, -1)).toEqual([]);
  });
});

describe('an answer that could not be read', () => {
  it('is shown whole below its error', () => {
    expect(textOf(answerLines({ ...error, answer: 'a\nb' }))).toEqual([
      'Not allowed (403).',
      '',
      'a',
      'b',
    ]);
  });
});
