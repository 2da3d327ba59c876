import { expect, it } from 'vitest';
import { type HostPlan, hostMomentText, hostPlanOf } from './host-plan.ts';

const plans = Array.from({ length: 60 }, (_, round) => hostPlanOf(7, round));

it('a plan is the same for the same seed and round, and another for another', () => {
  expect(hostPlanOf(7, 3)).toEqual(hostPlanOf(7, 3));
  expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(plans.length);
  expect(hostPlanOf(8, 3)).not.toEqual(hostPlanOf(7, 3));
});

it('a host is killed once to three times, with work enough for all of its lives', () => {
  for (const { kills, restarting, beside } of plans) {
    expect([1, 2, 3]).toContain(kills.length);
    expect(Math.min(restarting.length, beside.length)).toBeGreaterThanOrEqual(100);
  }
});

it('every kind of moment and of work comes up, and some end only when they are made to', () => {
  const all = (of: (plan: HostPlan) => readonly string[]) => new Set(plans.flatMap(of));
  expect(all(({ kills }) => kills.map(({ kind }) => kind)).size).toBe(3);
  const sent = all(({ kills }) => kills.flatMap((kill) => (kill.kind === 'sent' ? kill.what : [])));
  expect(sent.size).toBe(7);
  expect(all(({ restarting }) => restarting.map(({ kind }) => kind)).size).toBe(5);
  expect(all(({ beside }) => beside.map(({ kind }) => kind)).has('restart')).toBe(false);
  expect(all(({ owner }) => owner.map(({ kind }) => kind)).size).toBe(2);
  expect(all(({ money }) => money.map(({ kind }) => kind)).size).toBe(4);
  expect(all(({ disk }) => [disk])).toEqual(new Set(['ample', 'short', 'full']));
  const stubborn = plans.filter((plan) => plan.stubborn).length;
  expect(stubborn).toBeGreaterThan(0);
  expect(stubborn).toBeLessThan(plans.length / 4);
});

it('a moment is said in words', () => {
  expect(hostMomentText({ kind: 'clock', after: 5 })).toBe('5 ms after it is up');
  expect(hostMomentText({ kind: 'start', after: 5 })).toBe('5 ms into its start');
  expect(hostMomentText({ kind: 'sent', what: 'upload', nth: 2, after: 5 })).toBe(
    '5 ms into upload 2',
  );
});
