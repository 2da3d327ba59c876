import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearSpan,
  noEpisodes,
  type Observation,
  observeConditions,
  type ToldEpisode,
} from '../../../source/store/alert-rules/episodes.ts';

/** Steps through observations. Returns what each of them told. */
function tell(observations: readonly Observation[]): readonly (readonly ToldEpisode[])[] {
  let episodes = noEpisodes;
  return observations.map((observation) => {
    const step = observeConditions(episodes, observation);
    ({ episodes } = step);
    return step.told;
  });
}

/** Observations of one condition, a second apart: `x` goes on, `.` is clear, `?` is unknown. */
function timeline(text: string, quiet = ''): readonly Observation[] {
  return Array.from(text, (sign, at) => ({
    now: at * 1000,
    isQuiet: quiet[at] === 'q',
    active: sign === 'x' ? ['a'] : [],
    isUnknown: () => sign === '?',
  }));
}

const clear = '.'.repeat(clearSpan / 1000);
const secondsOf = (told: ReturnType<typeof tell>): readonly number[] =>
  told.flatMap((step, at) => step.map(() => at));

describe('an episode', () => {
  it('is told once, at its start', () => {
    expect(secondsOf(tell(timeline('..xxx')))).toEqual([2]);
  });

  it('goes on through shorter pauses of its condition', () => {
    expect(secondsOf(tell(timeline(`x${clear.slice(1)}x`)))).toEqual([0]);
  });

  it('ends when its condition has been clear for five minutes', () => {
    expect(secondsOf(tell(timeline(`x${clear}x`)))).toEqual([0, 1 + clear.length]);
  });

  it('does not end while nothing is known', () => {
    expect(secondsOf(tell(timeline(`x${'?'.repeat(1000)}x`)))).toEqual([0]);
  });

  it('that goes on at the end of quiet hours is told then', () => {
    const told = tell(timeline('.xxxx', '.qqq.'));
    expect(secondsOf(told)).toEqual([4]);
    expect(told[4]).toEqual([{ key: 'a', isHeld: true }]);
  });

  it('that ended in quiet hours is not told', () => {
    expect(secondsOf(tell(timeline('.xx..', '.qqq.')))).toEqual([]);
  });

  it('that was told before quiet hours is not told again after them', () => {
    expect(secondsOf(tell(timeline('xxxx', '.qq.')))).toEqual([0]);
  });
});

const steps = fc.array(
  fc.record({
    // A clock may be set to any time between two steps.
    step: fc.oneof(
      fc.integer({ min: 1, max: 20_000 }),
      fc.integer({ min: -100_000_000, max: 100_000_000 }),
    ),
    isQuiet: fc.boolean(),
    active: fc.subarray(['a', 'b', 'c']),
    unknown: fc.subarray(['a', 'b', 'c']),
  }),
  { maxLength: 60 },
);

describe('whatever happens, and however the clock is set', () => {
  const run = (plan: Parameters<typeof observed>[0]) => {
    const observations = observed(plan);
    return { observations, told: tell(observations) };
  };

  it('nothing is told in quiet hours, and nothing that does not go on', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const { observations, told } = run(plan);
        for (const [at, keys] of told.entries()) {
          const { isQuiet, active } = observations[at] as Observation;
          if (isQuiet) expect(keys).toEqual([]);
          for (const { key } of keys) expect([...active]).toContain(key);
        }
      }),
    );
  });

  it('no condition is told twice unless it was clear for a while between', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const { observations, told } = run(plan);
        for (const key of ['a', 'b', 'c']) {
          const times = told.flatMap((keys, at) =>
            keys.some((one) => one.key === key) ? [at] : [],
          );
          for (const [index, second] of times.entries()) {
            const first = times[index - 1];
            if (first === undefined) continue;
            // Each step adds ten seconds at most, so that a shorter pause has too few of them.
            const clearSteps = observations
              .slice(first + 1, second)
              .filter(({ active }) => ![...active].includes(key));
            expect(clearSteps.length).toBeGreaterThanOrEqual(clearSpan / 10_000);
          }
        }
      }),
    );
  });

  it('what goes on outside of quiet hours has been told in its episode', () => {
    fc.assert(
      fc.property(steps, (plan) => {
        const { observations, told } = run(plan);
        const known = new Set<string>();
        for (const [at, { isQuiet, active }] of observations.entries()) {
          for (const { key } of told[at] ?? []) known.add(key);
          if (!isQuiet) for (const key of active) expect(known).toContain(key);
        }
      }),
    );
  });

  it('a clock that is set ends no episode', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 }), { maxLength: 20 }), (times) => {
        const active = (at: number) => (at === 0 || at === times.length ? ['a'] : []);
        const told = tell(
          [0, ...times].map((now, at) => ({ now, isQuiet: false, active: active(at) })),
        );
        expect(secondsOf(told)).toEqual([0]);
      }),
    );
  });
});

function observed(
  plan: readonly {
    readonly step: number;
    readonly isQuiet: boolean;
    readonly active: readonly string[];
    readonly unknown: readonly string[];
  }[],
): readonly Observation[] {
  let now = 0;
  return plan.map(({ step, isQuiet, active, unknown }) => {
    now += step;
    return { now, isQuiet, active, isUnknown: (key) => unknown.includes(key) };
  });
}
