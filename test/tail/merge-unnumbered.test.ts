import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../source/contract/logs.ts';
import { isUniqueLine, writtenLine } from '../cuts/service.ts';
import { type Action, Simulation, type World } from './simulation.ts';

/** The network and the machine are slow, the log is not. */
const slowly: fc.Arbitrary<Action> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 150 }),
      kind: fc.constant(0),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('deliver' as const),
      count: fc.integer({ min: 1, max: 120 }),
      swap: fc.nat(9),
      again: fc.constant(0),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('open' as const), late: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'cut' as const }) },
  { weight: 7, arbitrary: fc.constant({ do: 'process' as const }) },
  { weight: 7, arbitrary: fc.constant({ do: 'answer' as const }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      why: fc.constant('passing' as const),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'audit' as const }) },
);

const orders = fc.constantFrom(
  { offsets: 'newest', rows: 'newest' } as const,
  { offsets: 'newest', rows: 'oldest' } as const,
  { offsets: 'oldest', rows: 'oldest' } as const,
);

function bare(line: LogLine): LogLine {
  return { ...line, id: undefined };
}

function bareText({ logLine }: LogLine): LogLine {
  return { logLine };
}

/**
 * Fails where a line stands twice, out of order, or behind missing ones without a gap between. The
 * lines that are like others are counted from the unique ones beside them.
 */
function expectUnmixed({ sequence, record }: Simulation): void {
  const numbers = new Map(record.all.map(({ logLine }, number) => [logLine, number]));
  const entries = sequence.slice(0, sequence.length);
  const shown = entries.map((entry) =>
    entry.kind === 'gap' ? JSON.stringify(entry.state) : entry.line.logLine.slice(0, 12),
  );
  const where = (index: number): string =>
    shown.slice(Math.max(0, index - 5), index + 5).join('\n');
  let before = -1;
  let expected: number | undefined;
  let unknown = 0;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'gap') {
      expected = undefined;
      // While a gap is being filled, the same lines may stand on both its sides.
      before = entry.state.kind === 'filling' ? -1 : before + unknown;
      unknown = 0;
      continue;
    }
    const { logLine } = entry.line;
    if (expected === undefined) {
      unknown += 1;
      if (!isUniqueLine(logLine)) continue;
      const number = numbers.get(logLine) ?? -1;
      if (number - unknown < before)
        expect(number - unknown, where(index)).toBeGreaterThanOrEqual(before);
      before = number;
      unknown = 0;
    } else {
      const right = record.all[expected]?.logLine;
      if (logLine !== right) expect(logLine, where(index)).toBe(right);
      before = expected;
    }
    expected = before + 1;
  }
}

function worldOf(world: Pick<World, 'record' | 'before' | 'atOnce'>): World {
  return {
    ...world,
    history: 120,
    pageSize: 80,
    patience: 6,
    stride: (number) => number,
    text: (number) => writtenLine('run-0', number),
    reorders: false,
  };
}

/** Some lines have come over the stream before the first answer. */
const beginning: readonly Action[] = [
  { do: 'open', late: false },
  { do: 'append', count: 40, kind: 0 },
  { do: 'deliver', count: 30, swap: 0, again: 0 },
];

const shapes = fc.constantFrom(
  { overHttp: bare, overStream: bare },
  { overHttp: bareText, overStream: bareText },
);

/** Lines of one millisecond. */
const times = fc.constantFrom(6, 100, Number.MAX_SAFE_INTEGER);

const runs = 20;

const sizes = { maxPage: 80, retention: Number.MAX_SAFE_INTEGER };

describe('merge of a log without ids that outruns a slow machine', () => {
  it('shows no line twice or out of order, and none missing without a gap', () => {
    fc.assert(
      fc.property(
        orders,
        shapes,
        fc.integer({ min: 0, max: 400 }),
        times,
        fc.array(slowly, { maxLength: 100, size: 'max' }),
        (order, shape, before, atOnce, actions) => {
          const simulation = new Simulation(
            worldOf({ before, atOnce, record: { ...order, ...sizes, ...shape } }),
          );
          for (const one of [...beginning, ...actions]) {
            simulation.run(one);
          }
          expectUnmixed(simulation);
          simulation.settle();
          expectUnmixed(simulation);
        },
      ),
      { numRuns: runs },
    );
  });

  it('does not take the order for another when it is doubted', () => {
    fc.assert(
      fc.property(
        orders,
        shapes,
        fc.integer({ min: 0, max: 400 }),
        times,
        fc.record({
          delivered: fc.integer({ min: 1, max: 12 }),
          lag: fc.integer({ min: 0, max: 9 }),
          failures: fc.integer({ min: 3, max: 6 }),
          growth: fc.integer({ min: 1, max: 90 }),
        }),
        (order, shape, before, atOnce, { delivered, lag, failures, growth }) => {
          const simulation = new Simulation(
            worldOf({ before, atOnce, record: { ...order, ...sizes, ...shape } }),
          );
          for (const one of beginning) simulation.run(one);
          simulation.catchUp(2);
          for (let cut = 0; cut < 3; cut += 1) {
            simulation.run({ do: 'cut' });
            simulation.run({ do: 'append', count: 100, kind: 0 });
            simulation.run({ do: 'open', late: false });
            simulation.run({ do: 'append', count: delivered + lag, kind: 0 });
            simulation.run({ do: 'deliver', count: delivered, swap: 0, again: 0 });
            for (let turn = 0; turn < failures; turn += 1) {
              simulation.run({ do: 'fail', why: 'passing' });
            }
            for (let turn = 0; turn < 12; turn += 1) {
              simulation.run({ do: 'append', count: growth, kind: 0 });
              simulation.process();
              simulation.run({ do: 'append', count: growth >> 1, kind: 0 });
              simulation.run({ do: 'deliver', count: growth, swap: 0, again: 0 });
              simulation.answer();
            }
            expectUnmixed(simulation);
          }
          simulation.settle();
          expectUnmixed(simulation);
        },
      ),
      { numRuns: runs },
    );
  });
});
