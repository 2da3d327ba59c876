import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { StorageMeter } from '../../../source/host/local/storage-meter.ts';
import { ManualClock } from '../support/manual-clock.ts';

it('measures again after a pause that grows with the duration of a measurement', async () => {
  const clock = new ManualClock();
  const times = [clock.monotonic()];
  const durations = [0, 500, 10_000, 0];
  const stop = new StorageMeter(clock).watch({
    async findExcess() {
      times.push(clock.monotonic());
      clock.advance(durations.shift() ?? 0);
      return undefined;
    },
    onExcess: () => undefined,
  });
  for (let second = 0; second < 300; second += 1) {
    clock.advance(1000);
    await setImmediate();
  }
  stop();
  const pauses = times.slice(1, 5).map((time, at) => time - (times[at] ?? 0));
  expect(pauses).toEqual([1000, 1000, 500 + 20 * 500, 10_000 + 20 * 10_000]);
});

it('does not pause longer for the measurement of another service', async () => {
  const clock = new ManualClock();
  const meter = new StorageMeter(clock);
  const times: number[] = [];
  const watch = (findExcess: () => void) =>
    meter.watch({
      async findExcess() {
        findExcess();
        return undefined;
      },
      onExcess: () => undefined,
    });
  const stops = [watch(() => clock.advance(10_000)), watch(() => times.push(clock.monotonic()))];
  for (let second = 0; second < 15; second += 1) {
    clock.advance(1000);
    await setImmediate();
  }
  for (const stop of stops) stop();
  expect(times.length).toBeGreaterThan(1);
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(1000);
});

it('measures one service at a time, and none after its excess or its end', async () => {
  const clock = new ManualClock();
  const meter = new StorageMeter(clock);
  const found: string[] = [];
  const counts = new Map<string, number>();
  let running = 0;
  const watch = (name: string, excess: string | undefined) =>
    meter.watch({
      async findExcess() {
        counts.set(name, (counts.get(name) ?? 0) + 1);
        running += 1;
        expect(running).toBe(1);
        await setImmediate();
        running -= 1;
        if (name === 'unreadable') throw new Error('EIO');
        return excess;
      },
      onExcess: (sentence) => found.push(sentence),
    });
  watch('small', undefined);
  watch('large', 'too large');
  watch('unreadable', undefined);
  const end = watch('ended', undefined);
  for (let second = 0; second < 10; second += 1) {
    clock.advance(1000);
    for (let turn = 0; turn < 20; turn += 1) await setImmediate();
    if (second === 2) end();
  }
  expect(found).toEqual(['too large']);
  expect(counts.get('large')).toBe(1);
  expect(counts.get('small')).toBeGreaterThan(5);
  expect(counts.get('unreadable')).toBeGreaterThan(5);
  expect(counts.get('ended')).toBe(3);
});
