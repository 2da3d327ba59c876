import { describe, expect, it } from 'vitest';
import type { ExportResult } from '../../../source/store/log/reader/export.ts';
import { exportMessage } from '../../../source/view/log/export.ts';

const whole: ExportResult = {
  lines: 88_113,
  bytes: 12_300_000,
  gaps: 0,
  firstGap: undefined,
  lostAtEnd: false,
};

const gap = {
  kind: 'gap',
  seq: 7,
  place: 7,
  state: { kind: 'missing', why: 'dropped' },
  after: { id: 4710, logLine: '' },
  until: { id: 4824, logLine: '' },
} as const;

function sentence(exported: Partial<ExportResult>, format: 'text' | 'json' = 'text'): string {
  return exportMessage({ kind: 'saved', exported: { ...whole, ...exported } }, '/x/a.log', format);
}

describe('the message after an export', () => {
  it('names the lines, the size and the file', () => {
    expect(sentence({})).toBe('Saved 88,113 lines, 12.3 MB, to /x/a.log.');
    expect(sentence({ lines: 1 }, 'json')).toBe('Saved 1 line as JSON, 12.3 MB, to /x/a.log.');
  });

  it('names the missing lines', () => {
    expect(sentence({ gaps: 1, firstGap: gap })).toMatch(
      / 1 gap: lines 4711 to 4823 had left memory\.$/,
    );
    expect(sentence({ gaps: 1200, firstGap: gap, lostAtEnd: true })).toMatch(
      / 1,200 gaps, the first: lines 4711 to 4823 had left memory\. The last lines had left memory\.$/,
    );
  });

  it('names the reason when nothing was saved', () => {
    const failures = [
      { kind: 'unwritable', reason: 'the disk is full' },
      { kind: 'moved' },
      { kind: 'cancelled' },
    ] as const;
    expect(failures.map((outcome) => exportMessage(outcome, '/x/a.log', 'text'))).toEqual([
      "Can't write /x/a.log: the disk is full. Nothing was saved.",
      'The shown lines have changed. Nothing was saved; S retries.',
      'Cancelled. Nothing was saved.',
    ]);
  });
});
