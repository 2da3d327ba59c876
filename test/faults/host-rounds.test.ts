import { expect, it } from 'vitest';
import { hostPlanOf } from './host-plan.ts';
import { runHostRound } from './host-round.ts';

const seed = 2;

it.each([2, 16])(
  `after round ${seed}/%i of \`npm run faults -- --host\` everything that was answered is there`,
  { timeout: 120_000 },
  async (round) => {
    const { broken } = await runHostRound(hostPlanOf(seed, round));
    expect(broken).toEqual([]);
  },
);
