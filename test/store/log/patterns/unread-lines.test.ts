import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnreadLines } from '../../../../source/store/log/patterns/unread-lines.ts';
import { createLogWorld } from '../log-world.ts';

const texts = (count: number) => Array.from({ length: count }, () => ({ text: 'x' }));

test('all lines are read once, in pieces, while there are few', () => {
  const world = createLogWorld();
  const unread = new UnreadLines(world.entries);
  world.options.onInserted((runs) => unread.add(runs));
  world.insertAt(0, texts(5));
  world.insertAt(5, texts(3));
  expect(unread.take(6).piece).toEqual({ from: 0, to: 6, weight: 1 });
  world.insertAt(0, texts(1));
  expect(unread.take(6).piece).toEqual({ from: 7, to: 9, weight: 1 });
  expect(unread.take(6).piece).toEqual({ from: 0, to: 1, weight: 1 });
  expect(unread.take(6)).toEqual({ piece: undefined, lost: 0 });
});

test('pieces of a flood stand for the lines behind them', () => {
  const world = createLogWorld();
  const unread = new UnreadLines(world.entries, 1000);
  world.options.onInserted((runs) => unread.add(runs));
  world.insertAt(0, texts(2000));
  expect(unread.take(100).piece).toEqual({ from: 0, to: 100, weight: 4 });
  expect(unread.count).toBe(1600);
});

test('each line is read, stood for or lost, whatever happens to the log', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), count: fc.nat(9) }),
    fc.record({ kind: fc.constant('drop' as const), count: fc.nat(12) }),
    fc.record({ kind: fc.constant('take' as const), most: fc.integer({ min: 1, max: 7 }) }),
    fc.record({ kind: fc.constantFrom('remove' as const, 'renumber' as const) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const world = createLogWorld();
      const { entries } = world;
      const unread = new UnreadLines(entries);
      world.options.onInserted((runs) => unread.add(runs));
      let inserted = 0;
      let counted = 0;
      const take = (most: number): void => {
        const { piece, lost } = unread.take(most);
        counted += lost + (piece === undefined ? 0 : (piece.to - piece.from) * piece.weight);
      };
      for (const one of steps) {
        if (one.kind === 'insert') {
          inserted += one.count;
          world.insertAt(one.at % (entries.length + 1), texts(one.count));
        } else if (one.kind === 'drop') world.change((log) => log.dropOldest(one.count));
        else if (one.kind === 'take') take(one.most);
        else if (one.kind === 'remove') world.change((log) => log.remove(0, 1));
        else world.change((log) => log.renumber());
      }
      while (unread.count > 0) take(5);
      take(5);
      expect(counted).toBeCloseTo(inserted, 6);
    }),
  );
});
