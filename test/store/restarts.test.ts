import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentsClient } from '../../source/client/client.ts';
import {
  createRestarts,
  reduceRestarts,
  type RestartEvent,
  type Restarts,
} from '../../source/store/restarts.ts';
import { createTestClock } from '../clock.ts';
import { createRequests, done, failure, unexpected } from './requests.ts';

function createFixture() {
  const clock = createTestClock(1000);
  const requests = createRequests<void>();
  const client: DeploymentsClient = {
    list: unexpected,
    get: unexpected,
    create: unexpected,
    close: unexpected,
    restart: (id) => requests.send([id]),
  };
  const restarts = createRestarts({ client, clock });
  return { clock, requests, restarts, state: () => Object.fromEntries(restarts.state.getState()) };
}

describe('a restart', () => {
  it('is under way until its answer, and leaves nothing when it succeeded', async () => {
    const { requests, restarts, state } = createFixture();
    const outcome = restarts.restart('shop');
    expect(requests.sent.map(({ asked }) => asked)).toEqual([['shop']]);
    expect(state()).toEqual({ shop: { kind: 'restarting', since: 1000 } });
    await requests.last().answer(done);
    expect(await outcome).toEqual(done);
    expect(state()).toEqual({});
  });

  it('that was refused stays, with the reason, until the next one', async () => {
    const { clock, requests, restarts, state } = createFixture();
    const outcome = restarts.restart('shop');
    await clock.advance(40);
    const refused = failure('service-error', { status: 503 });
    await requests.last().answer(refused);
    expect(await outcome).toEqual(refused);
    expect(state()).toEqual({ shop: { kind: 'failed', at: 1040, error: refused.error } });
    void restarts.restart('shop');
    expect(state()).toEqual({ shop: { kind: 'restarting', since: 1040 } });
  });

  it('whose answer got lost may have happened', async () => {
    const { requests, restarts, state } = createFixture();
    void restarts.restart('shop');
    const lost = failure('disconnected', { unknownOutcome: true });
    await requests.last().answer(lost);
    expect(state()).toEqual({ shop: { kind: 'unknown', at: 1000, error: lost.error } });
  });

  it('is sent once, however often it is asked for; another deployment has its own', async () => {
    const { requests, restarts } = createFixture();
    void restarts.restart('shop');
    expect(await restarts.restart('shop')).toBeUndefined();
    void restarts.restart('worker');
    expect(requests.sent.map(({ asked }) => asked)).toEqual([['shop'], ['worker']]);
  });

  it('is forgotten with its deployment, and its late answer changes nothing', async () => {
    const { requests, restarts, state } = createFixture();
    void restarts.restart('shop');
    restarts.forget('shop');
    expect(state()).toEqual({});
    await requests.last().answer(failure('timeout', { unknownOutcome: true }));
    expect(state()).toEqual({});
  });

  it('is not settled by the late answer to one that was forgotten before it', async () => {
    const { clock, requests, restarts, state } = createFixture();
    void restarts.restart('shop');
    restarts.forget('shop');
    await clock.advance(10);
    void restarts.restart('shop');
    const [first, second] = requests.sent;
    await first?.answer(done);
    expect(state()).toEqual({ shop: { kind: 'restarting', since: 1010 } });
    await second?.answer(done);
    expect(state()).toEqual({});
  });

  it('publishes nothing when nothing changes', () => {
    const { restarts } = createFixture();
    void restarts.restart('shop');
    const before = restarts.state.getState();
    void restarts.restart('shop');
    restarts.forget('worker');
    expect(restarts.state.getState()).toBe(before);
  });
});

describe('the restart machine', () => {
  const deployment = fc.constantFrom('a', 'b', '__proto__');
  const result = fc.constantFrom(
    done,
    failure('service-error'),
    failure('timeout', { unknownOutcome: true }),
  );
  const eventArbitrary: fc.Arbitrary<RestartEvent> = fc.oneof(
    fc.record({ kind: fc.constant('asked' as const), deployment, at: fc.nat() }),
    fc.record({ kind: fc.constant('answered' as const), deployment, at: fc.nat(), result }),
    fc.record({ kind: fc.constant('gone' as const), deployment }),
  );
  const eventsArbitrary = fc.array(eventArbitrary, { maxLength: 20 });
  const run = (events: readonly RestartEvent[]) =>
    events.reduce<Restarts>(reduceRestarts, new Map());

  it('knows of each deployment what its own events say', () => {
    fc.assert(
      fc.property(eventsArbitrary, deployment, (events, one) => {
        const alone = run(events.filter((event) => event.deployment === one));
        expect(run(events).get(one)).toEqual(alone.get(one));
      }),
    );
  });

  it('never changes a state that was published, and gives the same one when nothing changes', () => {
    fc.assert(
      fc.property(eventsArbitrary, eventArbitrary, (events, event) => {
        const before = run(events);
        const copy = new Map(before);
        const after = reduceRestarts(before, event);
        expect(before).toEqual(copy);
        expect(after === before).toBe(
          after.size === before.size && [...after].every(([id, one]) => before.get(id) === one),
        );
      }),
    );
  });

  it('starts only from being asked, and settles only what is under way', () => {
    fc.assert(
      fc.property(eventsArbitrary, eventArbitrary, (events, event) => {
        const states = run(events);
        const before = states.get(event.deployment)?.kind;
        const after = reduceRestarts(states, event).get(event.deployment)?.kind;
        switch (event.kind) {
          case 'asked':
            expect(after).toBe('restarting');
            break;
          case 'answered':
            if (before !== 'restarting') expect(after).toBe(before);
            else if (event.result.ok) expect(after).toBeUndefined();
            else expect(after).toBe(event.result.error.unknownOutcome ? 'unknown' : 'failed');
            break;
          case 'gone':
            expect(after).toBeUndefined();
        }
      }),
    );
  });

  it('keeps the time of the restart under way when it is asked for again', () => {
    const first: RestartEvent = { kind: 'asked', deployment: 'a', at: 1 };
    expect(run([first, { ...first, at: 9 }]).get('a')).toEqual({ kind: 'restarting', since: 1 });
  });
});
