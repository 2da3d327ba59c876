import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  nextStep,
  reduceRestarts,
  type RestartEvent,
  type CountdownState,
  countdownState,
} from '../../../source/store/restarts/countdown.ts';
import { done } from '../requests.ts';
import { config, lost, page, refused } from './restarts-fixture.ts';

const deployment = fc.constantFrom('a', 'b', '__proto__');
const at = fc.nat();
const files = fc.subarray([config, page]);

const anyEvent: fc.Arbitrary<RestartEvent> = fc.oneof(
  fc.record({ kind: fc.constant('pause' as const) }),
  fc.record({ kind: fc.constant('resume' as const), at }),
  fc.record({ kind: fc.constant('changed' as const), deployment, at, files }),
  fc.record({ kind: fc.constant('operation started' as const), deployment }),
  fc.record({ kind: fc.constant('operation ended' as const), deployment, at, files }),
  fc.record({ kind: fc.constant('due' as const), deployment, at }),
  fc.record({ kind: fc.constant('restart-now' as const), deployment, at }),
  fc.record({ kind: fc.constant('cancel' as const), deployment }),
  fc.record({
    kind: fc.constant('answered' as const),
    deployment,
    at,
    request: fc.integer({ min: 1, max: 4 }),
    result: fc.constantFrom(done, refused, lost),
  }),
  fc.record({ kind: fc.constant('gone' as const), deployment }),
);
const anyEvents = fc.array(anyEvent, { maxLength: 20 });
const anyDelay = fc.constantFrom(0, 1500, 'off' as const);

function run(machine: CountdownState, events: readonly RestartEvent[]): CountdownState {
  return events.reduce(reduceRestarts, machine);
}

it('never mutates an earlier state', () => {
  fc.assert(
    fc.property(anyDelay, anyEvents, anyEvent, (delay, events, event) => {
      const before = run(countdownState(delay), events);
      const copy = structuredClone(before);
      reduceRestarts(before, event);
      expect(before).toEqual(copy);
    }),
  );
});

it('sends only for the deployment of the event, and once', () => {
  fc.assert(
    fc.property(anyDelay, anyEvents, anyEvent, (delay, events, event) => {
      const before = run(countdownState(delay), events);
      const after = reduceRestarts(before, event);
      const fresh = [...after.restarts].filter(
        ([, restart]) => restart.kind === 'restarting' && restart.request > before.requests,
      );
      expect(after.requests - before.requests).toBe(fresh.length);
      if (fresh.length > 0) {
        expect(fresh.map(([id]) => id)).toEqual(['deployment' in event ? event.deployment : '']);
      }
    }),
  );
});

it('changes no other deployment, except by hold and release', () => {
  fc.assert(
    fc.property(anyDelay, anyEvents, anyEvent, (delay, events, event) => {
      const before = run(countdownState(delay), events);
      const after = reduceRestarts(before, event);
      if (!('deployment' in event)) return;
      for (const id of ['a', 'b', '__proto__'].filter((one) => one !== event.deployment)) {
        expect(after.restarts.get(id)).toBe(before.restarts.get(id));
      }
    }),
  );
});

it('counts down in steps of at most a second, on whole seconds after the first', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 20_000 }), (left) => {
      const step = nextStep(left);
      expect(step).toBeGreaterThan(0);
      expect(step).toBeLessThanOrEqual(1000);
      expect((left - step) % 1000).toBe(0);
    }),
  );
});
