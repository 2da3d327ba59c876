import { expect, it } from 'vitest';
import { SimulatedRun } from './simulated-run.ts';
import { createRandom, type ServiceShape } from './simulated-service.ts';

const timeless: ServiceShape = {
  offsets: 'newest',
  rows: 'oldest',
  ids: 'none',
  countsAnew: false,
  services: 1,
  replay: 0,
  swaps: 0,
  doubles: 0,
  losses: 0,
  atOnce: 3,
  equal: 0,
  httpDigits: undefined,
  streamDigits: undefined,
  maxPage: 500,
  retention: Number.MAX_SAFE_INTEGER,
  lag: 0,
  history: 'good',
  isFiltered: false,
};

/** Returns the texts of the lines that are shown, and the reasons of the gaps. */
function shown({ sequence }: SimulatedRun): readonly string[] {
  return sequence
    .slice(0, sequence.length)
    .map((entry) =>
      entry.kind === 'line'
        ? entry.line.logLine
        : entry.state.kind === 'missing'
          ? entry.state.why
          : entry.state.kind,
    );
}

/** Answers all requests. */
function answer(run: SimulatedRun): void {
  while (run.merge.asking !== undefined) {
    run.process();
    run.answer();
  }
}

it('a page after the first live line of a log without ids or instants leaves a gap', () => {
  const run = new SimulatedRun(timeless, createRandom(1));
  run.service.write(3);
  run.open();
  run.process();
  run.service.write(2);
  run.deliver(2);
  answer(run);
  expect(shown(run)).toEqual(['unclear', 'line 3', 'line 4']);
});

it('a page before the first live line is shown above it, with a gap between', () => {
  const run = new SimulatedRun(timeless, createRandom(1));
  run.service.write(3);
  run.open();
  answer(run);
  run.service.write(2);
  run.deliver(2);
  expect(shown(run)).toEqual(['line 0', 'line 1', 'line 2', 'unclear', 'line 3', 'line 4']);
});
