import { expect, it } from 'vitest';
import { startWritingForeign } from './foreign-service.ts';
import { createRandom } from './plan.ts';
import { runRound } from './round.ts';
import { type RoundsOptions, serviceText, startRound, wrongIn } from './rounds.ts';

const cuts = 40;

/** Rounds of `npm run cuts`, with shorter waits. */
const rounds: readonly Pick<RoundsOptions, 'service' | 'round'>[] = [
  { service: 'host', round: 3 },
  { service: 'foreign', round: 4 },
];

it.each(rounds.map((round) => [serviceText(round), round] as const))(
  `at 5,000 lines a second and ${cuts} cuts no line is lost, doubled or out of order: %s`,
  { timeout: 120_000 },
  async (_, round) => {
    const result = await startRound({ ...round, seed: 1, cuts, rate: 5000, speed: 8 });
    expect(wrongIn(result)).toEqual([]);
    expect(result.lines).toBeGreaterThan(5000);
  },
);

it('a service that drops its streams as soon as one is requested breaks it each time', async () => {
  await using service = await startWritingForeign(5000, { logOrder: 'oldest', logIds: 'holes' });
  const drop = { wait: 0, cut: { kind: 'service', milliseconds: 0 } } as const;
  const plan = Array.from({ length: 5 }, () => drop);
  const result = await runRound({ service, plan, speed: 8, random: createRandom(1) });
  expect(wrongIn(result)).toEqual([]);
  expect(result.upgrades).toBeGreaterThan(plan.length);
});
