import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogId, LogLine } from '../../../source/contract/logs.ts';
import { action, Simulation } from '../simulation.ts';

/** Fails unless the sequence is the service's record, but for gaps where lines are really gone. */
function expectTruth(simulation: Simulation): void {
  const { sequence, record } = simulation;
  const entries = sequence.slice(0, sequence.length);
  const numbers = entries.map((entry) =>
    entry.kind === 'line' ? record.numberOf(entry.line) : 'gap',
  );
  const seqs = entries.map((entry) => entry.seq);
  expect(seqs, 'seq rises').toEqual([...new Set(seqs)].sort((left, right) => left - right));
  let before: number | undefined;
  let gap = false;
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === 'gap') {
      expect(entry.state.kind, `settled: ${numbers.join(' ')}`).toBe('missing');
      const after = numbers[index - 1];
      expect(typeof after, 'a gap has a line before it').toBe('number');
      expect(
        Number(after),
        `the last seen line is really gone: ${numbers.join(' ')} oldest ${record.oldest}`,
      ).toBeLessThan(record.oldest);
      gap = true;
      continue;
    }
    const number = record.numberOf(entry.line);
    if (before !== undefined) {
      const where = numbers.join(' ');
      if (gap) expect(number, where).toBeGreaterThan(before);
      else expect(number, where).toBe(before + 1);
    }
    gap = false;
    before = number;
  }
  expect(before, 'the newest line is there').toBe(record.all.length - 1);
}

/** Fails where lines are missing without a mark. */
function expectHonesty({ sequence, record }: Simulation): void {
  let before: number | 'gap' | undefined;
  for (const entry of sequence.slice(0, sequence.length)) {
    const number = entry.kind === 'line' ? record.numberOf(entry.line) : 'gap';
    if (typeof before === 'number' && number !== 'gap') expect(number).toBe(before + 1);
    before = number;
  }
  expect(before).toBe(record.all.length - 1);
}

const orders = fc.constantFrom(
  { offsets: 'newest', rows: 'newest' } as const,
  { offsets: 'newest', rows: 'oldest' } as const,
  { offsets: 'oldest', rows: 'oldest' } as const,
);

const strides = fc.constantFrom<(number: number) => LogId>(
  (number) => number + 1,
  (number) => number * 3 + (number % 2),
  (number) => BigInt(2) ** BigInt(60) + BigInt(number * 5),
  (number) => {
    const id = BigInt(Number.MAX_SAFE_INTEGER) - 40n + BigInt(number);
    const small = Number(id);
    return Number.isSafeInteger(small) ? small : id;
  },
);

/** Small pages of a log that keeps everything, or large ones of a log that drops old lines. */
const sizes = fc.oneof(
  fc.record({
    pageSize: fc.constantFrom(2, 5, 16, 100, 500),
    maxPage: fc.constantFrom(2, 7, 50, 1000),
    retention: fc.constant(Number.MAX_SAFE_INTEGER),
  }),
  fc.record({
    pageSize: fc.constantFrom(60, 500),
    maxPage: fc.constantFrom(60, 1000),
    retention: fc.constantFrom(10, 40, 150),
  }),
);

describe('merge of a log whose lines have ids', () => {
  it('is the record of the service, whatever the network does', () => {
    fc.assert(
      fc.property(
        orders,
        strides,
        fc.record({
          before: fc.integer({ min: 0, max: 150 }),
          history: fc.integer({ min: 0, max: 60 }),
        }),
        sizes,
        fc.record({ maxLines: fc.constantFrom(100_000, 100), asFrames: fc.boolean() }),
        fc.array(action, { maxLength: 60 }),
        (order, stride, lengths, sizes, memory, actions) => {
          const simulation = new Simulation({
            ...memory,
            ...lengths,
            ...sizes,
            record: { ...order, ...sizes, overHttp: whole, overStream: whole },
            stride,
            text: (number, kind) => (kind < 3 ? 'GET /health 200' : `line ${number}`),
            reorders: true,
          });
          for (const one of actions) simulation.run(one);
          simulation.settle();
          expectTruth(simulation);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('lines taken in as they came', () => {
  it('leave the same log and the same state as lines that are read', () => {
    let runs = 0;
    fc.assert(
      fc.property(
        orders,
        strides,
        fc.record({
          before: fc.integer({ min: 0, max: 60 }),
          history: fc.integer({ min: 0, max: 60 }),
        }),
        sizes,
        fc.record({ maxLines: fc.constantFrom(100_000, 100), reorders: fc.boolean() }),
        fc.array(action, { maxLength: 60, size: 'max' }),
        (order, stride, lengths, sizes, memory, actions) => {
          const [asFrames, read] = [true, false].map(
            (asFrames) =>
              new Simulation({
                asFrames,
                ...memory,
                ...lengths,
                ...sizes,
                record: { ...order, ...sizes, overHttp: whole, overStream: whole },
                stride,
                text: (number, kind) => (kind < 3 ? 'GET /health 200' : `line ${number}`),
              }),
          ) as [Simulation, Simulation];
          for (const one of actions) {
            asFrames.run(one);
            read.run(one);
            expect(asFrames.merge.held.spans).toEqual(read.merge.held.spans);
            expect(asFrames.merge.asking).toEqual(read.merge.asking);
            const { length } = read.sequence;
            expect(asFrames.sequence.slice(0, length + 1)).toEqual(read.sequence.slice(0, length));
          }
          runs += asFrames.runs;
        },
      ),
      { numRuns: 150 },
    );
    expect(runs).toBeGreaterThan(0);
  });
});

const failing = fc.oneof(
  { weight: 4, arbitrary: action },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('fail' as const),
      why: fc.constantFrom('passing' as const, 'final' as const, 'size' as const),
    }),
  },
);

describe('merge of a log that cannot always be fetched', () => {
  it('marks what is missing, and fills it in when it is tried again', () => {
    fc.assert(
      fc.property(
        orders,
        strides,
        sizes,
        fc.array(failing, { maxLength: 80 }),
        (order, stride, size, actions) => {
          const simulation = new Simulation({
            ...size,
            before: 120,
            history: 30,
            record: { ...order, ...size, overHttp: whole, overStream: whole },
            stride,
            text: (number) => `line ${number}`,
            reorders: false,
            patience: 1,
          });
          for (const one of actions) simulation.run(one);
          simulation.settle();
          expectHonesty(simulation);
          simulation.retry();
          expectTruth(simulation);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('merge of a log whose stream is far behind', () => {
  it.each([
    ['without holes', (number: number) => number + 1],
    ['with holes', (number: number) => BigInt(2) ** BigInt(60) + BigInt(number * 5 + (number % 3))],
  ])('finds the edge of a gap by its id: ids %s', (_, stride) => {
    const simulation = new Simulation({
      before: 100,
      history: 10,
      pageSize: 20,
      record: {
        offsets: 'newest',
        rows: 'newest',
        maxPage: 20,
        retention: Number.MAX_SAFE_INTEGER,
        overHttp: whole,
        overStream: whole,
      },
      stride,
      text: (number) => `line ${number}`,
      reorders: false,
      patience: 1,
    });
    simulation.settle();
    simulation.cut();
    simulation.run({ do: 'append', count: 30, kind: 0 });
    simulation.run({ do: 'open', late: false });
    simulation.run({ do: 'append', count: 20 * 40, kind: 0 });
    simulation.run({ do: 'deliver', count: 5, swap: 0, again: 0 });
    let answers = 0;
    for (; simulation.merge.asking !== undefined && answers < 50; answers += 1) {
      simulation.process();
      simulation.answer();
    }
    expect(answers).toBeLessThan(16);
    expect(simulation.merge.held.spans).toHaveLength(1);
  });
});

function whole(line: LogLine): LogLine {
  return line;
}
