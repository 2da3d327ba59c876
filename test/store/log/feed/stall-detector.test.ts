import { expect, test } from 'vitest';
import { StallDetector } from '../../../../source/store/log/feed/connection.ts';
import { createTestClock } from '../../../support/clock.ts';

function open() {
  const clock = createTestClock();
  const started = clock.now();
  let received = 0;
  const quiet: number[] = [];
  const stalled: number[] = [];
  const detector = new StallDetector({
    clock,
    receivedLines: () => received,
    onQuiet: () => void quiet.push((clock.now() - started) / 1000),
    onStalled: () => void stalled.push((clock.now() - started) / 1000),
  });
  detector.start();
  return { clock, detector, quiet, stalled, receive: () => (received += 1) };
}

test('a silent stream is compared with the service after 5, 10 and 20 seconds, then every 30', async () => {
  const { clock, quiet } = open();
  await clock.advance(85_000);
  expect(quiet).toEqual([5, 10, 20, 50, 80]);
});

test('a line begins the silence anew, however long the last one was', async () => {
  const { clock, quiet, receive } = open();
  await clock.advance(22_500);
  receive();
  await clock.advance(10_500);
  expect(quiet).toEqual([5, 10, 20, 28, 33]);
});

test('a stream that delivers each second is never compared', async () => {
  const { clock, quiet, receive } = open();
  for (let second = 0; second < 60; second += 1) {
    receive();
    await clock.advance(1000);
  }
  expect(quiet).toEqual([]);
});

test('a stream that lags is stalled unless a line comes within a second', async () => {
  const { clock, detector, stalled, receive } = open();
  detector.reportBehind();
  await clock.advance(900);
  receive();
  await clock.advance(1000);
  expect(stalled).toEqual([]);
  detector.reportBehind();
  await clock.advance(1000);
  expect(stalled).toEqual([2.9]);
});

test('a stopped detector calls nothing, and a started one counts from its start', async () => {
  const { clock, detector, quiet } = open();
  await clock.advance(4500);
  detector.stop();
  await clock.advance(60_000);
  expect(quiet).toEqual([]);
  detector.start();
  await clock.advance(5000);
  expect(quiet).toEqual([69.5]);
});
