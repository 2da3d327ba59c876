import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createJoinedLogs } from '../../../../source/store/log/feed/joined.ts';
import { FollowedLog } from '../../../../source/store/log/feed/followed-log.ts';
import type { LogRestarts } from '../../../../source/store/log/restarts.ts';
import { createTail, type Tail } from '../../../../source/store/log/tail.ts';
import { cursorSeq } from '../../../../source/store/log/reader/view.ts';
import { moveCursorIntoFilter } from '../../../../source/view/log/place.ts';
import { logWindow } from '../../../../source/view/log/rows/window.ts';
import { clientOf, LogModel } from '../../../servers/log-model.ts';
import { createTestClock, settled } from '../../../support/clock.ts';

const height = 9;
/** Limits of a log's memory. */
const maxLines = 96;
const maxBytes = 64 * 1024;

const running: Tail[] = [];

afterEach(() => {
  for (const tail of running.splice(0)) tail.stop();
});

type Step =
  | { readonly kind: 'write'; readonly log: number; readonly count: number }
  | { readonly kind: 'move'; readonly by: number }
  | { readonly kind: 'filter' | 'select' | 'resume' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      log: fc.nat(1),
      count: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 50, max: 200 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('move' as const),
      by: fc.integer({ min: -6, max: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('filter' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('select' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('resume' as const) }) },
);

/** The log of one or two deployments in little memory, drawn on a small screen. */
class World {
  readonly #models: readonly LogModel[];
  readonly #tail: Tail;
  readonly #numbers: number[];
  readonly #clock = createTestClock();
  #second = 0;
  /** Lines of the last frame. */
  drawn: readonly string[] = [];

  constructor(deployments: number, text: (number: number) => string = () => '') {
    this.#models = Array.from({ length: deployments }, () => new LogModel());
    this.#numbers = this.#models.map(() => 0);
    this.#text = text;
    const clock = this.#clock;
    const byId = Object.fromEntries(this.#models.map((model, at) => [`d${at}`, model]));
    const options = {
      client: clientOf(byId),
      clock,
      random: () => 0,
      publishInterval: 0,
      maxLines: maxLines * deployments,
      maxBytes: maxBytes * deployments,
    };
    const deploymentIds = Object.keys(byId);
    const joined = deployments === 1 ? undefined : createJoinedLogs({ ...options, deploymentIds });
    const log = joined ?? new FollowedLog({ ...options, deploymentId: 'd0' });
    const restarts = createStore<LogRestarts>(() => []);
    this.#tail = createTail({ log, deploymentIds, joined, restarts }, clock);
    running.push(this.#tail);
  }

  readonly #text: (number: number) => string;

  /** True while the log is paused, unless the filter hides the line under the cursor. */
  get isCursorShown(): boolean {
    const { entries, view } = this.#tail;
    const cursor = cursorSeq(view.position.getState());
    return cursor !== undefined && entries.at(entries.indexOf(cursor))?.seq === cursor;
  }

  /** Bytes of the lines that are held. */
  get bytes(): number {
    const { entries } = this.#tail.log;
    return entries.scan(0, entries.length, () => {});
  }

  get isFiltered(): boolean {
    return this.#tail.filter.criteria().some((each) => each !== undefined);
  }

  async run(step: Step): Promise<void> {
    const { view, filter } = this.#tail;
    if (step.kind === 'write') await this.write(step.log % this.#models.length, step.count);
    else if (step.kind === 'move') view.move(step.by);
    else if (step.kind === 'select') view.toggleSelection();
    else if (step.kind === 'resume') view.position.setState({ kind: 'following' }, true);
    else {
      filter.setQuery(this.isFiltered ? undefined : { text: '7', regex: false });
      await moveCursorIntoFilter(this.#tail);
    }
  }

  /** Writes lines, of which each is a second later than the last. */
  async write(log: number, count: number): Promise<void> {
    for (let left = count; left > 0; left -= 1) {
      const number = (this.#numbers[log] = (this.#numbers[log] ?? 0) + 1);
      this.#second += 1;
      const timestamp = new Date(1_700_000_000_000 + this.#second * 1000).toISOString();
      this.#models[log]?.write({ logLine: this.#textOf(log, number), timestamp });
      if (left % 20 === 1) await this.#clock.advance(1);
    }
  }

  draw(): readonly string[] {
    const { entries, view } = this.#tail;
    const window = logWindow({
      entries,
      position: view.position.getState(),
      top: view.top(),
      height,
      rowsOf: (entry) => [[{ text: entry.kind === 'line' ? entry.line.logLine : 'gap' }]],
    });
    view.recordTop(window.top);
    return (this.drawn = window.rows.map((row) => row[0]?.text ?? ''));
  }

  /** Checks that the log has every line in order, or a gap, and stays within its memory. */
  check(): void {
    const { log, joined, entries } = this.#tail;
    for (const { entries: own } of joined?.members ?? [log])
      expect(own.length - own.gaps.length).toBeLessThanOrEqual(maxLines);
    const next = new Map<number, number>();
    const isShown = (number: number, log: number) =>
      !this.isFiltered || this.#textOf(log, number).includes('7');
    for (const entry of entries.slice(0, entries.length)) {
      const member = entry.member ?? 0;
      if (entry.kind === 'gap') {
        next.delete(member);
        continue;
      }
      const number = Number(entry.line.id);
      const expected = next.get(member);
      if (expected !== undefined) expect(number).toBe(expected);
      let following = number + 1;
      while (!isShown(following, member)) following += 1;
      next.set(member, following);
    }
  }

  /** Returns the last texts that were written to the only log. */
  newest(count: number): readonly string[] {
    const [last = 0] = this.#numbers;
    return Array.from({ length: count }, (_, at) => this.#textOf(0, last - count + 1 + at));
  }

  #textOf(log: number, number: number): string {
    return `${log} ${number}${this.#text(number)}`;
  }
}

const isLine = (row: string) => row !== 'gap';

describe('a paused log', () => {
  it.each([1, 2])('shows the same lines in a flood of %i deployments', async (deployments) => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const world = new World(deployments);
        await settled();
        await world.write(0, 40);
        if (deployments > 1) await world.write(1, 20);
        world.draw();
        for (const each of steps) {
          const before = world.drawn.filter(isLine);
          await world.run(each);
          const now = world.draw();
          world.check();
          if (world.isCursorShown && each.kind === 'write')
            expect(now.filter((row) => before.includes(row))).toEqual(before);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('drops what it showed, and follows the newest lines again', async () => {
    const world = new World(1);
    await settled();
    await world.write(0, 60);
    await world.run({ kind: 'move', by: -5 });
    const before = world.draw();
    await world.write(0, 400);
    expect(world.draw()).toEqual(before);
    await world.run({ kind: 'resume' });
    await world.write(0, 100);
    expect(world.draw()).toEqual(world.newest(height));
    await world.run({ kind: 'move', by: -1000 });
    expect(world.draw()).not.toContain('gap');
    world.check();
  });

  it('keeps what its reserve has room for, nearest to the cursor, and says what is missing', async () => {
    // The window has more than a quarter of the memory.
    const long = 'x'.repeat(4000);
    const world = new World(1, () => long);
    await settled();
    await world.write(0, 10);
    await world.run({ kind: 'move', by: -2 });
    const before = world.draw();
    await world.write(0, 100);
    const now = world.draw();
    const kept = now.filter((row) => before.includes(row));
    expect(kept.length).toBeGreaterThan(1);
    expect(kept).toContain(`0 8${long}`);
    expect(now).toContain('gap');
    world.check();
    expect(world.bytes).toBeLessThanOrEqual(maxBytes);
  });
});
