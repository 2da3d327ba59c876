import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { type GapReason, gapSentence } from '../../../source/tail/arena/gap.ts';

function sentence(
  after: Partial<LogLine> | undefined,
  until: Partial<LogLine>,
  why: GapReason = 'gone',
): string {
  return gapSentence({
    state: { kind: 'missing', why },
    after: after && { logLine: '', ...after },
    until: { logLine: '', ...until },
  });
}

describe('the sentence of a gap', () => {
  it('names the missing lines by their ids', () => {
    expect(sentence({ id: 4710 }, { id: 5231 })).toBe('gap: lines 4711 to 5230 are no longer kept');
    expect(sentence({ id: 1 }, { id: 3 })).toBe('gap: line 2 is no longer kept');
    expect(sentence({ id: 2n ** 60n }, { id: 2n ** 60n + 3n })).toBe(
      'gap: lines 1152921504606846977 to 1152921504606846978 are no longer kept',
    );
    expect(sentence(undefined, { id: 100 })).toBe('gap: lines up to 99 are no longer kept');
  });

  it('names no range of ids after the service restarted its count', () => {
    expect(sentence({ id: 4710 }, { id: 1 })).toBe('gap: lines after 4710 are no longer kept');
  });

  it('names times without ids, and only the place without either', () => {
    const [from, to] = ['2026-01-01T00:00:01Z', '2026-01-01T00:00:09Z'];
    expect(sentence({ timestamp: from }, { timestamp: to })).toBe(
      `gap: lines from ${from} to ${to} are no longer kept`,
    );
    expect(sentence({}, { timestamp: to })).toBe(`gap: lines before ${to} are no longer kept`);
    expect(sentence({}, {})).toBe('gap: lines here are no longer kept');
  });

  it('tells doubles, too, where pages could not be joined', () => {
    expect(sentence({ id: 4 }, { id: 18 }, 'unclear')).toBe(
      'gap: lines may be missing or shown twice here',
    );
  });

  it('says where numbers begin again', () => {
    expect(sentence({ id: 4710 }, { id: 1 }, 'renumbered')).toBe('line numbers begin again');
  });

  it('reports that a gap is being filled', () => {
    const gap = { after: { id: 1, logLine: '' }, until: { id: 9, logLine: '' } };
    expect(gapSentence({ ...gap, state: { kind: 'filling' } })).toBe(
      'lines 2 to 8 are being fetched',
    );
  });
});
