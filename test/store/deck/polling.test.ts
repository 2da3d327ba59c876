import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createPolling,
  isAway,
  probeInterval,
  probeBackoff,
} from '../../../source/store/deck/polling.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, done, failure, type Request } from '../requests.ts';

const start = Date.UTC(2026, 0, 1);
const hour = 3_600_000;

function createFixture() {
  const clock = createTestClock(start);
  const probes = createRequests<void>();
  const quick = createRequests<void>();
  const slow = createRequests<void>();
  const refresh = createPolling({
    clock,
    probe: () => probes.send([]),
    tasks: [
      { interval: 3000, run: () => quick.send([]) },
      { interval: 10_000, run: () => slow.send([]) },
    ],
  });
  const counts = () => [probes, quick, slow].map((requests) => requests.sent.length);
  const answerAll = async () => {
    for (const request of [...probes.sent, ...quick.sent, ...slow.sent]) await request.answer(done);
  };
  return { clock, probes, quick, slow, refresh, counts, answerAll, reach: refresh.reach };
}

describe('reach', () => {
  it('is connecting until the first answer, then up', async () => {
    const { probes, refresh, reach } = createFixture();
    refresh.start();
    expect(reach.getState()).toEqual({ kind: 'connecting' });
    await probes.last().answer(done);
    expect(reach.getState()).toEqual({ kind: 'up' });
  });

  it('is up when the service refuses a request', async () => {
    for (const code of ['unauthorized', 'forbidden', 'not-found', 'wrong-shape'] as const) {
      const { probes, refresh, reach } = createFixture();
      refresh.start();
      await probes.last().answer(failure(code));
      expect(reach.getState()).toEqual({ kind: 'up' });
    }
  });

  it('is away since the first failure, with the time of the next attempt', async () => {
    const { clock, probes, refresh, reach } = createFixture();
    refresh.start();
    const refused = failure('refused');
    await probes.last().answer(refused);
    const { error } = refused;
    expect(reach.getState()).toEqual({ kind: 'away', since: start, nextTry: start + 1000, error });
    await clock.advance(1000);
    const timeout = failure('timeout');
    await probes.last().answer(timeout);
    expect(reach.getState()).toEqual({
      kind: 'away',
      since: start,
      nextTry: start + 3000,
      error: timeout.error,
    });
  });

  it('counts from the first request without an answer, not from its failure', async () => {
    const { clock, probes, quick, slow, refresh, reach } = createFixture();
    refresh.start();
    for (const requests of [probes, quick, slow]) await requests.last().answer(done);
    await clock.advance(probeInterval);
    await clock.advance(30_000);
    await probes.last().answer(failure('timeout'));
    expect(reach.getState()).toMatchObject({ kind: 'away', since: start + probeInterval });
    await clock.advance(1000);
    await probes.last().answer(failure('refused'));
    expect(reach.getState()).toMatchObject({ kind: 'away', since: start + probeInterval });
  });

  it('counts from the last answer, if another request got one meanwhile', async () => {
    for (const answer of [done, failure('forbidden')]) {
      const { clock, probes, quick, refresh, reach } = createFixture();
      refresh.start();
      await probes.last().answer(done);
      await clock.advance(probeInterval);
      await clock.advance(20_000);
      await quick.last().answer(answer);
      await clock.advance(10_000);
      await probes.last().answer(failure('timeout'));
      expect(reach.getState()).toMatchObject({ since: start + probeInterval + 20_000 });
    }
  });

  it('does not take the failure of another request for an answer', async () => {
    const { clock, probes, quick, refresh, reach } = createFixture();
    refresh.start();
    await probes.last().answer(done);
    await clock.advance(probeInterval);
    await quick.last().answer(failure('disconnected'));
    await clock.advance(10_000);
    await probes.last().answer(failure('timeout'));
    expect(reach.getState()).toMatchObject({ since: start + probeInterval });
  });

  it('knows since when nothing was answered before the request has failed', async () => {
    const { clock, probes, refresh } = createFixture();
    expect(refresh.silentSince()).toBeUndefined();
    refresh.start();
    expect(refresh.silentSince()).toBe(start);
    await probes.last().answer(done);
    expect(refresh.silentSince()).toBeUndefined();
    await clock.advance(probeInterval + 20_000);
    expect(refresh.silentSince()).toBe(start + probeInterval);
    await probes.last().answer(failure('unauthorized'));
    expect(refresh.silentSince()).toBeUndefined();
    await clock.advance(probeInterval);
    refresh.stop();
    expect(refresh.silentSince()).toBeUndefined();
  });

  it('does not change for a probe that was aborted', async () => {
    const { clock, probes, refresh, reach } = createFixture();
    refresh.start();
    await probes.last().answer(failure('refused'));
    const away = reach.getState();
    await clock.advance(1000);
    await probes.last().answer(failure('aborted'));
    expect(reach.getState()).toBe(away);
    await clock.advance(probeInterval);
    expect(probes.sent).toHaveLength(3);
  });
});

describe('pace', () => {
  it('probes 3 s after each answer, however long it took', async () => {
    const { clock, probes, refresh, counts } = createFixture();
    refresh.start();
    await clock.advance(20_000);
    expect(counts()).toEqual([1, 0, 0]);
    await probes.last().answer(done);
    await clock.advance(probeInterval - 1);
    expect(probes.sent).toHaveLength(1);
    await clock.advance(1);
    expect(probes.sent).toHaveLength(2);
  });

  it('runs every task with the first answer, and then each at its own interval', async () => {
    const { clock, refresh, counts, answerAll } = createFixture();
    refresh.start();
    await answerAll();
    expect(counts()).toEqual([1, 1, 1]);
    const seen: number[][] = [];
    for (let second = 3; second <= 24; second += 3) {
      await answerAll();
      await clock.advance(3000);
      await answerAll();
      seen.push(counts());
    }
    expect(seen).toEqual([
      [2, 2, 1],
      [3, 3, 1],
      [4, 4, 1],
      [5, 5, 2],
      [6, 6, 2],
      [7, 7, 2],
      [8, 8, 2],
      [9, 9, 3],
    ]);
  });

  it('does not repeat a task that takes longer than its interval', async () => {
    const { clock, probes, quick, refresh } = createFixture();
    refresh.start();
    await probes.last().answer(done);
    await clock.advance(3000);
    await probes.last().answer(done);
    expect(quick.sent).toHaveLength(1);
    await quick.last().answer(done);
    await clock.advance(3000);
    await probes.last().answer(done);
    expect(quick.sent).toHaveLength(2);
  });

  it('continues when the clock is set back', async () => {
    const { clock, probes, quick, refresh, answerAll } = createFixture();
    refresh.start();
    await answerAll();
    await answerAll();
    clock.set(start - hour);
    await clock.advance(3000);
    await probes.last().answer(done);
    expect(quick.sent).toHaveLength(2);
  });
});

describe('away', () => {
  it('backs off to 10 s and sends only the probe', async () => {
    const { clock, probes, refresh, counts } = createFixture();
    refresh.start();
    const waits: (number | undefined)[] = [];
    for (let probe = 0; probe < 7; probe += 1) {
      await probes.last().answer(failure('refused'));
      const [wait = 0, ...others] = clock.waiting();
      expect(others).toEqual([]);
      waits.push(wait);
      await clock.advance(wait);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 10_000, 10_000, 10_000]);
    expect(counts()).toEqual([8, 0, 0]);
  });

  it('fetches everything with the first answer, and resets the backoff', async () => {
    const { clock, probes, refresh, counts, answerAll, reach } = createFixture();
    refresh.start();
    await answerAll();
    await answerAll();
    await clock.advance(3000);
    await probes.last().answer(failure('disconnected'));
    await clock.advance(1000);
    await probes.last().answer(failure('disconnected'));
    expect(counts()).toEqual([3, 1, 1]);
    await clock.advance(2000);
    await probes.last().answer(done);
    expect(reach.getState()).toEqual({ kind: 'up' });
    expect(counts()).toEqual([4, 2, 2]);
    await clock.advance(3000);
    await probes.last().answer(failure('disconnected'));
    expect(clock.waiting()).toEqual([1000]);
  });

  it('repeats a fetch that was running when the service became unreachable', async () => {
    const { clock, probes, quick, refresh } = createFixture();
    refresh.start();
    await probes.last().answer(done);
    await clock.advance(3000);
    await probes.last().answer(failure('disconnected'));
    await clock.advance(1000);
    await probes.last().answer(done);
    expect(quick.sent).toHaveLength(2);
  });

  it('honours Retry-After', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    await probes.last().answer(failure('service-error', { status: 503, retryAfter: 30 }));
    expect(clock.waiting()).toEqual([30_000]);
  });
});

describe('a service that limits our rate', () => {
  it('sends nothing until Retry-After has passed, and counts as up', async () => {
    const { clock, probes, refresh, counts, reach } = createFixture();
    refresh.start();
    await probes.last().answer(failure('rate-limited', { status: 429, retryAfter: 60 }));
    expect(reach.getState()).toEqual({ kind: 'up' });
    await clock.advance(59_999);
    expect(counts()).toEqual([1, 0, 0]);
    await clock.advance(1);
    await probes.last().answer(done);
    expect(counts()).toEqual([2, 1, 1]);
  });

  it('backs off without Retry-After', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    const waits: number[] = [];
    for (let probe = 0; probe < 6; probe += 1) {
      await probes.last().answer(failure('rate-limited', { status: 429 }));
      const [wait = 0] = clock.waiting();
      waits.push(wait);
      await clock.advance(wait);
    }
    expect(waits).toEqual([3000, 3000, 4000, 8000, 10_000, 10_000]);
  });

  it('delays only the list that the service limits', async () => {
    const { clock, quick, slow, refresh, answerAll } = createFixture();
    refresh.start();
    await answerAll();
    await quick.last().answer(failure('rate-limited', { status: 429, retryAfter: 20 }));
    for (let second = 3; second <= 18; second += 3) {
      await answerAll();
      await clock.advance(3000);
    }
    await answerAll();
    expect(quick.sent).toHaveLength(1);
    expect(slow.sent).toHaveLength(2);
    await clock.advance(3000);
    await answerAll();
    expect(quick.sent).toHaveLength(2);
  });
});

describe('now', () => {
  it('ends a backoff', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    await probes.last().answer(failure('refused'));
    refresh.now();
    expect(probes.sent).toHaveLength(2);
    expect(clock.waiting()).toEqual([]);
  });

  it('fetches every list, also one that is not due or still running', async () => {
    const { probes, refresh, counts } = createFixture();
    refresh.start();
    await probes.last().answer(done);
    refresh.now();
    await probes.last().answer(done);
    expect(counts()).toEqual([2, 2, 2]);
  });

  it('probes once more, right after the running probe, however often it is called', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    refresh.now();
    refresh.now();
    await probes.last().answer(done);
    await clock.advance(0);
    expect(probes.sent).toHaveLength(2);
    await probes.last().answer(done);
    await clock.advance(probeInterval - 1);
    expect(probes.sent).toHaveLength(2);
  });

  it('does nothing before the start and after the stop', () => {
    const { refresh, counts, clock } = createFixture();
    refresh.now();
    expect(counts()).toEqual([0, 0, 0]);
    refresh.start();
    refresh.stop();
    refresh.now();
    expect(counts()).toEqual([1, 0, 0]);
    expect(clock.waiting()).toEqual([]);
  });
});

describe('start and stop', () => {
  it('starts once, however often it is called', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    refresh.start();
    expect(probes.sent).toHaveLength(1);
    await probes.last().answer(done);
    refresh.start();
    expect(probes.sent).toHaveLength(1);
    expect(clock.waiting()).toEqual([probeInterval]);
  });

  it('leaves no timer and no fetch when it stops between two probes', async () => {
    const { clock, refresh, counts, answerAll } = createFixture();
    refresh.start();
    await answerAll();
    refresh.stop();
    expect(clock.waiting()).toEqual([]);
    await clock.advance(hour);
    expect(counts()).toEqual([1, 1, 1]);
  });

  it('drops the answer that comes after the stop', async () => {
    const { clock, probes, refresh, counts, reach } = createFixture();
    refresh.start();
    refresh.stop();
    await probes.last().answer(done);
    expect(reach.getState()).toEqual({ kind: 'connecting' });
    expect(counts()).toEqual([1, 0, 0]);
    expect(clock.waiting()).toEqual([]);
  });

  it('keeps one cycle when it is started again before the last answer', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.start();
    refresh.stop();
    refresh.start();
    expect(probes.sent).toHaveLength(2);
    const [before, after] = probes.sent;
    await after?.answer(done);
    await before?.answer(failure('refused'));
    expect(refresh.reach.getState()).toEqual({ kind: 'up' });
    expect(clock.waiting()).toEqual([probeInterval]);
  });

  it('stops when a subscriber of the reach stops it', async () => {
    const { clock, probes, refresh } = createFixture();
    refresh.reach.subscribe(() => refresh.stop());
    refresh.start();
    await probes.last().answer(failure('refused'));
    expect(clock.waiting()).toEqual([]);
  });
});

it('has one probe or one timer while it runs, and neither after it stopped', async () => {
  const stepArbitrary = fc.oneof(
    fc.constantFrom('start' as const, 'stop' as const, 'now' as const),
    fc.constantFrom('aborted', 'forbidden', 'rate-limited', 'refused').map((code) => failure(code)),
    fc.constant(done),
    fc.integer({ min: 0, max: 12_000 }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { maxLength: 30 }), async (steps) => {
      const { clock, probes, refresh } = createFixture();
      // Probes that a stop left behind are answered as well, after later ones.
      const open: Request<void>[] = [];
      let left: readonly Request<void>[] = [];
      let seen = 0;
      let running = false;
      for (const step of steps) {
        if (typeof step === 'number') await clock.advance(step);
        else if (typeof step === 'object') await open.pop()?.answer(step);
        else {
          refresh[step]();
          if (step !== 'now') running = step === 'start';
          if (step === 'stop') left = [...open];
        }
        await clock.advance(0);
        open.push(...probes.sent.slice(seen));
        seen = probes.sent.length;
        const current = open.filter((probe) => !left.includes(probe));
        expect(current.length + clock.waiting().length).toBe(running ? 1 : 0);
      }
    }),
    { numRuns: 100 },
  );
});

it('waits longer with each attempt, within its bounds, and never less than Retry-After', () => {
  const attempts = fc.nat({ max: 5000 });
  const asked = fc.option(fc.integer({ min: 0, max: 1e9 }), { nil: undefined });
  fc.assert(
    fc.property(attempts, asked, (attempt, retryAfter) => {
      const { error } = failure('refused', { retryAfter });
      const delay = probeBackoff(attempt, error);
      expect(delay).toBeGreaterThanOrEqual(1000);
      expect(delay).toBeGreaterThanOrEqual(Math.min(hour, (retryAfter ?? 0) * 1000));
      expect(delay).toBeLessThanOrEqual(Math.max(10_000, Math.min(hour, (retryAfter ?? 0) * 1000)));
      expect(probeBackoff(attempt + 1, error)).toBeGreaterThanOrEqual(delay);
    }),
  );
});

it('counts only connection failures and service errors as away', () => {
  const away = ['refused', 'dns', 'tls', 'timeout', 'disconnected', 'service-error'] as const;
  const there = [
    'aborted',
    'redirected',
    'unauthorized',
    'forbidden',
    'not-found',
    'conflict',
    'too-large',
    'invalid',
    'rate-limited',
    'bad-request',
    'unreadable',
    'wrong-shape',
    'oversized-answer',
    'local',
  ] as const;
  expect(away.filter((code) => !isAway(failure(code).error))).toEqual([]);
  expect(there.filter((code) => isAway(failure(code).error))).toEqual([]);
});
