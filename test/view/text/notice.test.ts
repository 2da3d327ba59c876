import { describe, expect, it } from 'vitest';
import { setKeyNames } from '../../../source/store/prompts/key-names.ts';
import { lineWidth } from '../../../source/view/text/fit.ts';
import {
  answerLines,
  errorLines,
  failureLines,
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
const service = { name: 'prod', host: 'api.example.com', tokenSource: 'HOSTDECK_TOKEN' };
const at = (waiting: number, isFocused = true) => ({
  waiting,
  service,
  isFocused,
  pane: 'files' as const,
  ellipsis: '…',
});
const textOf = (lines: ReturnType<typeof errorLines>) =>
  lines.map((line) => line.map((part) => part.text).join(''));

describe('the notice of a list', () => {
  it('says at once that the host is being started, in pane 1', () => {
    const unloaded = { ...listing, loadedAt: undefined };
    const first = { ...at(0), service: { ...service, isHostNew: true } };
    expect(listNotice(unloaded, 0, sentences, first)).toEqual([]);
    expect(textOf(listNotice(unloaded, 0, sentences, { ...first, pane: 'deployments' }))).toEqual([
      'Starting the host on this machine…',
    ]);
  });

  it('reports slow loading, an empty list, or no match', () => {
    const unloaded = { ...listing, loadedAt: undefined };
    expect(listNotice(unloaded, 0, sentences, at(299))).toEqual([]);
    expect(textOf(listNotice(unloaded, 0, sentences, at(300)))).toEqual(['Loading...']);
    expect(textOf(listNotice(listing, 0, sentences, at(0)))).toEqual(['No grants.']);
    const one = { ...listing, rows: [{ value: 1, unknown: {} }] };
    expect(textOf(listNotice(one, 0, sentences, at(0)))).toEqual(['0 match.']);
    expect(listNotice(one, 1, sentences, at(0))).toEqual([]);
  });

  it('reports an error, except an unreachable service', () => {
    expect(textOf(listNotice({ ...listing, error }, 0, sentences, at(0)))).toEqual([
      'Not allowed (403). Ask its owner.',
    ]);
    const unread = { ...error, code: 'unreadable', next: '', answer: '<html>' } as const;
    const notice = () => textOf(listNotice({ ...listing, error: unread }, 0, sentences, at(0)));
    expect(notice()).toEqual(['Not allowed (403). d shows the answer.']);
    setKeyNames(new Map([['files.details', ['F9']]]));
    expect(notice()).toEqual(['Not allowed (403). F9 shows the answer.']);
    setKeyNames(new Map());
    expect(textOf(errorLines(unread))).toEqual(['Not allowed (403).']);
    const away = { ...error, code: 'refused' } as const;
    expect(textOf(listNotice({ ...listing, error: away }, 0, sentences, at(0)))).toEqual([
      'No grants.',
    ]);
  });
});

describe('a rejected token', () => {
  const rejected = {
    ...error,
    code: 'unauthorized',
    status: 401,
    sentence: 'The service rejected the token (401).',
  } as const;
  const shown = (host: string, name: string, isFocused = true) =>
    listNotice({ ...listing, loadedAt: undefined, error: rejected }, 0, sentences, {
      ...at(0, isFocused),
      service: { ...service, host, name },
    });

  it('is explained with its source and the next steps, in the focused pane alone', () => {
    expect(textOf(shown('api.example.com', 'prod'))).toEqual([
      '',
      '  The service rejected the token (401).',
      '  It came from HOSTDECK_TOKEN, profile prod.',
      '',
      '  :token     enter another token',
      '  :profile   switch profile',
      '  F5         retry',
    ]);
    expect(shown('api.example.com', 'prod', false)).toEqual([]);
  });

  it('names no profile where it is the host, and how to make a token of a local service', () => {
    const host = '127.0.0.1:8080';
    const rows = textOf(noticeRows(shown(host, host), 40, 7));
    expect(rows).toEqual([
      '   The service rejected the token (401).',
      '   It came from HOSTDECK_TOKEN.',
      '   :token     enter another token',
      '   :profile   switch profile',
      '   F5         retry',
      '   hostdeck host token --wallet ADDRESS',
      '   makes one (local service)',
    ]);
  });

  it('names this command once where the message of the service has it', () => {
    const command = 'hostdeck host token --wallet ADDRESS';
    const told = { ...rejected, errorMessage: `Unknown token. Create one with: ${command}.` };
    const rows = textOf(failureLines(told, { ...service, host: '127.0.0.1:8080' }));
    expect(rows.filter((row) => row.includes(command))).toHaveLength(1);
  });
});

describe('notices as rows', () => {
  it('lose the rows without text only where the rows are too few', () => {
    const lines = ['Not allowed.', '', 'Ask its owner.'].map((text) => [{ text }]);
    expect(textOf(noticeRows(lines, 40, 3))).toEqual([' Not allowed.', ' ', ' Ask its owner.']);
    expect(textOf(noticeRows(lines, 40, 2))).toEqual([' Not allowed.', ' Ask its owner.']);
  });

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
