import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import type { Entry } from '../../../../source/tail/arena/entries.ts';
import type { Line } from '../../../../source/view/text/line.ts';
import { rowOfCursor, topForCursorRow } from '../../../../source/view/log/rows/cursor-row.ts';
import { logWindow } from '../../../../source/view/log/rows/window.ts';
import { listedEntries } from '../../../support/listed-entries.ts';

/** Returns one row for an entry, or one to three by its number when wrapped. */
const rowsOf =
  (wrap: boolean) =>
  (entry: Entry<LogLine>): readonly Line[] =>
    Array.from({ length: wrap ? ((entry.seq / 10) % 3) + 1 : 1 }, (_, row) => [
      { text: `${entry.seq}.${row}` },
    ]);

test('the cursor keeps its screen row when the layout changes', () => {
  const numbers = {
    count: fc.integer({ min: 1, max: 60 }),
    cursor: fc.nat(),
    top: fc.nat(),
    height: fc.integer({ min: 3, max: 20 }),
    wrap: fc.boolean(),
  };
  fc.assert(
    fc.property(fc.record(numbers), ({ count, height, wrap, ...at }) => {
      const entries = listedEntries(Array.from({ length: count }, () => ({ logLine: '' })));
      const cursor = (at.cursor % count) * 10;
      const drawn = (wrapped: boolean, top: ReturnType<typeof topForCursorRow>) =>
        logWindow({
          entries,
          position: { kind: 'frozen', cursor, received: 0 },
          top,
          height,
          rowsOf: rowsOf(wrapped),
        });
      const before = drawn(wrap, { seq: (at.top % count) * 10, skipped: 0 });
      const row = rowOfCursor({ entries, cursor, rowsOf: rowsOf(wrap) }, before.top);
      expect(before.rows[row]?.[0]?.text).toBe(`${cursor}.0`);
      const cursorLayout = { entries, cursor, rowsOf: rowsOf(!wrap) };
      const after = drawn(!wrap, topForCursorRow(cursorLayout, row));
      const shown = after.rows.findIndex((line) => line[0]?.text === `${cursor}.0`);
      expect(shown).toBe(rowOfCursor(cursorLayout, after.top));
      // The cursor must move at the ends of the log and where its entry would not fit.
      const above = entries.slice(0, cursor / 10).flatMap(rowsOf(!wrap)).length;
      const below = entries.slice(cursor / 10, count).flatMap(rowsOf(!wrap)).length;
      const own = rowsOf(!wrap)({ kind: 'line', seq: cursor, place: 0, line: { logLine: '' } });
      if (above >= row && row + own.length <= height && row + below >= height) {
        expect(shown).toBe(row);
      }
    }),
  );
});
