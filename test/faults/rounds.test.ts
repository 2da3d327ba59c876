import { afterAll, beforeAll, expect, it } from 'vitest';
import { planOf } from './plan.ts';
import { runRound } from './round.ts';
import { startSurvivingHost, type SurvivingHost } from './surviving-host.ts';

let host: SurvivingHost;

beforeAll(async () => {
  host = await startSurvivingHost();
});

afterAll(() => host[Symbol.asyncDispose]());

const seed = 1;

it.each([9, 16, 23])(
  `after round ${seed}/%i of \`npm run faults\` everything that was promised is there`,
  { timeout: 90_000 },
  async (round) => {
    const { broken } = await runRound(host, planOf(seed, round));
    expect(broken).toEqual([]);
  },
);
