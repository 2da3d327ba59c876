import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogView } from '../../../../source/store/log/reader/view.ts';
import { DroppingLog } from '../dropping-log.ts';

function viewOf(count: number) {
  const log = new DroppingLog();
  log.append(count);
  const view = new LogView({ entries: log, received: () => 0 });
  return { log, view };
}

describe('a selection in a log', () => {
  it('reaches from its start to the cursor in either direction', () => {
    const step = fc.oneof(
      fc.integer({ min: -6, max: 6 }),
      fc.constantFrom(Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY),
    );
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.array(step), (count, moves) => {
        const { log, view } = viewOf(count);
        view.move(-2);
        const anchor = cursorOf(view);
        view.toggleSelection();
        for (const move of moves) {
          log.append(1);
          log.insert(count >> 1);
          view.move(move);
          const ends = [anchor, cursorOf(view)];
          expect(view.selection()).toEqual({ first: Math.min(...ends), last: Math.max(...ends) });
        }
        view.toggleSelection();
        expect(view.selection()).toBeUndefined();
        expect(view.position.getState().kind).toBe('frozen');
      }),
    );
  });

  it('is removed when the entries are renumbered', () => {
    const { log, view } = viewOf(5);
    view.toggleSelection();
    view.move(-2);
    log.epoch += 1;
    expect(view.selection()).toBeUndefined();
    view.toggleSelection();
    expect(view.selection()).toEqual({ first: 104, last: 104 });
    log.epoch += 1;
    view.move(-1);
    expect(view.position.getState()).not.toHaveProperty('anchor');
  });

  it('cannot start in a log without lines', () => {
    const { view } = viewOf(0);
    view.toggleSelection();
    expect(view.selection()).toBeUndefined();
    expect(view.position.getState().kind).toBe('following');
  });
});

function cursorOf(view: ReturnType<typeof viewOf>['view']): number {
  const position = view.position.getState();
  return position.kind === 'frozen' ? position.cursor : Number.NaN;
}
