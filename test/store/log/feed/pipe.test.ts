/** Output that can't be revised: rule 8 of `source/tail/log/README.md`. */
import { expect, it, onTestFinished } from 'vitest';
import { FollowedLog } from '../../../../source/store/log/feed/followed-log.ts';
import { LogReader } from '../../../../source/store/log/feed/reader.ts';
import { failure, LogModel } from '../../../servers/log-model.ts';
import { createTestClock } from '../../../support/clock.ts';

/** A log that is followed on a clock of its own, and what is printed of it. */
function startPipe(historyTimeout?: number) {
  const model = new LogModel();
  const clock = createTestClock();
  const logs = new FollowedLog({
    client: model,
    deploymentId: 'd',
    clock,
    random: () => 0,
    publishInterval: 0,
    maxAttempts: 12,
    isAppendOnly: true,
  });
  const reader = new LogReader(logs, clock, { before: () => 10, historyTimeout });
  onTestFinished(() => {
    reader.stop();
    logs.stop();
  });
  const write = (...ids: readonly number[]): void => {
    for (const id of ids) model.write({ id, logLine: `${id}` });
  };
  const read = (): string => {
    const { entries, lateLines, backfill, passed } = reader.read(1000, 100_000);
    return [
      ...backfill.map(({ logLine }) => `backfill ${logLine}`),
      ...lateLines.map(({ logLine }) => `late ${logLine}`),
      ...passed.map(() => 'passed'),
      ...entries.map((entry) => (entry.kind === 'gap' ? 'gap' : logs.decode(entry).logLine)),
    ].join(' ');
  };
  return { model, clock, write, read };
}

it('waits 200 ms behind a hole for the line that another has overtaken', async () => {
  const { clock, write, read } = startPipe();
  await clock.advance(1000);
  write(1, 3);
  expect(read()).toBe('1');
  await clock.advance(150);
  write(2);
  expect(read()).toBe('2 3');
  write(6);
  await clock.advance(190);
  expect(read()).toBe('');
  await clock.advance(20);
  expect(read()).toBe('6');
  write(5);
  expect(read()).toBe('late 5');
});

it('waits behind a gap for the history timeout, and prints what comes later as such', async () => {
  const { model, clock, write, read } = startPipe(5000);
  await clock.advance(1000);
  write(1, 2);
  expect(read()).toBe('1 2');
  model.cut();
  write(3, 4);
  model.httpFails = failure('service-error', 500);
  await clock.advance(3000);
  expect(model.streams).toBe(1);
  write(5);
  expect(read()).toBe('');
  await clock.advance(4900);
  expect(read()).toBe('');
  await clock.advance(200);
  expect(read()).toBe('passed 5');
  model.httpFails = undefined;
  await clock.advance(60_000);
  expect(read()).toBe('backfill 3 backfill 4');
  write(6);
  expect(read()).toBe('6');
});

it('waits behind a gap without an end where no timeout is set', async () => {
  const { model, clock, write, read } = startPipe();
  await clock.advance(1000);
  write(1);
  expect(read()).toBe('1');
  model.cut();
  write(2);
  model.httpFails = failure('timeout');
  await clock.advance(3000);
  write(3);
  await clock.advance(20_000);
  expect(read()).toBe('');
  model.httpFails = undefined;
  await clock.advance(60_000);
  expect(read()).toBe('2 3');
});
