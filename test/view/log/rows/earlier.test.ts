import { describe, expect, it } from 'vitest';
import { earlierRow, emptyLines } from '../../../../source/view/log/rows/earlier.ts';
import { span, type Line } from '../../../../source/view/text/line.ts';
import { failure } from '../../../servers/log-model.ts';

const textOf = (line: Line) => line.map((part) => part.text).join('');

const live = {
  connection: { kind: 'live' },
  ready: true,
  older: 'none',
  olderError: undefined,
} as const;
const olderError = failure('service-error', 500);

describe('an empty log', () => {
  const notice = (state: Parameters<typeof emptyLines>[0]) => emptyLines(state, 'shop').map(textOf);

  it('has no lines yet only if the service said so', () => {
    expect(notice(live)).toEqual(['No lines yet from shop. Following.']);
    expect(notice({ ...live, ready: false })[0]).toBe('Earlier lines are being fetched...');
  });

  it('says that and why its earlier lines could not be fetched', () => {
    expect(notice({ ...live, olderError: { ...olderError, errorMessage: 'Out of disk' } })).toEqual(
      [
        'Earlier lines could not be fetched. R retries.',
        'It failed: service-error.',
        'Out of disk',
        'New lines appear here.',
      ],
    );
  });

  it('of a closed deployment says so quietly, with the time where it is known', () => {
    const error = { ...failure('ended'), sentence: 'The log is complete.' };
    const connection = { kind: 'stopped', error } as const;
    expect(emptyLines({ ...live, connection }, 'web', '22:18:04')).toEqual([
      [span('web was closed at 22:18:04. This log is complete.', 'quiet')],
    ]);
    expect(emptyLines({ ...live, connection }, 'web')).toEqual([[span(error.sentence, 'quiet')]]);
  });

  it('shows why it does not follow', () => {
    const connection = { kind: 'retrying', at: 0, error: olderError } as const;
    expect(notice({ ...live, connection, olderError })).toEqual([
      'It failed: service-error. Try again.',
    ]);
  });
});

describe('the row above the oldest line', () => {
  const row = (state: Parameters<typeof earlierRow>[0]) => {
    const line = earlierRow(state);
    return line && textOf(line);
  };

  it('is there while earlier lines are fetched, or could not be', () => {
    expect(row(live)).toBeUndefined();
    for (const older of ['more', 'loading', 'full'] as const) {
      expect(row({ ...live, ready: false, older })).toBe(' -- fetching earlier lines... --');
    }
    expect(row({ ...live, olderError })).toBe(
      ' -- earlier lines could not be fetched: HTTP 500. R retries --',
    );
  });

  it('is not there above the beginning of the log, while a gap is filled', () => {
    expect(row({ ...live, ready: false, older: 'none' })).toBeUndefined();
  });

  it('says that the filters were not applied to older lines', () => {
    for (const older of ['more', 'full'] as const) {
      const line = earlierRow({ ...live, older }, true);
      expect(line && textOf(line)).toBe(' -- Up: search older lines --');
    }
    expect(earlierRow({ ...live, older: 'none' }, true)).toBeUndefined();
    expect(earlierRow({ ...live, older: 'more' }, false)).toBeUndefined();
  });

  it('says that memory has no room for older lines', () => {
    expect(row({ ...live, older: 'full' })).toBe(' -- Up: read older lines --');
  });

  it('names an answer that can not be read, and a missing one', () => {
    expect(row({ ...live, olderError: failure('wrong-shape', 200) })).toContain(
      'unreadable answer',
    );
    expect(row({ ...live, olderError: failure('timeout') })).toContain('no answer');
  });
});
