import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { LogFolds } from '../../../../source/store/log/patterns/folds.ts';
import type { LogPosition } from '../../../../source/store/log/reader/view.ts';
import { PatternGroups } from '../../../../source/tail/patterns/pattern-groups.ts';
import { logWindow } from '../../../../source/view/log/rows/window.ts';
import { createLogWorld } from '../../../store/log/log-world.ts';

/** Draws each run as `first x count`. */
function draw(texts: readonly string[], position: LogPosition, height: number, top?: number) {
  const world = createLogWorld();
  const groups = new PatternGroups();
  const folds = new LogFolds(world.entries, (text) => groups.add(text));
  world.say(...texts);
  folds.toggle();
  const window = logWindow({
    entries: world.entries,
    position,
    top: top === undefined ? undefined : { seq: top, skipped: 0 },
    height,
    rowsOf: (entry, { first, last }) => [[{ text: `${entry.seq} x ${last - first + 1}` }]],
    runAt: (index) => folds.runAt(index),
  });
  return { rows: window.rows.map((row) => row[0]?.text ?? ''), top: window.top, folds };
}

const following: LogPosition = { kind: 'following' };

test('a followed log ends with its newest run, and has a row for each run', () => {
  const texts = ['a', 'paid 1', 'paid 2', 'b', 'paid 3', 'paid 4', 'paid 5'];
  expect(draw(texts, following, 3).rows).toEqual(['1 x 2', '3 x 1', '4 x 3']);
  expect(draw(texts, following, 9).rows).toEqual(['0 x 1', '1 x 2', '3 x 1', '4 x 3']);
});

test('the run of the cursor is visible, and no entry is drawn twice', () => {
  const text = fc.constantFrom('a', 'b', 'paid 1', 'paid 2');
  fc.assert(
    fc.property(
      fc.array(text, { minLength: 1, maxLength: 60 }),
      fc.nat(),
      fc.nat(),
      fc.integer({ min: 1, max: 8 }),
      (texts, at, from, height) => {
        const cursor = at % texts.length;
        const position = { kind: 'frozen', cursor, received: 0 } as const;
        const { rows, folds } = draw(texts, position, height, from % texts.length);
        const starts = rows.map((row) => Number(row.split(' ')[0]));
        expect(starts).toContain(folds.runAt(cursor).first);
        expect(starts).toEqual([...new Set(starts)].toSorted((one, other) => one - other));
        expect(rows.length).toBeLessThanOrEqual(height);
      },
    ),
  );
});
