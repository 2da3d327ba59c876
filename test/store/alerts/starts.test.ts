import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment, Service } from '../../../source/contract/deployments.ts';
import {
  isCrashing,
  observeStarts,
  type StartHistory,
} from '../../../source/store/alerts/starts.ts';

const begin = Date.parse('2026-11-21T12:00:00Z');
const minute = 60_000;
const iso = (at: number) => new Date(at).toISOString();

/** A deployment with one service. */
const shop = (web: Omit<Service, 'name'>, more: Partial<Deployment> = {}): Deployment => ({
  id: 'shop-1',
  services: [{ name: 'web', ...web }],
  ...more,
});

type Observation = readonly [at: number, deployment: Deployment];

/** Returns whether each observation shows a crash loop. */
function verdicts(observations: readonly Observation[], requestedAt?: number): readonly boolean[] {
  let history: StartHistory | undefined;
  return observations.map(([at, deployment]) => {
    history = observeStarts(history, deployment, at, requestedAt);
    return isCrashing(history, at);
  });
}

describe('a crash loop', () => {
  it('is seen at once where the service counts restarts and has just started again', () => {
    const startedAt = iso(begin - 10_000);
    expect(verdicts([[begin, shop({ restarts: 3, startedAt })]])).toEqual([true]);
    expect(verdicts([[begin, shop({ restarts: 2, startedAt })]])).toEqual([false]);
  });

  it('is not seen where the restarts are long past', () => {
    const startedAt = iso(begin - 6 * minute);
    expect(verdicts([[begin, shop({ restarts: 40, startedAt })]])).toEqual([false]);
  });

  it('is seen at the third crash in ten minutes, by the counter or by the times of starts', () => {
    const counted = [0, 1, 2, 3].map((restarts): Observation => {
      return [begin + restarts * minute, shop({ restarts })];
    });
    expect(verdicts(counted)).toEqual([false, false, false, true]);
    const started = [0, 1, 2, 3].map((start): Observation => {
      return [begin + start * minute, shop({ startedAt: iso(begin + start * minute) })];
    });
    expect(verdicts(started)).toEqual([false, false, false, true]);
  });

  it('is not seen in three crashes over a quarter of an hour', () => {
    const rare = [0, 1, 2, 3].map((restarts): Observation => {
      return [begin + restarts * 5 * minute, shop({ restarts })];
    });
    expect(verdicts(rare)).toEqual([false, false, false, false]);
  });

  it('holds whatever the state says, until five minutes pass without a crash', () => {
    const startedAt = iso(begin);
    const at = (seconds: number, state: string): Observation => [
      begin + seconds * 1000,
      shop({ restarts: 3, startedAt, state }, { state }),
    ];
    const observations = [at(1, 'active'), at(2, 'failed'), at(299, 'active'), at(301, 'active')];
    expect(verdicts(observations)).toEqual([true, true, true, false]);
  });

  it('is not made of restarts that somebody requested', () => {
    const requested = [0, 1, 2, 3, 4].map((start): Observation => {
      const at = begin + start * minute;
      return [at, shop({ startedAt: iso(at) }, { restartedAt: iso(at - 500) })];
    });
    expect(verdicts(requested)).not.toContain(true);
    const counting = [3, 4, 5].map((restarts): Observation => {
      const at = begin + restarts * minute;
      return [at, shop({ restarts, startedAt: iso(at) }, { restartedAt: iso(at - 500) })];
    });
    expect(verdicts(counting)).not.toContain(true);
  });

  it('is not made of a restart requested here, where the service does not report it', () => {
    const started = [0, 1, 2].map((start): Observation => {
      return [begin + start * minute, shop({ startedAt: iso(begin + start * minute) })];
    });
    const third: Observation = [begin + 3 * minute, shop({ startedAt: iso(begin + 3 * minute) })];
    expect(verdicts([...started, third], begin + 3 * minute - 1000)).not.toContain(true);
  });

  it('ends with a restart that somebody requested, and is seen again after three more crashes', () => {
    const crashed = shop({ restarts: 7, startedAt: iso(begin) });
    const restartedAt = iso(begin + minute);
    const fresh = (restarts: number, seconds: number): Observation => {
      const at = begin + minute + seconds * 1000;
      return [at, shop({ restarts, startedAt: iso(at) }, { restartedAt })];
    };
    expect(
      verdicts([[begin, crashed], fresh(0, 1), fresh(1, 2), fresh(2, 4), fresh(3, 8)]),
    ).toEqual([true, false, false, false, true]);
  });

  it('ends although the service tells a start in the future, as a wrong clock does', () => {
    const startedAt = iso(begin + 365 * 24 * 60 * minute);
    const observations = [0, 4, 6].map((minutes): Observation => {
      return [begin + minutes * minute, shop({ restarts: 3, startedAt })];
    });
    expect(verdicts(observations)).toEqual([true, true, false]);
  });

  it('is never seen without times, counters or services', () => {
    expect(verdicts([[begin, { id: 'bare', services: [] }]])).toEqual([false]);
    expect(
      verdicts([
        [begin, shop({})],
        [begin + 1, shop({ startedAt: 'soon' })],
      ]),
    ).toEqual([false, false]);
  });

  it('never flaps: between two crashes less than five minutes apart, it stays seen', () => {
    const gaps = fc.array(fc.integer({ min: 1, max: 5 * minute - 1 }), {
      minLength: 4,
      maxLength: 30,
    });
    fc.assert(
      fc.property(gaps, fc.boolean(), (waits, hasCounter) => {
        let at = begin;
        const observations = waits.map((wait, index): Observation => {
          at += wait;
          return [at, shop(hasCounter ? { restarts: index } : { startedAt: iso(at) })];
        });
        const seen = verdicts(observations);
        const first = seen.indexOf(true);
        if (first >= 0) expect(seen.slice(first)).not.toContain(false);
      }),
    );
  });
});
