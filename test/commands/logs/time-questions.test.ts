import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../../source/commands/exit-codes.ts';
import { noCriteria } from '../../../source/commands/logs/line-selector.ts';
import { nanoseconds } from '../../../source/contract/instant.ts';
import { ComputedLog, type ComputedLogOptions } from '../../servers/computed-log.ts';
import { createTestClock } from '../../support/clock.ts';
import { startLogs } from './run-logs.ts';

const began = Date.UTC(2026, 0, 1);

type Shape = Pick<ComputedLogOptions, 'lines' | 'timeOf' | 'offsets'> & Partial<ComputedLogOptions>;

/** Runs `logs --since --until` to its end. */
async function run(shape: Shape, since: number, until?: number) {
  const clock = createTestClock(shape.timeOf(shape.lines - 1) + 1000);
  const model = new ComputedLog({ ...shape, clock });
  const logs = startLogs({
    client: { logs: model },
    clock,
    random: () => 0,
    id: 'd',
    json: true,
    follow: false,
    limit: Number.POSITIVE_INFINITY,
    criteria: {
      ...noCriteria,
      since: nanoseconds(since),
      until: until === undefined ? undefined : nanoseconds(until),
    },
  });
  const exit = { code: undefined as number | undefined };
  void logs.exit.then((code) => (exit.code = code));
  for (let waits = 0; exit.code === undefined && waits < 1000; waits += 1)
    await clock.advance(60_000);
  const numbers = logs.lines().map((line) => Number(/"id":(\d+)/.exec(line)?.[1]) - 1);
  return { numbers, exit: exit.code, notes: logs.notes(), requests: model.queries.length };
}

describe('a walk back that has to stop early', () => {
  it('says up to which time and offset the service gave lines, and exits with 8', async () => {
    const timeOf = (number: number) => began + number * 1000;
    const shape = { lines: 50_000, offsets: 'newest', refusedFrom: 10_000, timeOf } as const;
    const { notes, exit } = await run(shape, began);
    expect(exit).toBe(exitCodes.unreachable);
    expect(notes).toContainEqual(
      expect.stringMatching(
        /^Read back to 2026-01-01T[\d:.+]+, 10,\d\d\d lines; the service gave no more \(HTTP 400 at offset 10,\d\d\d\)\. Lines since 2026-01-01T00:00:00\.000\+00:00 may be missing\.$/,
      ),
    );
  });
});
