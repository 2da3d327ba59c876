import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogId, LogLine } from '../../../source/contract/logs.ts';
import type { RecordOptions } from '../../servers/log-record.ts';
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
            expect(asFrames.merge.spans).toEqual(read.merge.spans);
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

/** The same by content alone: of equal lines, nobody can say which is which. */
function expectSameText(simulation: Simulation): void {
  const { sequence, record } = simulation;
  const texts = record.all.map((line) => line.logLine);
  const entries = sequence.slice(0, sequence.length);
  const shown = entries.map((entry) =>
    entry.kind === 'line'
      ? `${record.numberOf(entry.line)}:${entry.line.logLine}`
      : entry.state.kind === 'missing'
        ? `gap ${entry.state.why}`
        : 'filling',
  );
  const lines = entries.flatMap((entry) => (entry.kind === 'line' ? [entry.line.logLine] : []));
  const gaps = entries.filter((entry) => entry.kind === 'gap');
  expect(gaps.length, shown.join('\n')).toBe(0);
  expect(lines, shown.join('\n')).toEqual(texts.slice(texts.length - lines.length));
}

const shapes = fc.constantFrom<Pick<RecordOptions, 'overHttp' | 'overStream'>>(
  // Records without ids over HTTP.
  { overHttp: (line) => ({ ...line, id: undefined }), overStream: (line) => line },
  // Neither has ids.
  {
    overHttp: (line) => ({ ...line, id: undefined }),
    overStream: (line) => ({ ...line, id: undefined }),
  },
);

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

describe('merge of a log whose lines have no ids', () => {
  it('is the record of the service, genuine repeats included', () => {
    fc.assert(
      fc.property(
        orders,
        shapes,
        fc.record({
          before: fc.integer({ min: 0, max: 150 }),
          history: fc.integer({ min: 0, max: 60 }),
        }),
        fc.record({
          pageSize: fc.constantFrom(40, 100, 500),
          maxPage: fc.constantFrom(100, 1000),
          retention: fc.constant(Number.MAX_SAFE_INTEGER),
        }),
        fc.array(action, { maxLength: 60 }),
        (order, shape, lengths, sizes, actions) => {
          const simulation = new Simulation({
            ...lengths,
            ...sizes,
            record: { ...order, ...sizes, ...shape },
            stride: (number) => number,
            text: (number, kind) =>
              kind < 3 && number % 3 > 0 ? 'GET /health 200' : `line ${number}`,
            reorders: false,
          });
          simulation.settle();
          for (const one of actions) simulation.run(one);
          simulation.settle();
          expectSameText(simulation);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('merge of a log without ids that is asked for across a reconnect', () => {
  it('joins no page to other lines than those it was asked for', () => {
    const simulation = new Simulation({
      before: 38,
      history: 1,
      pageSize: 40,
      record: {
        offsets: 'oldest',
        rows: 'oldest',
        maxPage: 40,
        retention: Number.MAX_SAFE_INTEGER,
        overHttp: (line) => ({ ...line, id: undefined }),
        overStream: whole,
      },
      stride: (number) => number,
      text: (number) => (number % 3 > 0 ? 'GET /health 200' : `line ${number}`),
      reorders: false,
    });
    simulation.settle();
    simulation.cut();
    simulation.run({ do: 'open', late: false });
    simulation.process();
    simulation.run({ do: 'append', count: 4, kind: 0 });
    simulation.run({ do: 'deliver', count: 4, swap: 0, again: 0 });
    simulation.answer();
    simulation.settle();
    expectSameText(simulation);
  });
});

describe('merge of a log whose newest page begins in the instant of the live lines', () => {
  it('takes that instant for a larger one only when the page is full', () => {
    const simulation = new Simulation({
      before: 2,
      history: 0,
      pageSize: 100,
      record: {
        offsets: 'oldest',
        rows: 'oldest',
        maxPage: 100,
        retention: Number.MAX_SAFE_INTEGER,
        overHttp: (line) => ({ ...line, id: undefined }),
        overStream: whole,
      },
      stride: (number) => number,
      text: (number) => (number % 3 > 0 ? 'GET /health 200' : `line ${number}`),
      reorders: false,
    });
    simulation.settle();
    simulation.run({ do: 'append', count: 10, kind: 0 });
    simulation.run({ do: 'audit' });
    simulation.process();
    simulation.settle();
    expectSameText(simulation);
  });
});

describe('merge of a log that ended once where a page ends now', () => {
  it('does not take the page for the beginning of the log', () => {
    const simulation = new Simulation({
      before: 37,
      history: 0,
      pageSize: 40,
      record: {
        offsets: 'newest',
        rows: 'newest',
        maxPage: 100,
        retention: Number.MAX_SAFE_INTEGER,
        overHttp: (line) => ({ ...line, id: undefined }),
        overStream: (line) => ({ ...line, id: undefined }),
      },
      stride: (number) => number,
      text: (number) => (number % 3 > 0 ? 'GET /health 200' : `line ${number}`),
      reorders: false,
    });
    simulation.settle();
    simulation.run({ do: 'append', count: 34, kind: 0 });
    simulation.settle();
    expectSameText(simulation);
  });
});

describe('merge of a log that grows all the time', () => {
  it('catches up, and joins what it had to what it gets', () => {
    fc.assert(
      fc.property(
        orders,
        fc.oneof(shapes, fc.constant({ overHttp: whole, overStream: whole })),
        fc.record({
          before: fc.integer({ min: 0, max: 400 }),
          history: fc.integer({ min: 0, max: 200 }),
        }),
        fc.record({
          pageSize: fc.constantFrom(200, 500),
          maxPage: fc.constantFrom(150, 1000),
          retention: fc.constant(Number.MAX_SAFE_INTEGER),
        }),
        fc.integer({ min: 1, max: 20 }),
        (order, shape, lengths, sizes, growth) => {
          const simulation = new Simulation({
            ...lengths,
            ...sizes,
            record: { ...order, ...sizes, ...shape },
            stride: (number) => number * 2,
            text: (number, kind) =>
              kind < 3 && number % 3 > 0 ? 'GET /health 200' : `line ${number}`,
            reorders: false,
          });
          for (let connection = 0; connection < 3; connection += 1) {
            simulation.cut();
            simulation.run({ do: 'append', count: 30, kind: 1 });
            simulation.run({ do: 'open', late: false });
            simulation.catchUp(growth);
          }
          simulation.settle();
          expectSameText(simulation);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('does not take a log for oldest-first that has just grown to one full page', () => {
    const pageSize = 200;
    const simulation = new Simulation({
      before: 7,
      history: 1,
      pageSize,
      record: {
        offsets: 'newest',
        rows: 'oldest',
        maxPage: 1000,
        retention: Number.MAX_SAFE_INTEGER,
        overHttp: (line) => ({ ...line, id: undefined }),
        overStream: whole,
      },
      stride: (number) => number,
      text: (number, kind) => (kind < 3 && number % 3 > 0 ? 'GET /health 200' : `line ${number}`),
      reorders: false,
    });
    for (let connection = 0; connection < 3; connection += 1) {
      simulation.cut();
      simulation.run({ do: 'append', count: 30, kind: 1 });
      simulation.run({ do: 'open', late: false });
      expect(simulation.catchUp(7)).toBeLessThan(pageSize);
    }
    simulation.settle();
    expectSameText(simulation);
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
    expect(simulation.merge.spans).toHaveLength(1);
  });
});

function whole(line: LogLine): LogLine {
  return line;
}
