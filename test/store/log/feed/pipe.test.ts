import { describe, expect, it } from 'vitest';
import type { ServiceShape } from '../../../tail/merge/simulated-service.ts';
import { type PipeOutput, simulatePipe } from './simulated-pipe.ts';

/** A service without ids or faults whose pages hold 60 lines. */
const plain = {
  ids: 'none',
  countsAnew: false,
  replay: 0,
  swaps: 0,
  doubles: 0,
  losses: 0,
  equal: 0.3,
  httpDigits: 3,
  streamDigits: 3,
  maxPage: 60,
  retention: Number.MAX_SAFE_INTEGER,
  lag: 0,
  history: 'good',
  isFiltered: false,
} satisfies Partial<ServiceShape>;

const orders = [
  { offsets: 'oldest', rows: 'oldest' },
  { offsets: 'newest', rows: 'newest' },
  { offsets: 'newest', rows: 'oldest' },
] as const;

/** Returns the lines written by what a reader sees of them, beginning with their instants. */
function keysOf({ written, run }: PipeOutput): readonly string[] {
  const { all } = run.service;
  return written.flatMap((entry) => {
    const line = typeof entry === 'number' ? all[entry] : undefined;
    return line === undefined ? [] : `${line.time} ${line.service} ${line.text}`;
  });
}

function recordOf({ run }: PipeOutput): readonly string[] {
  return run.service.all.map(({ time, service, text }) => `${time} ${service} ${text}`);
}

describe('a pipe that waits for history without an end', () => {
  it.each([20, 40, 58])('writes each of %d lines in an instant once, without a gap', (atOnce) => {
    for (const order of orders) {
      for (let seed = 0; seed < 8; seed += 1) {
        const output = simulatePipe(seed, { ...plain, ...order, atOnce });
        expectRecord(output);
        expect(output).toMatchObject({ late: 0, held: 0 });
      }
    }
  });

  it('says where an instant has more lines than a page, and goes on', () => {
    let gaps = 0;
    for (const order of orders) {
      for (let seed = 0; seed < 4; seed += 1) {
        const output = simulatePipe(seed, { ...plain, ...order, atOnce: 150 });
        expect(output).toMatchObject({ late: 0, held: 0 });
        const reasons = output.written.filter((entry) => typeof entry === 'string');
        expect(new Set(reasons)).toEqual(new Set(['equal']));
        gaps += reasons.length;
        const record = recordOf(output);
        const keys = keysOf(output);
        expect(keys.at(-1)).toBe(record.at(-1));
        expect(new Set(record.slice(record.indexOf(keys[0] ?? ''))).isSubsetOf(new Set(keys)));
        // No line is written more often than the service has it.
        expect(countsBeyond(keys, record)).toEqual([]);
      }
    }
    expect(gaps).toBeGreaterThan(0);
  });

  it('never holds a line back for ever, whatever the service does', () => {
    for (let seed = 0; seed < 150; seed += 1) {
      expect({ seed, held: simulatePipe(seed).held }).toEqual({ seed, held: 0 });
    }
  });
});

/**
 * Fails unless all lines from the first instant on are written, in the order of their instants. Lines
 * of one instant that a page brings before the stream does stay where they are.
 */
function expectRecord(output: PipeOutput): void {
  const keys = keysOf(output);
  const instants = keys.map((key) => Number(key.split(' ')[0]));
  expect(instants.every((instant, at) => at === 0 || instant >= (instants[at - 1] ?? 0))).toBe(
    true,
  );
  const behind = `${instants[0]}!`;
  const expected = recordOf(output).filter((key) => key > behind);
  expect(keys.filter((key) => key > behind).toSorted()).toEqual(expected.toSorted());
  expect(output.written.filter((entry) => typeof entry === 'string')).toEqual([]);
}

/** Returns the keys that occur more often than in the record. */
function countsBeyond(keys: readonly string[], record: readonly string[]): readonly string[] {
  const left = Map.groupBy(record, (key) => key);
  return keys.filter((key) => left.get(key)?.pop() === undefined);
}
