import { describe, expect, it } from 'vitest';
import { judgeRun, type RunJudgement } from '../../../source/store/proof/judge.ts';
import type { LogSample } from '../../../source/store/proof/sample.ts';
import { type Profile, profiles, randomFrom } from './profiles.ts';

const proof = 30;
const sequences = 25;
const restarts = 20;

/** Returns the judgements of services that are restarted 20 times, each time without harm. */
function judgeGoodRestarts(profile: Profile, seed: number): readonly RunJudgement[] {
  const random = randomFrom(seed);
  const stretch = Math.min(proof, profile.known);
  const stretches = Array.from({ length: 600 }, () => profile.write(stretch, false, random));
  const judged: RunJudgement[] = [];
  for (let sequence = 0; sequence < sequences; sequence += 1) {
    const starts: LogSample[] = [];
    for (let restart = 0; restart < restarts; restart += 1) {
      const from = Math.floor(random() * 480);
      const hour = stretches.slice(from, from + Math.ceil(profile.known / proof));
      const run = profile.write(proof, true, random);
      const services = [{ name: 'web', run, starts, hour }];
      judged.push(judgeRun({ services, crashes: 0, isRestartedAgain: false }));
      starts.unshift(run);
    }
  }
  return judged;
}

const part = (judged: readonly RunJudgement[], verdict: string) =>
  judged.filter((one) => one.verdict === verdict).length / judged.length;

describe('good restarts', () => {
  const judged = new Map(profiles.map((profile, at) => [profile, judgeGoodRestarts(profile, at)]));

  for (const [{ name }, one] of judged) {
    it(`of a service with ${name} are called worse once in a hundred at most`, () => {
      expect(part(one, 'worse')).toBeLessThanOrEqual(0.01);
    });
  }

  it('are decided in at least half', () => {
    const all = [...judged.values()].flat();
    expect(1 - part(all, 'unclear')).toBeGreaterThanOrEqual(0.5);
  });
});
