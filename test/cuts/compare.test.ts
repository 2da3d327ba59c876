import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import type { Entry } from '../../source/tail/arena/entries.ts';
import { compareWithRecord } from './compare.ts';
import { isUniqueLine, writtenLine } from './service.ts';

const none = { lost: 0, doubled: 0, disordered: 0, strange: 0, gaps: 0 };

function recordOf(lines: number, ids: boolean): readonly LogLine[] {
  return Array.from({ length: lines }, (_, index) => ({
    logLine: writtenLine('run-1', index + 1),
    ...(ids ? { id: 3 * index + 4000 } : {}),
  }));
}

function shownOf(lines: readonly LogLine[]): readonly Entry<LogLine>[] {
  return lines.map((line, seq) => ({ kind: 'line', seq, place: seq, line }));
}

function compare(shown: readonly LogLine[], record: readonly LogLine[]) {
  return compareWithRecord(shownOf(shown), record, isUniqueLine);
}

describe.each([true, false])('a log held against its record, with ids: %s', (ids) => {
  const record = recordOf(40, ids);

  it('is the same when it shows the last lines, from whichever on', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20 }), (from) => {
        // Without ids, a repeated line is known by the one before it.
        fc.pre(ids || isUniqueLine(record[from]?.logLine ?? ''));
        const shown = record.slice(from);
        expect(compare(shown, record)).toMatchObject({ ...none, lines: shown.length, first: from });
      }),
    );
  });

  it('lacks each line that is taken out behind the first', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 39 }), (at) => {
        expect(compare(record.toSpliced(at, 1), record).lost).toBeGreaterThan(0);
      }),
    );
  });

  it('is found out when a line stands twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 39 }), (at) => {
        const line = record[at];
        if (line === undefined) throw new Error('no such line');
        const { doubled, strange } = compare(record.toSpliced(at, 0, line), record);
        expect(doubled + strange).toBeGreaterThan(0);
      }),
    );
  });

  it('is found out when two lines stand the wrong way round', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 38 }), (at) => {
        const [one, other] = record.slice(at, at + 2);
        if (one === undefined || other === undefined) throw new Error('no such line');
        const { lost, disordered, strange } = compare(record.toSpliced(at, 2, other, one), record);
        expect(lost + disordered + strange).toBeGreaterThan(0);
      }),
    );
  });
});

it('a line with other words than in the record is strange, and a gap is counted', () => {
  const record = recordOf(5, true);
  const changed = record.with(3, { id: 4009, logLine: 'other words' });
  expect(compare(changed, record)).toMatchObject({ strange: 1, lost: 1 });
  const [first, ...rest] = shownOf(record);
  if (first?.kind !== 'line') throw new Error('no line');
  const gap: Entry<LogLine> = {
    kind: 'gap',
    seq: 0,
    place: 0,
    state: { kind: 'filling' },
    after: undefined,
    until: first.line,
  };
  expect(compareWithRecord([gap, first, ...rest], record, isUniqueLine)).toMatchObject({
    ...none,
    gaps: 1,
  });
});

it('lines without ids may be missing or shown twice at a row alone', () => {
  const record = recordOf(40, false);
  const [first, ...rest] = shownOf([...record.slice(0, 20), ...record.slice(15)]);
  if (first === undefined) throw new Error('no line');
  expect(compareWithRecord([first, ...rest], record, isUniqueLine).doubled).toBeGreaterThan(0);
  const until = record[15];
  if (until === undefined) throw new Error('no line');
  const row: Entry<LogLine> = {
    kind: 'gap',
    seq: 0,
    place: 0,
    state: { kind: 'missing', why: 'unclear' },
    after: record[19],
    until,
  };
  const marked = [first, ...rest].toSpliced(20, 0, row);
  expect(compareWithRecord(marked, record, isUniqueLine)).toMatchObject(none);
});
