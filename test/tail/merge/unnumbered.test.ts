import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import type { GapReason } from '../../../source/tail/arena/gap.ts';
import { writtenLine } from '../../cuts/service.ts';
import { type Action, Simulation, type World } from '../simulation.ts';

/** A slow network between a log that does not wait and a machine that is busy. */
const slowly = (most: number): fc.Arbitrary<Action> =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('append' as const),
        count: fc.integer({ min: 1, max: most }),
        kind: fc.constant(0),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        do: fc.constant('deliver' as const),
        count: fc.integer({ min: 1, max: most }),
        swap: fc.nat(9),
        again: fc.constant(0),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ do: fc.constant('open' as const), late: fc.boolean() }),
    },
    { weight: 1, arbitrary: fc.constantFrom({ do: 'cut' as const }, { do: 'poll' as const }) },
    { weight: 7, arbitrary: fc.constant({ do: 'process' as const }) },
    { weight: 7, arbitrary: fc.constant({ do: 'answer' as const }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('fail' as const),
        why: fc.constant('passing' as const),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'audit' as const }) },
    {
      weight: 1,
      arbitrary: fc.record({
        do: fc.constant('older' as const),
        count: fc.integer({ min: 1, max: 200 }),
      }),
    },
  );

const orders = fc.constantFrom(
  { offsets: 'newest', rows: 'newest' } as const,
  { offsets: 'newest', rows: 'oldest' } as const,
  { offsets: 'oldest', rows: 'oldest' } as const,
);

/** The number of the line stands where the merge does not look, for telling what went wrong. */
const withTimes = ({ id, ...line }: LogLine): LogLine => ({ ...line, deploymentId: `${id}` });

const shapes = fc.constantFrom({ overHttp: withTimes, overStream: withTimes });

/** Lines written at the same time. */
const bursts = fc.constantFrom(1, 6, 40);

/** Stretches between gaps; the texts of their lines. */
interface Stretch {
  readonly texts: readonly string[];
  /** The reason of the gap under it; undefined without one. */
  readonly gap: 'filling' | GapReason | undefined;
}

function stretchesOf({ sequence }: Simulation): readonly Stretch[] {
  const found: { texts: string[]; gap: Stretch['gap'] }[] = [];
  for (const entry of sequence.slice(0, sequence.length)) {
    if (entry.kind === 'gap') {
      found.push({ texts: [], gap: entry.state.kind === 'filling' ? 'filling' : entry.state.why });
    } else if (found.length === 0) {
      found.push({ texts: [entry.line.logLine], gap: undefined });
    } else found.at(-1)?.texts.push(entry.line.logLine);
  }
  return found;
}

/**
 * Fails unless every stretch is an unbroken piece of the record, behind the one before it. Lines that
 * are alike are nobody's in particular: some such places are enough.
 * @param open gaps on both sides of which the same lines may stand.
 */
function expectPieces(simulation: Simulation, what: string, open: readonly Stretch['gap'][]): void {
  const record = simulation.record.all.map(({ logLine }) => logLine);
  let end = 0;
  for (const { texts, gap } of stretchesOf(simulation)) {
    const at = placeIn(record, texts, open.includes(gap) ? 0 : end);
    if (at === undefined) expect.fail(`${what}: ${shownNear(simulation)}`);
    end = Math.max(end, at + texts.length);
  }
}

function placeIn(
  record: readonly string[],
  texts: readonly string[],
  least: number,
): number | undefined {
  for (let at = least; at + texts.length <= record.length; at += 1) {
    if (texts.every((text, index) => record[at + index] === text)) return at;
  }
  return undefined;
}

/** Fails unless it is the end of the record, without a gap. */
function expectWhole(simulation: Simulation): void {
  const stretches = stretchesOf(simulation);
  const texts = stretches.flatMap((stretch) => stretch.texts);
  const record = simulation.record.all.map(({ logLine }) => logLine);
  const isWhole = stretches.length === 1 && placeIn(record, texts, record.length - texts.length);
  if (isWhole === false || isWhole === undefined) expect.fail(shownNear(simulation));
}

function shownNear({ sequence, record }: Simulation): string {
  const shown: string[] = [];
  let next: number | undefined;
  for (const entry of sequence.slice(0, sequence.length)) {
    if (entry.kind === 'gap') {
      shown.push(JSON.stringify(entry.state));
      next = undefined;
      continue;
    }
    const number = Number(entry.line.deploymentId);
    if (next === number) {
      shown[shown.length - 1] = `${shown.at(-1)?.split('..')[0]}..${next}`;
      next += 1;
    } else {
      shown.push(`${number}`);
      next = number + 1;
    }
  }
  return `${shown.join(' ')} of ${record.all.length}, oldest ${record.oldest}`;
}

function worldOf(world: Pick<World, 'record' | 'before' | 'atOnce' | 'text'>): World {
  return {
    ...world,
    history: 120,
    pageSize: 100,
    patience: 6,
    stride: (number) => number,
    reorders: false,
  };
}

/** Some lines come over the stream before anything is fetched: they tell the order of the pages. */
const beginning: readonly Action[] = [
  { do: 'open', late: false },
  { do: 'append', count: 40, kind: 0 },
  { do: 'deliver', count: 30, swap: 0, again: 0 },
];

const sizes = { maxPage: 100, retention: Number.MAX_SAFE_INTEGER };

describe('merge of a log without ids on a slow machine', () => {
  it('is the record wherever most lines are like no other', () => {
    fc.assert(
      fc.property(
        orders,
        shapes,
        fc.integer({ min: 0, max: 400 }),
        bursts,
        fc.array(slowly(150), { maxLength: 100, size: 'max' }),
        (order, shape, before, atOnce, actions) => {
          const simulation = new Simulation(
            worldOf({
              before,
              atOnce,
              text: (number) => writtenLine('run-0', number),
              record: { ...order, ...sizes, ...shape },
            }),
          );
          for (const [at, one] of [...beginning, ...actions].entries()) {
            simulation.run(one);
            // Within one instant, history settles the order of the lines.
            if (atOnce > 1) continue;
            expectPieces(simulation, `${at} ${JSON.stringify(one)}`, ['filling']);
          }
          simulation.settle();
          // Requests without an answer for long are given up until a retry.
          simulation.retry();
          expectWhole(simulation);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('marks what it cannot tell where lines are alike', () => {
    fc.assert(
      fc.property(
        orders,
        fc.constant({ overHttp: withTimes, overStream: withTimes }),
        fc.integer({ min: 0, max: 200 }),
        fc.constantFrom(6, 20),
        fc.infiniteStream(fc.constantFrom('a', 'b')),
        fc.array(slowly(40), { maxLength: 60, size: 'max' }),
        (order, shape, before, atOnce, letters, actions) => {
          const simulation = new Simulation(
            worldOf({
              before,
              atOnce,
              text: () => letters.next().value,
              record: { ...order, ...sizes, ...shape },
            }),
          );
          for (const one of [...beginning, ...actions]) simulation.run(one);
          simulation.settle();
          expectPieces(simulation, 'settled', ['unclear']);
          expect(simulation.merge.isReady).toBe(true);
        },
      ),
      { numRuns: 20 },
    );
  });

  it('asks for a page with more lines in common where a few fit in more than one place', () => {
    const letters =
      'abbbbabbabbaabbaabbaabaabbbbbaabbabbabaaabababbbbabbbabaabbababaabaababbbabbbaaaaabbabbaaaba' +
      'babbbbbabbabbbaaaaabbbaaaaaaabaaaabbaabaaabaab';
    const simulation = new Simulation(
      worldOf({
        before: 40,
        atOnce: 20,
        text: (number) => letters[number] ?? 'a',
        record: {
          ...sizes,
          offsets: 'newest',
          rows: 'newest',
          overHttp: withTimes,
          overStream: withTimes,
        },
      }),
    );
    const append = (count: number): Action => ({ do: 'append', count, kind: 0 });
    const deliver = (count: number): Action => ({ do: 'deliver', count, swap: 0, again: 0 });
    const ask: readonly Action[] = [{ do: 'process' }, { do: 'answer' }];
    const behind = [append(35), ...ask, append(23), deliver(30), ...ask, ...ask];
    for (const one of [...beginning, ...behind, ask[0], deliver(38), ask[1]]) {
      if (one !== undefined) simulation.run(one);
    }
    simulation.settle();
    expectWhole(simulation);
  });
});
