import { expect, test } from 'vitest';
import { fetchOlderLines } from '../../../../source/store/log/reader/seek.ts';
import { FollowedLog } from '../../../../source/store/log/feed/followed-log.ts';
import { createTestClock } from '../../../support/clock.ts';
import { failure, LogModel } from '../../../servers/log-model.ts';

/** A service that answers only when the test releases it. */
class SlowModel extends LogModel {
  pause = (): Promise<void> => Promise.resolve();

  override async fetch(...what: Parameters<LogModel['fetch']>) {
    await this.pause();
    return super.fetch(...what);
  }
}

/** Follows a log of 3000 lines with the last 1000 loaded. */
async function openLog(maxLines?: number) {
  const model = new SlowModel();
  model.append(...Array.from({ length: 3000 }, (_, index) => `line ${index}`));
  const clock = createTestClock();
  const log = new FollowedLog({
    client: model,
    deploymentId: 'd',
    clock,
    random: () => 0,
    maxLines,
  });
  await clock.advance(1000);
  const ending = new AbortController();
  return { model, clock, log, ending, fetch: () => fetchOlderLines(log, clock, ending.signal) };
}

test('fetches older lines until there are none', async () => {
  const { log, clock, fetch } = await openLog();
  const { length } = log.entries;
  const came = fetch();
  await clock.advance(1000);
  expect(await came).toBe('grown');
  expect(log.entries.length).toBeGreaterThan(length);
  const again = log.state.getState().older === 'none' ? 'none' : undefined;
  const last = fetch();
  await clock.advance(5000);
  expect(await last).toBe(again ?? 'grown');
  log.stop();
});

test('gives up older lines that time out, and stops waiting when the log is closed', async () => {
  const { model, log, clock, fetch, ending } = await openLog();
  model.httpFails = failure('service-error', 500);
  const came = fetch();
  await clock.advance(60_000);
  expect(await came).toBe('failed');
  const closed = fetch();
  log.stop();
  await clock.advance(1000);
  expect(await closed).toBe('left');
  ending.abort();
  expect(await fetch()).toBe('left');
});

test('does not mistake dropped lines for older ones', async () => {
  const { model, log, clock, fetch } = await openLog(2000);
  model.httpFails = failure('service-error', 500);
  const came = fetch();
  model.append(...Array.from({ length: 1500 }, (_, index) => `new ${index}`));
  await clock.advance(1000);
  expect(await came).toBe('full');
  expect(await fetch()).toBe('full');
  log.stop();
});

test('waits for a slow service while its request is pending', async () => {
  const { model, log, clock, fetch } = await openLog();
  model.pause = () =>
    new Promise((resolve) => {
      clock.after(25_000, resolve);
    });
  const came = fetch();
  for (let second = 0; second < 120; second += 1) await clock.advance(1000);
  expect(await came).toBe('grown');
  log.stop();
});
