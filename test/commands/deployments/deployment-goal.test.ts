import { describe, expect, it, test } from 'vitest';
import {
  observeSteadiness,
  settledState,
  showsRestart,
  waitStep,
} from '../../../source/commands/deployments/deployment-goal.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';

const of = (state: string | undefined, ...services: Deployment['services']): Deployment => ({
  id: 'a1',
  state,
  services,
});

test.each([
  ['starting', 'busy'],
  ['active', 'active'],
  ['RUNNING', 'active'],
  ['restarting', 'busy'],
  ['rolling', 'busy'],
  ['failed', 'failed'],
  ['node lost', 'busy'],
  ['CrashLoopBackOff', 'failed'],
  ['suspended', 'failed'],
  ['closed', 'closed'],
  ['stopped', 'closed'],
  [undefined, 'unknown'],
] as const)('a deployment that is %s stays %s', (state, settled) => {
  expect(settledState(of(state))).toBe(settled);
});

describe('a command that waits', () => {
  it('takes a failed service for a failed deployment', () => {
    const failed = of('active', { name: 'web', state: 'active' }, { name: 'db', state: 'failed' });
    expect(waitStep(failed, undefined)).toEqual({ kind: 'missed', state: 'failed' });
    expect(waitStep(failed, 'failed')).toEqual({ kind: 'reached', state: 'failed' });
    expect(waitStep(failed, 'closed')).toEqual({ kind: 'waiting' });
  });

  it('ends where the wanted state can no longer come', () => {
    expect(waitStep(of('active'), undefined)).toEqual({ kind: 'reached', state: 'active' });
    expect(waitStep(of('starting'), 'active')).toEqual({ kind: 'waiting' });
    expect(waitStep(of('active'), 'failed')).toEqual({ kind: 'waiting' });
    expect(waitStep(of('closed'), 'failed')).toEqual({ kind: 'missed', state: 'closed' });
    expect(waitStep(of('closed'), 'closed')).toEqual({ kind: 'reached', state: 'closed' });
  });

  it('knows nothing of a service that tells no state', () => {
    expect(waitStep(of(undefined), undefined)).toEqual({ kind: 'untold' });
  });
});

it('sees a restart by its time, else by the start of a service, else by the answer alone', () => {
  const at = (restartedAt?: string, startedAt?: string): Deployment => ({
    ...of('active', { name: 'web', startedAt }),
    restartedAt,
  });
  expect(showsRestart(at('1'), at('1'))).toBe(false);
  expect(showsRestart(at('1'), at('2'))).toBe(true);
  expect(showsRestart(at(undefined), at('2'))).toBe(true);
  expect(showsRestart(at(undefined, '1'), at(undefined, '1'))).toBe(false);
  expect(showsRestart(at(undefined, '1'), at(undefined, '2'))).toBe(true);
  expect(showsRestart(at(), at())).toBe(true);
});

it('takes a deployment for steady two seconds after the last start', () => {
  const started = (startedAt: string | undefined, restarts: number) =>
    of('active', { name: 'web', startedAt, restarts });
  const at = Date.parse('2026-01-01T00:00:00Z');
  const time = '2026-01-01T00:00:00Z';
  expect(observeSteadiness(undefined, started(time, 0), at + 5000).isSteady).toBe(true);
  const first = observeSteadiness(undefined, started(time, 0), at + 500);
  expect(first.isSteady).toBe(false);
  expect(observeSteadiness(first, started(time, 0), at + 2500).isSteady).toBe(true);
  // A service that tells no time of its starts counts them.
  const untimed = observeSteadiness(undefined, started(undefined, 0), at);
  expect(observeSteadiness(untimed, started(undefined, 1), at + 2500).isSteady).toBe(false);
  expect(observeSteadiness(untimed, started(undefined, 0), at + 2500).isSteady).toBe(true);
});
