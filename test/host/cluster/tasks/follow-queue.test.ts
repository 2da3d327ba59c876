import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type FollowNeed,
  followNeeds,
  FollowQueue,
  silentSpacingMs,
} from '../../../../source/host/cluster/tasks/follow-queue.ts';
import { ManualClock } from '../../support/manual-clock.ts';

/** Asks for follows, and notes in which order and when they are opened. */
function asking() {
  const clock = new ManualClock(0);
  const queue = new FollowQueue(clock);
  const opened: (readonly [string, number])[] = [];
  const ask = (need: FollowNeed, name: string = need) =>
    queue.request(need, () => {
      opened.push([name, clock.monotonic()]);
    });
  return { clock, opened, ask, names: () => opened.map(([name]) => name) };
}

describe('the queue of follows', () => {
  test('opens the first at once, then the most pressing, then the one that waits longest', () => {
    const { clock, ask, names } = asking();
    ask('new', 'first');
    ask('silent');
    ask('new');
    ask('broken', 'broken first');
    ask('broken', 'broken later');
    ask('ended');
    expect(names()).toEqual(['first']);
    clock.advance(1000);
    expect(names()).toEqual(['first', 'ended', 'broken first', 'broken later', 'new', 'silent']);
  });

  test('opens silent follows again at a pace that is the same for any number of them', () => {
    const { clock, opened, ask } = asking();
    for (let index = 0; index < 600; index += 1) ask('silent', String(index));
    clock.advance(60_000);
    expect(opened).toHaveLength(60_000 / silentSpacingMs + 1);
    ask('ended');
    clock.advance(50);
    expect(opened.at(-1)?.[0]).toBe('ended');
  });

  test('opens nothing that was cancelled', () => {
    const { clock, ask, names } = asking();
    ask('new', 'first');
    ask('new', 'cancelled')();
    clock.advance(1000);
    expect(names()).toEqual(['first']);
  });

  test('opens each that waits, in the order of its need', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...followNeeds), { maxLength: 30 }), (needs) => {
        const { clock, ask, names } = asking();
        ask('new', 'first');
        for (const need of needs) ask(need);
        clock.advance(needs.length * silentSpacingMs + 1000);
        const sorted = needs.toSorted((a, b) => followNeeds.indexOf(a) - followNeeds.indexOf(b));
        expect(names()).toEqual(['first', ...sorted]);
      }),
    );
  });
});
