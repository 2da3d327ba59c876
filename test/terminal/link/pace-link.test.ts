import { describe, expect, test } from 'vitest';
import { Pace } from '../../../source/terminal/link/pace.ts';
import type { LinkSettings, SimulatedLink } from './simulated-link.ts';
import { latency, runScreen, seeded, throughput } from '../screen/simulated-screen.ts';

function link(rate: number, roundTrip: number, jitter = 0, buffer = 65_536): LinkSettings {
  const random = seeded(rate + roundTrip + jitter);
  // The terminal is sometimes busy.
  const emulator = () => (random() < 0.1 ? random() * 5 : 0.2);
  return { rate, roundTrip, jitter, buffer, random, emulator };
}

describe('pace, in the loop of the screen over a simulated link', () => {
  test.each([65_536, 1_048_576])(
    'answers keys in little more than the round trip at 20 KB/s and 150 ms, buffer of %i',
    (buffer) => {
      for (const jitter of [0, 10, 20]) {
        const run = runScreen(link(20, 150, jitter, buffer), 60_000);
        // The first frame occupies the link for a second, and delays the keys behind it.
        expect(latency(run, 0.95, 0, 60_000)).toBeLessThanOrEqual(1.35 * 150);
        expect(latency(run, 0.5, 2000, 60_000)).toBeLessThanOrEqual(1.2 * 150 + jitter / 2);
        expect(throughput(run, 2000, 60_000)).toBeGreaterThanOrEqual(0.5 * 20);
        expect(run.slow.map((change) => change.slow)).toEqual([true]);
      }
    },
  );

  // Limits beyond the round trip: 300 bytes of the key, a slice before it, jitter, a busy terminal.
  test.each([
    { rate: 5, roundTrip: 300, after: 8000, most: 300 + 60 + 100 },
    { rate: 100, roundTrip: 50, after: 2000, most: 50 + 3 + 30 },
    { rate: 1000, roundTrip: 20, after: 2000, most: 20 + 20 },
    { rate: 11, roundTrip: 2, after: 4000, most: 2 + 27 + 50 },
  ])('keeps the queue short at $rate KB/s and $roundTrip ms', (settings) => {
    const { rate, roundTrip, after, most } = settings;
    for (const jitter of [0, 10, 20]) {
      for (const buffer of [65_536, 1_048_576]) {
        const run = runScreen(link(rate, roundTrip, jitter, buffer), 40_000);
        expect(latency(run, 0.95, after, 40_000)).toBeLessThanOrEqual(most + jitter);
        const offered = Math.min(rate, 265);
        expect(throughput(run, after, 40_000)).toBeGreaterThanOrEqual(0.5 * offered);
      }
    }
  });

  test('keeps the queue short where pauses between snapshots leave the link idle', () => {
    for (const every of [150, 250, 400]) {
      for (const jitter of [0, 10]) {
        // Some 70 % of the link.
        const snapshots = { every, least: every * 12, most: every * 16 };
        const run = runScreen(link(20, 150, jitter), 60_000, [], () => false, snapshots);
        expect(latency(run, 0.95, 4000, 60_000)).toBeLessThanOrEqual(1.5 * 150);
        expect(throughput(run, 4000, 60_000)).toBeGreaterThanOrEqual(0.5 * 14);
      }
    }
  });

  test('defers nothing on a local terminal, busy or not', () => {
    for (const busy of [0.2, 3, 30]) {
      const random = seeded(busy);
      const emulator = () => 0.2 + (random() < 0.1 ? random() * busy : 0);
      const settings = { ...link(50_000, 0.3), random, emulator };
      const run = runScreen(settings, 30_000);
      expect(run.skipped).toEqual([]);
      expect(run.slow).toEqual([]);
    }
  });

  test('adapts to a link that becomes faster or slower', () => {
    const run = runScreen(link(20, 150), 60_000, [
      { time: 20_000, event: (link) => void (link.rate = 200) },
      { time: 40_000, event: (link) => void (link.rate = 20) },
    ]);
    expect(throughput(run, 30_000, 40_000)).toBeGreaterThanOrEqual(0.5 * 200);
    expect(throughput(run, 45_000, 60_000)).toBeGreaterThanOrEqual(0.5 * 20);
    expect(latency(run, 0.95, 42_000, 60_000)).toBeLessThanOrEqual(1.4 * 150);
  });

  test('recovers within a second after a stall of 3 s', () => {
    const run = runScreen(link(20, 150), 30_000, [
      { time: 10_000, event: (link) => link.stall(13_000) },
    ]);
    expect(throughput(run, 11_000, 13_000)).toBe(0);
    expect(latency(run, 0.95, 14_000, 30_000)).toBeLessThanOrEqual(1.4 * 150);
    expect(throughput(run, 14_000, 30_000)).toBeGreaterThanOrEqual(0.5 * 20);
  });

  test('reports a stalled fast link as slow until it recovers', () => {
    const stall = (link: SimulatedLink) => link.stall(13_000);
    const run = runScreen(link(1000, 20), 20_000, [{ time: 10_000, event: stall }]);
    expect(run.slow.map((change) => change.slow)).toEqual([true, false]);
    expect(run.slow[0]?.at).toBeLessThan(11_100);
    expect(run.slow[1]?.at).toBeLessThan(15_000);
  });

  test('recovers within seconds after a lost answer, and never delays keys', () => {
    let answers = 0;
    const run = runScreen(link(20, 150), 40_000, [], () => ++answers === 500);
    const lost = run.flow[500]?.at ?? 0;
    expect(lost).toBeGreaterThan(2000);
    expect(throughput(run, lost, lost + 10_000)).toBeGreaterThanOrEqual(0.5 * 20);
    expect(throughput(run, lost + 10_000, lost + 20_000)).toBeGreaterThanOrEqual(0.5 * 20);
    expect(latency(run, 0.95, lost, 40_000)).toBeLessThanOrEqual(1.35 * 150);
  });
});

test.each([
  { roundTrip: 0.3, stall: 20, of: 60, every: 16, bytes: 200 },
  { roundTrip: 0.3, stall: 30, of: 40, every: 5, bytes: 40 },
  { roundTrip: 2, stall: 30, of: 50, every: 10, bytes: 40 },
  { roundTrip: 5, stall: 30, of: 50, every: 33, bytes: 150 },
])(
  'a terminal that stops for $stall of $of ms and answers in $roundTrip ms is not slow',
  ({ roundTrip, stall, of, every, bytes }) => {
    const pace = new Pace();
    const random = seeded(stall + every);
    const writes = Array.from({ length: 20_000 / every }, (_, index) => index * every);
    const answers: number[] = [];
    const answerUntil = (time: number) => {
      while ((answers[0] ?? Number.POSITIVE_INFINITY) <= time)
        pace.recordAnswer(answers.shift() ?? time);
    };
    for (const now of writes) {
      answerUntil(now);
      pace.recordWrite(Math.ceil(bytes * (0.4 + random())), now);
      const at = now + roundTrip + random() * 0.4;
      const inRhythm = at % of;
      answers.push(Math.max(answers.at(-1) ?? 0, inRhythm < stall ? at + stall - inRhythm : at));
      pace.budget(now);
      expect(pace.slow).toBe(false);
    }
  },
);
