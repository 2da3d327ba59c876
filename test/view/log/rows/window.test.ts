import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import {
  type LogPosition,
  stepPosition,
  type ViewportTop,
} from '../../../../source/store/log/reader/view.ts';
import type { Entries, Entry } from '../../../../source/tail/arena/entries.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { logWindow } from '../../../../source/view/log/rows/window.ts';

/** Returns entries with multiples of ten as `seq`, so that others can be inserted between. */
function entriesOf(seqs: readonly number[]): Entries<LogLine> {
  const list = seqs.map(
    (seq): Entry<LogLine> => ({ kind: 'line', seq, place: seq, line: { logLine: `line ${seq}` } }),
  );
  return {
    length: list.length,
    epoch: 0,
    gaps: [],
    scan: () => 0,
    at: (index) => list[index],
    slice: (from, to) => list.slice(from, to),
    indexOf: (seq) => {
      const index = list.findIndex((entry) => entry.seq >= seq);
      return index === -1 ? list.length : index;
    },
  };
}

const seqs = fc
  .uniqueArray(fc.integer({ min: 0, max: 500 }), { maxLength: 80 })
  .map((numbers) => numbers.sort((left, right) => left - right));

/** Returns one to three rows for an entry, by its number. */
const rowsOf = (entry: Entry<LogLine>): readonly Line[] =>
  Array.from({ length: (entry.seq % 3) + 1 }, (_, row) => [{ text: `${entry.seq}.${row}` }]);

const shown = (rows: readonly Line[]) => rows.map((row) => row[0]?.text ?? '');

describe('the window on a followed log', () => {
  it('ends with the newest row and is full when there is enough', () => {
    fc.assert(
      fc.property(seqs, fc.integer({ min: 1, max: 30 }), (numbers, height) => {
        const entries = entriesOf(numbers);
        const window = logWindow({
          entries,
          position: { kind: 'following' },
          top: undefined,
          height,
          rowsOf,
        });
        const all = numbers.flatMap((seq) => shown(rowsOf(entryAt(entriesOf([seq])))));
        expect(shown(window.rows)).toEqual(all.slice(-height));
      }),
    );
  });
});

describe('the window on a frozen log', () => {
  const position = (cursor: number): LogPosition => ({ kind: 'frozen', cursor, received: 0 });

  it('always shows the line under the cursor and fills its height', () => {
    fc.assert(
      fc.property(
        seqs,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 3, max: 30 }),
        (numbers, at, from, height) => {
          fc.pre(numbers.length > 0);
          const entries = entriesOf(numbers);
          const cursor = numbers[at % numbers.length] ?? 0;
          const top = { seq: numbers[from % numbers.length] ?? 0, skipped: from % 4 };
          const window = logWindow({ entries, position: position(cursor), top, height, rowsOf });
          const total = numbers.reduce((sum, seq) => sum + (seq % 3) + 1, 0);
          expect(shown(window.rows)).toContain(`${cursor}.0`);
          expect(window.rows).toHaveLength(Math.min(total, height));
        },
      ),
    );
  });

  it('is the same when it is drawn again', () => {
    fc.assert(
      fc.property(seqs, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 30 }), (...given) => {
        const [numbers, at, from, height] = given;
        fc.pre(numbers.length > 0);
        const options = {
          entries: entriesOf(numbers),
          position: position(numbers[at % numbers.length] ?? 0),
          height,
          rowsOf,
        };
        const top = { seq: numbers[from % numbers.length] ?? 0, skipped: from % 4 };
        const first = logWindow({ ...options, top });
        expect(logWindow({ ...options, top: first.top })).toEqual(first);
      }),
    );
  });

  it('does not scroll when the cursor moves up from the last of several rows', () => {
    const entries = entriesOf([2, 5, 8, 11]);
    const before = logWindow({
      entries,
      position: { kind: 'following' },
      top: undefined,
      height: 8,
      rowsOf,
    });
    const after = logWindow({ entries, position: position(8), top: before.top, height: 8, rowsOf });
    expect(after).toEqual(before);
  });

  it('shows the start of a line that is taller than the window', () => {
    const tall = (entry: Entry<LogLine>): readonly Line[] =>
      Array.from({ length: entry.seq === 20 ? 50 : 1 }, (_, row) => [
        { text: `${entry.seq}.${row}` },
      ]);
    const rowsFrom = (top: ViewportTop | undefined): readonly string[] =>
      shown(
        logWindow({
          entries: entriesOf([10, 20, 30]),
          position: position(20),
          top,
          height: 4,
          rowsOf: tall,
        }).rows,
      );
    for (const top of [undefined, { seq: 10, skipped: 0 }]) expect(rowsFrom(top)).toContain('20.0');
    // Scrolled within the line, at most to its end.
    expect(rowsFrom({ seq: 20, skipped: 7 })).toEqual(['20.7', '20.8', '20.9', '20.10']);
    expect(rowsFrom({ seq: 20, skipped: 60 })).toEqual(['20.46', '20.47', '20.48', '20.49']);
  });

  it('does not scroll while lines arrive at both ends', () => {
    const before = [50, 60, 70, 80, 90];
    const draw = (numbers: readonly number[]) =>
      shown(
        logWindow({
          entries: entriesOf(numbers),
          position: position(70),
          top: { seq: 60, skipped: 0 },
          height: 3,
          rowsOf: (entry) => [[{ text: `${entry.seq}` }]],
        }).rows,
      );
    expect(draw(before)).toEqual(['60', '70', '80']);
    expect(draw([10, 20, 30, ...before, 100, 110])).toEqual(['60', '70', '80']);
  });
});

describe('moving through a log', () => {
  const entries = entriesOf([10, 20, 30, 40]);
  const following: LogPosition = { kind: 'following' };

  it('freezes with the first step up, and follows again only with the last one', () => {
    const up = stepPosition(following, entries, -1, 7);
    expect(up).toEqual({ kind: 'frozen', cursor: 30, received: 7 });
    expect(stepPosition(up, entries, 1, 9)).toEqual({ kind: 'frozen', cursor: 40, received: 7 });
    expect(stepPosition(up, entries, 100, 9)).toMatchObject({ kind: 'frozen', cursor: 40 });
    expect(stepPosition(up, entries, Number.POSITIVE_INFINITY, 9)).toEqual(following);
    expect(stepPosition(following, entries, 5, 9)).toEqual(following);
  });

  it('stops at the oldest line, and does not freeze an empty log', () => {
    expect(stepPosition(following, entries, Number.NEGATIVE_INFINITY, 0)).toMatchObject({
      cursor: 10,
    });
    expect(stepPosition(following, entriesOf([]), -1, 0)).toEqual(following);
  });
});

function entryAt(entries: Entries<LogLine>): Entry<LogLine> {
  const entry = entries.at(0);
  if (entry === undefined) throw new Error('no entry');
  return entry;
}
