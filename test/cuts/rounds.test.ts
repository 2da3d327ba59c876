import { describe, expect, it } from 'vitest';
import { startWritingForeign } from './foreign-service.ts';
import { createRandom } from './plan.ts';
import { runRound } from './round.ts';
import { answers, type RoundsOptions, serviceText, startRound, wrongIn } from './rounds.ts';

/**
 * Rounds of `npm run cuts`, with fewer cuts and shorter waits: of our host, of each other log, and one with
 * three clocks in place of its like with one.
 */
const rounds: readonly Pick<RoundsOptions, 'service' | 'round' | 'cuts' | 'rate'>[] = [
  { service: 'host', round: 3, cuts: 12, rate: 2000 },
  { service: 'clocks', round: 2, cuts: 6, rate: 400 },
  ...(['foreign', 'unnumbered'] as const).flatMap((service) =>
    Array.from({ length: answers[service].length }, (_, round) => ({
      service,
      round,
      cuts: 6,
      rate: 400,
    })).slice(service === 'foreign' ? 1 : 0),
  ),
];

describe.concurrent('where a log is cut again and again, no line is lost, doubled or out of order', () => {
  it.each(rounds.map((round) => [`${serviceText(round)}, round ${round.round}`, round] as const))(
    '%s',
    // The clock runs four times as fast here, and so do the time limits of requests: on a busy machine
    // many are sent again, and a round takes minutes.
    { timeout: 300_000 },
    async (_, round) => {
      const result = await startRound({ ...round, seed: 1, speed: 4 });
      expect(wrongIn(result)).toEqual([]);
      expect(result.lines).toBeGreaterThan(round.rate);
    },
  );
});

it('a service that drops its streams as soon as one is requested breaks it each time', async () => {
  await using service = await startWritingForeign(1000, { logOrder: 'oldest', logIds: 'holes' });
  const drop = { wait: 0, cut: { kind: 'service', milliseconds: 0 } } as const;
  const plan = Array.from({ length: 5 }, () => drop);
  const result = await runRound({ service, plan, speed: 8, random: createRandom(1) });
  expect(wrongIn(result)).toEqual([]);
  expect(result.upgrades).toBeGreaterThan(plan.length);
});
