import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScrollAnchor } from '../../../../source/store/log/reader/scroll-anchor.ts';
import { LogFilter } from '../../../../source/store/log/reader/filter.ts';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import { logWindow } from '../../../../source/view/log/rows/window.ts';
import { createLogWorld } from '../log-world.ts';

function createWorld(texts: readonly string[], height: number) {
  const world = createLogWorld();
  world.say(...texts);
  const filter = new LogFilter({
    ...world.options,
    eye: () => {
      const position = view.position.getState();
      return position.kind === 'frozen' ? position.cursor : undefined;
    },
    beforeChange: () => eye.capture(),
  });
  const { entries } = filter;
  const view = new LogView({ entries, received: () => 0 });
  const eye = new ScrollAnchor(filter, view, entries);
  /** Draws a frame: returns the numbers of its lines and the row of the cursor. */
  const draw = () => {
    const window = logWindow({
      entries,
      position: view.position.getState(),
      top: view.top(),
      height,
      rowsOf: ({ seq }) => [[{ text: String(seq) }]],
    });
    view.recordTop(window.top);
    return window.rows.map((row) => Number(row[0]?.text));
  };
  /** Returns the entry at the cursor, or the one in its place. */
  const under = () => {
    const position = view.position.getState();
    if (position.kind === 'following') return undefined;
    return entries.at(Math.min(entries.indexOf(position.cursor), entries.length - 1))?.seq;
  };
  return { ...world, filter, view, draw, under };
}

describe('the scroll anchor', () => {
  const lines = fc.array(fc.constantFrom('a', 'b', 'ab', 'c'), { minLength: 1, maxLength: 60 });
  const where = fc.nat(60);
  const queries = fc.array(fc.constantFrom('a', 'b', 'ab', 'z', '!a', undefined), { maxLength: 6 });

  it('keeps the row of the cursor under filters, and the whole view without them', () => {
    fc.assert(
      fc.property(
        lines,
        fc.integer({ min: 1, max: 12 }),
        where,
        where,
        queries,
        fc.constantFrom(0, 4),
        (texts, height, at, step, asked, pace) => {
          const world = createWorld(texts, height);
          world.setPace(pace);
          world.view.goTo(world.entries.at(at % texts.length)?.seq ?? 0);
          world.draw();
          world.view.move(-(step % texts.length));
          const before = world.draw();
          const position = world.view.position.getState();
          const cursor = world.under() ?? Number.NaN;
          const row = before.indexOf(cursor);
          for (const text of asked) {
            world.filter.setQuery(text === undefined ? undefined : { text, regex: false });
            world.settle();
            const { entries } = world.filter;
            const index = Math.min(entries.indexOf(cursor), entries.length - 1);
            const after = world.draw();
            const here = world.under();
            expect(world.view.position.getState()).toBe(position);
            // The same line if it is visible, else the next one, else the last one.
            expect(here).toBe(entries.at(index)?.seq);
            if (here === undefined) continue;
            const isFull = index >= row && entries.length - index >= before.length - row;
            if (isFull) expect(after.indexOf(here)).toBe(row);
            expect(after).toContain(here);
          }
          world.filter.setQuery(undefined);
          world.settle();
          expect(world.draw()).toEqual(before);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the newest line while following', () => {
    const world = createWorld(['a', 'b', 'ab', 'c'], 2);
    expect(world.draw()).toEqual([2, 3]);
    world.filter.setQuery({ text: 'a', regex: false });
    expect(world.draw()).toEqual([0, 2]);
    world.say('a', 'c');
    world.settle();
    expect(world.draw()).toEqual([2, 4]);
    world.filter.setQuery(undefined);
    expect(world.draw()).toEqual([4, 5]);
  });

  it('is removed when the reader moves', () => {
    const world = createWorld(['a', 'b', 'a', 'b', 'a', 'b'], 3);
    world.view.goTo(world.entries.at(3)?.seq ?? 0);
    world.draw();
    world.filter.setQuery({ text: 'b', regex: false });
    world.draw();
    world.view.move(-1);
    expect(world.under()).toBe(1);
    world.draw();
    world.filter.setQuery(undefined);
    expect(world.under()).toBe(1);
    expect(world.draw()).toContain(1);
  });
});
