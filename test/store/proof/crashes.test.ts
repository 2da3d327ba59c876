import { describe, expect, it } from 'vitest';
import type { Deployment, Service } from '../../../source/contract/deployments.ts';
import {
  type ObservedRun,
  observeRun,
  unobservedRun,
} from '../../../source/store/proof/crashes.ts';

type Observation = readonly [seconds: number, web: Partial<Service>, shop?: Partial<Deployment>];

const shop = ([, web, more]: Observation): Deployment => ({
  id: 'd',
  services: [{ name: 'web', ...web }],
  ...more,
});

/** Returns the run after a restart at 0 s; the first observation is from before it. */
function observed(before: Observation, ...after: readonly Observation[]): ObservedRun {
  return after.reduce(
    (run, one) => observeRun(run, shop(one), one[0] * 1000),
    unobservedRun(shop(before)),
  );
}

const told = (restartedAt: string, state = 'active') => ({ restartedAt, state });

describe('the crashes of a run', () => {
  it('are counted on a host that counts anew with each restart', () => {
    const before = [0, { startedAt: 'a', restarts: 7, exitCode: 1 }, told('a')] as const;
    const run = observed(
      before,
      [1, { restarts: 0, exitCode: null }, told('b', 'restarting')],
      [2, { startedAt: 'b', restarts: 0, exitCode: null }, told('b')],
      [3, { startedAt: 'b', restarts: 0, exitCode: 1 }, told('b', 'restarting')],
      [5, { startedAt: 'c', restarts: 1, exitCode: 1 }, told('b')],
      [9, { startedAt: 'd', restarts: 2, exitCode: 1 }, told('b')],
    );
    expect(run).toMatchObject({ crashes: 3, isRestartedAgain: false });
  });

  it('are seen where the first answer after the restart shows the second start', () => {
    const before = [0, { startedAt: 'a', restarts: 0, exitCode: null }, told('a')] as const;
    const run = observed(before, [3, { startedAt: 'c', restarts: 1, exitCode: 1 }, told('b')]);
    expect(run.crashes).toBe(1);
  });

  it('are none in a restart by itself, whatever code the stopped run ended with', () => {
    const before = [0, { startedAt: 'a', restarts: 4, exitCode: null }, told('a')] as const;
    for (const exitCode of [0, 1, 143]) {
      const run = observed(
        before,
        [1, { startedAt: 'a', restarts: 4, exitCode }, told('b', 'restarting')],
        [2, { startedAt: 'b', restarts: 0, exitCode }, told('b')],
        [60, { startedAt: 'b', restarts: 0, exitCode }, told('b')],
      );
      expect(run).toMatchObject({ crashes: 0, isRestartedAgain: false });
    }
  });

  it('are none of the version before that crashes once more until it is stopped', () => {
    const at = (second: number) => new Date(Date.UTC(2026, 10, 26, 18, 0, second)).toISOString();
    const before: Observation = [
      0,
      { startedAt: at(21), restarts: 4, exitCode: 1 },
      told(at(5), 'failed'),
    ];
    const old = { startedAt: at(37), restarts: 5 };
    const requested: readonly Observation[] = [
      [1, { ...old, exitCode: null }, told(at(5))],
      [2, { ...old, exitCode: 1 }, told(at(5), 'failed')],
    ];
    const stopping: Observation = [3, { ...old, exitCode: 1 }, told(at(38), 'restarting')];
    const restarted: Observation = [
      4,
      { startedAt: at(39), restarts: 0, exitCode: null },
      told(at(38)),
    ];
    const crashed: Observation = [9, { startedAt: at(44), restarts: 1, exitCode: 1 }, told(at(38))];
    for (const seen of [requested, [stopping], [...requested, stopping]]) {
      const run = observed(before, ...seen, restarted);
      expect(run).toMatchObject({ crashes: 0, isRestartedAgain: false });
      expect(observeRun(run, shop(crashed), 9000).crashes).toBe(1);
    }
  });

  it('are none where the counter counts restarts too', () => {
    const before = [0, { restarts: 4 }, told('a')] as const;
    const run = observed(before, [1, { restarts: 4 }, told('b')], [2, { restarts: 5 }, told('b')]);
    const later = observeRun(run, shop([9, { restarts: 5 }, told('b')]), 9000);
    expect(later.crashes).toBe(0);
    expect(observeRun(later, shop([12, { restarts: 6 }, told('b')]), 12_000).crashes).toBe(1);
  });

  it('are seen in the state of a service that tells nothing else', () => {
    const run = observed([0, {}, { state: 'running' }], [4, {}, { state: 'CrashLoopBackOff' }]);
    expect(run.crashes).toBe(1);
  });

  it('are not seen in a failure of before, until the restart shows', () => {
    const run = observed([0, {}, { state: 'failed' }], [2, {}, { state: 'failed' }]);
    expect(run.crashes).toBe(0);
    expect(observeRun(run, shop([12, {}, { state: 'failed' }]), 12_000).crashes).toBe(1);
  });
});

describe('another restart', () => {
  it('is told by the time of restarts, once the first one is done', () => {
    const before = [0, { startedAt: 'a' }, told('a')] as const;
    const first = [2, { startedAt: 'b' }, told('b')] as const;
    expect(observed(before, first).isRestartedAgain).toBe(false);
    const again = observed(before, first, [8, { startedAt: 'c' }, told('c')]);
    expect(again).toMatchObject({ isRestartedAgain: true, crashes: 0 });
    const twiceTold = observed(before, [1, {}, told('b', 'restarting')], [2, {}, told('b2')]);
    expect(twiceTold.isRestartedAgain).toBe(false);
  });

  it('is taken for one where a single start has no other explanation, and for crashes after that', () => {
    const before = [0, { startedAt: 'a' }] as const;
    const first = [2, { startedAt: 'b' }] as const;
    const second = [15, { startedAt: 'c' }] as const;
    expect(observed(before, first)).toMatchObject({ unexplained: 0, crashes: 0 });
    expect(observed(before, first, second)).toMatchObject({ unexplained: 1, crashes: 0 });
    const loop = observed(before, first, second, [20, { startedAt: 'd' }]);
    expect(loop.crashes).toBe(2);
  });
});
