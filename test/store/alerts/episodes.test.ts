import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  clearSpan,
  type Episodes,
  type Observation,
  observeConditions,
  readEpisodes,
  storedEpisodes,
} from '../../../source/store/alerts/episodes.ts';

const noEpisodes: Episodes = { at: undefined, byKey: new Map() };

/** Steps through observations. Returns the keys that each of them told. */
function tell(observations: readonly Observation[]): readonly (readonly string[])[] {
  let episodes = noEpisodes;
  return observations.map((observation) => {
    const step = observeConditions(episodes, observation);
    ({ episodes } = step);
    return step.told;
  });
}

/** Observations of one condition, a second apart: `x` holds, `.` is clear, `?` unknown, `!` holds and unknown. */
function timeline(text: string, seconds = 0): readonly Observation[] {
  return Array.from(text, (sign, at) => ({
    now: at * 1000,
    active: new Map(/[x!]/.test(sign) ? [['a', seconds * 1000]] : []),
    isUnknown: () => /[?!]/.test(sign),
  }));
}

const clear = '.'.repeat(clearSpan / 1000);
const secondsOf = (observations: readonly Observation[]): readonly number[] =>
  tell(observations).flatMap((step, at) => step.map(() => at));

describe('an episode', () => {
  it('is told once, at its start', () => {
    expect(secondsOf(timeline('..xxx'))).toEqual([2]);
  });

  it('goes on through shorter pauses of its condition', () => {
    expect(secondsOf(timeline(`x${clear.slice(1)}x`))).toEqual([0]);
  });

  it('needs five minutes at a stretch to end', () => {
    const half = clear.slice(clear.length / 2);
    expect(secondsOf(timeline(`x${half}x${half}.x`))).toEqual([0]);
  });

  it('ends when its condition has been clear for five minutes', () => {
    expect(secondsOf(timeline(`x${clear}x`))).toEqual([0, 1 + clear.length]);
  });

  it('does not end while nothing is known', () => {
    expect(secondsOf(timeline(`x${'?'.repeat(1000)}x`))).toEqual([0]);
  });
});

describe('a condition that must hold for a time', () => {
  it('is told when it has held for so long without a break', () => {
    expect(secondsOf(timeline('.xxxxx', 3))).toEqual([4]);
    expect(secondsOf(timeline('xxx.xxx.xxxx', 3))).toEqual([11]);
  });

  it('counts no time in which nothing is known, which is no break either', () => {
    expect(secondsOf(timeline('xx????xxx', 3))).toEqual([7]);
    expect(secondsOf(timeline('xx!!!!xxx', 3))).toEqual([7]);
  });

  it('is clear while it has not held for so long, so that a flapping one is told again', () => {
    const flaps = 'xx.'.repeat(clearSpan / 3000 + 1);
    expect(secondsOf(timeline(`xxxx.${flaps}xxxx`, 3))).toEqual([3, 5 + flaps.length + 3]);
    expect(secondsOf(timeline(`xxxx.${flaps}xxxx`, 2))[0]).toBe(2);
    expect(secondsOf(timeline(`xxxx.${flaps}xxxx`, 1))).toEqual([1]);
  });
});

/** The conditions at one moment. */
interface Moment {
  /** Ms since the moment before; a clock may be set to any time. */
  readonly step: number;
  readonly active: readonly string[];
  readonly unknown: readonly string[];
}

const keys = ['a', 'b', 'c'];
/** Ms that each condition must hold. */
const needs: Readonly<Record<string, number>> = { a: 0, b: 15_000, c: clearSpan + 60_000 };

const moments = fc.array(
  fc.record<Moment>({
    step: fc.oneof(
      fc.integer({ min: 1, max: 20_000 }),
      fc.constant(10_000),
      fc.integer({ min: -100_000_000, max: 100_000_000 }),
    ),
    active: fc.oneof(fc.constant(keys), fc.subarray(keys), fc.constant([])),
    unknown: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray(keys)),
  }),
  { maxLength: 150 },
);

function observed(plan: readonly Moment[]): readonly Observation[] {
  let now = 0;
  return plan.map(({ step, active, unknown }) => {
    now += step;
    return {
      now,
      active: new Map(active.map((key) => [key, needs[key] ?? 0])),
      isUnknown: (key) => unknown.includes(key),
    };
  });
}

/** Returns the ms that a step adds for a condition. */
function knownTime({ step, unknown }: Moment, key: string): number {
  return unknown.includes(key) ? 0 : Math.min(10_000, Math.max(0, step));
}

/** Returns whether a condition has held for its time at a moment, by looking back. */
function hasHeld(plan: readonly Moment[], at: number, key: string): boolean {
  if (plan[at]?.active.includes(key) !== true) return false;
  let held = 0;
  for (let index = at; index >= 0; index -= 1) {
    const moment = plan[index] as Moment;
    const isBreak = !moment.active.includes(key) && !moment.unknown.includes(key);
    if (isBreak) break;
    const isFirst = plan
      .slice(0, index)
      .every(({ active }, before) => !active.includes(key) || isBroken(plan, before, index, key));
    if (isFirst) break;
    held += knownTime(moment, key);
  }
  return held >= (needs[key] ?? 0);
}

/** Returns whether a condition was clear between two moments. */
function isBroken(plan: readonly Moment[], from: number, to: number, key: string): boolean {
  return plan
    .slice(from, to)
    .some(({ active, unknown }) => !active.includes(key) && !unknown.includes(key));
}

describe('whatever happens, and however the clock is set', () => {
  it('each episode is told once, when it has held for its time', () => {
    fc.assert(
      fc.property(moments, (plan) => {
        const told = tell(observed(plan));
        for (const key of keys) {
          let isOpen = false;
          let clearFor = 0;
          for (const [at, moment] of plan.entries()) {
            const holds = hasHeld(plan, at, key);
            expect(told[at]?.includes(key)).toBe(holds && !isOpen);
            clearFor = holds ? 0 : clearFor + knownTime(moment, key);
            if (holds) isOpen = true;
            else if (clearFor >= clearSpan) isOpen = false;
          }
        }
      }),
    );
  });

  it('a clock that is set ends no episode', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -1e12, max: 1e12 }), { maxLength: 20 }), (times) => {
        const observations = [0, ...times].map((now, at): Observation => {
          const holds = at === 0 || at === times.length;
          return { now, active: new Map(holds ? [['a', 0]] : []), isUnknown: () => false };
        });
        expect(secondsOf(observations)).toEqual([0]);
      }),
    );
  });
});

describe('what is stored', () => {
  const now = Date.UTC(2026, 10, 26, 12);
  const hour = 3_600_000;
  const none = new Set<string>();
  const episode = { heldFor: 5000, clearFor: 2000, isTold: true };
  const one = new Map([['a', episode]]);

  it('comes back for an hour, but not when the clock was set back', () => {
    const stored: unknown = JSON.parse(JSON.stringify(storedEpisodes(undefined, one, none, now)));
    expect(readEpisodes(stored, now + hour - 1)).toEqual([['a', now, 5000, 2000]]);
    expect(readEpisodes(stored, now + hour)).toEqual([]);
    expect(readEpisodes(stored, now - 1)).toEqual([]);
  });

  it('has no episode that is not told yet', () => {
    const waiting = new Map([['a', { ...episode, isTold: false }]]);
    expect(storedEpisodes(undefined, waiting, none, now)).toEqual([]);
  });

  it('has the episodes of another watch, and drops those of this one that have ended', () => {
    const other = storedEpisodes(undefined, new Map([['b', episode]]), none, now);
    const both = storedEpisodes(other, one, none, now + 1);
    expect(both).toEqual([
      ['b', now, 5000, 2000],
      ['a', now + 1, 5000, 2000],
    ]);
    // Each is there once, with the time at which it was stored last.
    const later = storedEpisodes(both, one, none, now + 2);
    expect(later.map(([key, at]) => [key, at - now])).toEqual([
      ['b', 0],
      ['a', 2],
    ]);
    expect(storedEpisodes(both, new Map(), new Set(['a']), now + 2)).toEqual(other);
  });

  it('counts as nothing in any other form, such as that of earlier versions', () => {
    const earlier = { kind: 'list', when: 'crash', id: 'a', isTold: true, clearFor: 0, at: now };
    for (const stored of [
      undefined,
      {},
      'x',
      [{}, null, earlier, ['a'], ['a', now, -1, 0], [1, now, 0, 0]],
    ]) {
      expect(readEpisodes(stored, now)).toEqual([]);
    }
    fc.assert(fc.property(fc.anything(), (stored) => void readEpisodes(stored, now)));
  });
});
