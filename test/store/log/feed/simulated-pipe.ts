import type { Logs } from '../../../../source/store/log/feed/log-source.ts';
import { createLogReader } from '../../../../source/store/log/feed/reader.ts';
import type { GapReason } from '../../../../source/tail/arena/gap.ts';
import type { InsertedRun } from '../../../../source/tail/arena/entries.ts';
import { createTestClock } from '../../../support/clock.ts';
import { shapeOf, SimulatedRun } from '../../../tail/merge/simulated-run.ts';
import { createRandom, type ServiceShape } from '../../../tail/merge/simulated-service.ts';

/** Output of a pipe: the numbers of the written lines, and the reasons of gaps. */
export interface PipeOutput {
  readonly written: readonly (number | GapReason)[];
  /** Lines that came after later ones had been written. */
  readonly late: number;
  /** Lines that wait for others although nothing is asked for. */
  readonly held: number;
  readonly requests: number;
  readonly run: SimulatedRun;
}

/** Reads the log of a service of a seed's shape as a pipe without a timeout does. */
export function simulatePipe(seed: number, change: Partial<ServiceShape> = {}): PipeOutput {
  const random = createRandom(seed);
  const shape = { ...shapeOf(random), ...change, isAppendOnly: true };
  const run = new SimulatedRun(shape, random);
  const { merge, sequence } = run;
  const listeners = new Set<(runs: readonly InsertedRun[]) => void>();
  const clock = createTestClock();
  const logs = {
    entries: sequence,
    ready: () => merge.isReady,
    settled: () => sequence.settled,
    firstLive: () =>
      merge.start === undefined ? sequence.length : sequence.indexOfLine(merge.start),
    messageAt: (index: number) => sequence.messageAt(index),
    placing: {
      isById: () => merge.isById,
      instantStart: (place) => merge.startOf(place),
      replacements: () => sequence.replacements,
    },
    onInserted(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  } satisfies Partial<Logs>;
  const reader = createLogReader(logs as unknown as Logs, clock, { before: () => 120 });
  const written: (number | GapReason)[] = [];
  let late = 0;
  const read = (): void => {
    for (;;) {
      // Long enough for lines that may have overtaken others.
      clock.set(clock.now() + 1000);
      const { entries, lateLines, backfill } = reader.read(1000, Number.POSITIVE_INFINITY);
      late += lateLines.length + backfill.length;
      for (const entry of entries) {
        if (entry.kind === 'message') written.push(Number(sequence.read(entry).stream));
        else if (entry.state.kind === 'missing') written.push(entry.state.why);
      }
      if (entries.length === 0) return;
    }
  };
  run.onStep = (inserted) => {
    for (const listener of listeners) listener(inserted);
    read();
  };
  run.service.write(Math.floor(random() * 400));
  run.service.index();
  const actions = 20 + Math.floor(random() * 80);
  for (let action = 0; action < actions; action += 1) run.act();
  run.settle();
  const held = merge.asking === undefined ? reader.unreadCount() : 0;
  return { written, late, held, requests: run.requests, run };
}
