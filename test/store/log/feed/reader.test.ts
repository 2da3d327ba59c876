import { expect, it } from 'vitest';
import type { LogLine } from '../../../../source/contract/logs.ts';
import { FollowedLog } from '../../../../source/store/log/feed/followed-log.ts';
import { LogReader } from '../../../../source/store/log/feed/reader.ts';
import type { InsertedRun } from '../../../../source/tail/arena/entries.ts';
import { createTestClock } from '../../../support/clock.ts';
import { LogModel } from '../../../servers/log-model.ts';
import { FakeLog } from '../../../tail/fake-log.ts';

/** A complete log and a function that inserts lines. */
function readable() {
  const entries = new FakeLog<LogLine>(({ logLine }) => logLine);
  const listeners = new Set<(runs: readonly InsertedRun[]) => void>();
  const logs: Pick<
    FollowedLog,
    'entries' | 'onInserted' | 'ready' | 'firstLive' | 'settled' | 'messageAt' | 'isById'
  > = {
    entries,
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    ready: () => true,
    firstLive: () => entries.length,
    settled: () => entries.length,
    isById: () => true,
    messageAt(index) {
      const entry = entries.at(index);
      if (entry?.kind !== 'line') return entry;
      const bytes = Buffer.from(entry.line.logLine);
      const { seq, place } = entry;
      return { kind: 'message', seq, place, bytes, start: 0, end: bytes.length };
    },
  };
  return {
    entries,
    logs: logs as FollowedLog,
    put: (texts: readonly string[], index = entries.length): void => {
      const runs = entries.insert(
        texts.map((logLine) => ({ logLine })),
        index,
      );
      for (const listener of listeners) listener(runs);
    },
  };
}

it('returns each line once when lines are inserted on both sides of a gap that was read', () => {
  const { entries, logs, put } = readable();
  put(['a', 'b']);
  entries.openGap(1);
  const reader = new LogReader(logs, createTestClock(), { before: () => 10 });
  const printed: string[] = [];
  const read = (most: number): void => {
    const { entries: found, lateLines } = reader.read(most, 1000);
    printed.push(...lateLines.map(({ logLine }) => `late ${logLine}`));
    for (const entry of found) {
      printed.push(entry.kind === 'gap' ? 'gap' : Buffer.from(entry.bytes).toString());
    }
  };
  read(2);
  entries.closeGap(0);
  put(['x 1', 'x 2', 'x 3', 'x 4'], 1);
  read(10);
  expect(printed).toEqual(['a', 'gap', 'late x 1', 'late x 2', 'x 3', 'x 4', 'b']);
  reader.stop();
});

it('returns no line twice when the entries are renumbered', async () => {
  const model = new LogModel();
  const clock = createTestClock();
  const logs = new FollowedLog({
    client: model,
    deploymentId: 'd',
    clock,
    random: () => 0,
    publishInterval: 0,
  });
  const reader = new LogReader(logs, clock, { before: () => 10 });
  const printed: string[] = [];
  const read = (): void => {
    const { entries, lateLines, hasLostLines } = reader.read(1000, 100_000);
    if (hasLostLines) printed.push('lost');
    for (const { logLine } of lateLines) printed.push(logLine);
    for (const entry of entries) {
      printed.push(entry.kind === 'gap' ? 'gap' : logs.decode(entry).logLine);
    }
  };
  await clock.advance(1000);
  // Each comes before the late one before it, and then a newer one: ids that mostly fall tell no order.
  const falling = Array.from({ length: 99 }, (_, index) => [999 - index, 1001 + index]);
  const ids = [1, 2, 1000, ...falling.flat()];
  for (const id of ids) {
    model.write({ id, logLine: `line ${id}`, timestamp: '2026-11-20T12:00:00Z' });
    // The line that overtakes the others is held back at first.
    await clock.advance(id === 1000 ? 300 : 100);
    read();
  }
  expect(logs.entries.epoch).toBeGreaterThan(0);
  expect(logs.state.getState().labels).not.toContain('unnumbered');
  expect(printed).toEqual(ids.map((id) => `line ${id}`));
  reader.stop();
  logs.stop();
});
