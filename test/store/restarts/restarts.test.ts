import { describe, expect, it } from 'vitest';
import { settled } from '../../support/clock.ts';
import { done } from '../requests.ts';
import { config, createFixture, lost, page, refused, start } from './restarts-fixture.ts';

describe('a requested restart', () => {
  it('is in flight until its answer, and is removed after a success', async () => {
    const { requests, restarts, sent, of } = createFixture();
    expect(restarts.restart('shop')).toBe(true);
    expect(sent()).toEqual(['shop']);
    expect(of('shop')).toMatchObject({ kind: 'restarting', since: start });
    await requests.last().answer(done);
    expect(of('shop')).toBeUndefined();
  });

  it('that was refused stays with its error until the next one', async () => {
    const { clock, requests, restarts, of } = createFixture();
    restarts.restart('shop');
    await clock.advance(40);
    await requests.last().answer(refused);
    expect(of('shop')).toMatchObject({ kind: 'failed', at: start + 40, error: refused.error });
    restarts.restart('shop');
    expect(of('shop')).toMatchObject({ kind: 'restarting', since: start + 40 });
  });

  it('without an answer is unknown', async () => {
    const { requests, restarts, of } = createFixture();
    restarts.restart('shop');
    await requests.last().answer(lost);
    expect(of('shop')).toMatchObject({ kind: 'unknown', error: lost.error });
  });

  it('is sent once for repeated requests; another deployment has its own', () => {
    const { restarts, sent } = createFixture();
    restarts.restart('shop');
    expect(restarts.restart('shop')).toBe(false);
    restarts.restart('worker');
    expect(sent()).toEqual(['shop', 'worker']);
  });

  it('is dropped with its deployment, and a late answer changes nothing', async () => {
    const { requests, restarts, of } = createFixture();
    restarts.restart('shop');
    restarts.forget('shop');
    await requests.last().answer(lost);
    expect(of('shop')).toBeUndefined();
  });

  it('ignores the late answer to an earlier, dropped restart', async () => {
    const { requests, restarts, of } = createFixture();
    restarts.restart('shop');
    restarts.forget('shop');
    restarts.restart('shop');
    const [first, second] = requests.sent;
    await first?.answer(done);
    expect(of('shop')).toMatchObject({ kind: 'restarting' });
    await second?.answer(done);
    expect(of('shop')).toBeUndefined();
  });

  it('publishes nothing when nothing changes', () => {
    const { restarts } = createFixture();
    restarts.restart('shop');
    const before = restarts.state.getState();
    restarts.restart('shop');
    restarts.cancel('shop');
    restarts.forget('worker');
    expect(restarts.state.getState()).toBe(before);
  });
});

describe('a change', () => {
  it('restarts its deployment once, 5 s after the last change', async () => {
    const { clock, requests, restarts, sent, of } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(4000);
    expect(of('shop')).toMatchObject({ kind: 'counting', left: 1000 });
    restarts.filesChanged('shop', page, config);
    await clock.advance(4999);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual(['shop']);
    expect(of('shop')?.changes).toEqual({ files: [config, page], since: start });
    await requests.last().answer(done);
    await clock.advance(60_000);
    expect(sent()).toEqual(['shop']);
    expect(of('shop')).toBeUndefined();
  });

  it.each([3_600_000, -3_600_000])('counts as long when the clock jumps by %i ms', async (jump) => {
    const { clock, restarts, sent } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(2500);
    clock.set(clock.now() + jump);
    await clock.advance(2499);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual(['shop']);
  });

  it('restarts nothing when automatic restarts are off', async () => {
    const { clock, restarts, sent, of } = createFixture({ delay: 'off' });
    restarts.filesChanged('shop', config);
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
    expect(of('shop')).toMatchObject({ kind: 'unapplied', changes: { files: [config] } });
    restarts.restart('shop');
    expect(of('shop')).toMatchObject({ kind: 'restarting', changes: { files: [config] } });
  });

  it('during a restart starts a countdown after any answer', async () => {
    for (const [answer, files] of [
      [done, [page]],
      [refused, [config, page]],
    ] as const) {
      const { clock, requests, restarts, sent, of } = createFixture();
      restarts.filesChanged('shop', config);
      await clock.advance(5000);
      restarts.filesChanged('shop', page);
      await clock.advance(20_000);
      expect(sent()).toEqual(['shop']);
      await requests.last().answer(answer);
      expect(of('shop')).toMatchObject({ kind: 'counting', left: 5000, changes: { files } });
      await clock.advance(5000);
      expect(sent()).toEqual(['shop', 'shop']);
    }
  });

  it('during a restart can be cancelled, but not the restart in flight', async () => {
    const { clock, requests, restarts, sent, of } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(5000);
    expect(restarts.cancel('shop')).toBe(false);
    restarts.filesChanged('shop', page);
    expect(restarts.cancel('shop')).toBe(true);
    await requests.last().answer(done);
    await clock.advance(60_000);
    expect(sent()).toEqual(['shop']);
    expect(of('shop')).toMatchObject({ kind: 'unapplied', changes: { files: [page] } });
  });

  it('that was cancelled stays unapplied until the next restart', async () => {
    const { clock, restarts, sent, of } = createFixture();
    restarts.filesChanged('shop', config);
    expect(restarts.cancel('shop')).toBe(true);
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
    expect(of('shop')).toMatchObject({ kind: 'unapplied' });
    restarts.filesChanged('shop', page);
    await clock.advance(5000);
    expect(of('shop')).toMatchObject({ kind: 'restarting', changes: { files: [config, page] } });
    expect(restarts.cancel('shop')).toBe(false);
  });
});

describe('a file operation in flight', () => {
  it('delays the restart, and starts the countdown again after a change', async () => {
    const { clock, restarts, sent } = createFixture();
    restarts.filesChanged('shop', config);
    const ended = restarts.operation('shop');
    await clock.advance(20_000);
    expect(sent()).toEqual([]);
    ended(page);
    await clock.advance(4999);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual(['shop']);
  });

  it('that failed starts no countdown, and releases a waiting restart', async () => {
    const { clock, restarts, sent, of } = createFixture();
    restarts.operation('shop')();
    expect(of('shop')).toBeUndefined();
    restarts.filesChanged('shop', config);
    const ended = [restarts.operation('shop'), restarts.operation('shop')];
    await clock.advance(20_000);
    ended[0]?.();
    ended[0]?.();
    expect(sent()).toEqual([]);
    ended[1]?.();
    expect(sent()).toEqual(['shop']);
  });

  it('delays no other deployment', async () => {
    const { clock, restarts, sent } = createFixture();
    restarts.operation('worker');
    restarts.filesChanged('shop', config);
    await clock.advance(5000);
    expect(sent()).toEqual(['shop']);
  });
});

describe('while the person decides', () => {
  it('countdowns pause, then continue', async () => {
    const { clock, restarts, sent, of } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(1000);
    restarts.setPaused(true);
    await clock.advance(60_000);
    expect(of('shop')).toMatchObject({ left: 4000 });
    restarts.setPaused(false);
    await clock.advance(3999);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual(['shop']);
  });

  it('a countdown with less than 2 s left resumes with 2 s', async () => {
    const { clock, restarts, sent } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(4900);
    restarts.setPaused(true);
    restarts.setPaused(false);
    await clock.advance(1999);
    expect(sent()).toEqual([]);
    await clock.advance(1);
    expect(sent()).toEqual(['shop']);
  });

  it('the end of a file operation sends no waiting restart', async () => {
    const { clock, restarts, sent } = createFixture();
    restarts.filesChanged('shop', config);
    const ended = restarts.operation('shop');
    await clock.advance(5000);
    restarts.setPaused(true);
    ended();
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
    restarts.setPaused(false);
    await clock.advance(2000);
    expect(sent()).toEqual(['shop']);
  });
});

describe('the journal', () => {
  it('is written before the state is published and before an answer is reported', async () => {
    const writes: (() => void)[] = [];
    const told: string[] = [];
    const { clock, requests, restarts } = createFixture({
      journal: { write: () => new Promise((resolve) => void writes.push(resolve)) },
      onAnswer: (_, { ok }) => void told.push(`answered ${ok}`),
    });
    const kept = restarts
      .fileChanged({ deploymentId: 'shop', ...config })
      .then(() => told.push('kept'));
    await settled();
    expect(told).toEqual([]);
    writes[0]?.();
    await kept;
    await clock.advance(5000);
    writes[1]?.();
    await requests.last().answer(done);
    expect(told).toEqual(['kept']);
    for (const write of writes) write();
    await settled();
    expect(told).toEqual(['kept', 'answered true']);
  });

  it('is written at each change of the pending restarts only', async () => {
    const { clock, requests, restarts, journal } = createFixture({ name: () => 'Shop' });
    restarts.filesChanged('shop', config);
    const entry = { deploymentId: 'shop', name: 'Shop', files: [config], since: start };
    expect(journal).toEqual([[{ ...entry, state: 'counting', deadline: start + 5000 }]]);
    await clock.advance(4000);
    expect(journal).toHaveLength(1);
    await clock.advance(1000);
    await requests.last().answer(refused);
    expect(journal.at(-1)).toEqual([{ ...entry, state: 'failed' }]);
    restarts.cancel('shop');
    expect(journal.at(-1)).toEqual([{ ...entry, state: 'unapplied' }]);
    restarts.restart('shop');
    await requests.last().answer(done);
    expect(journal.at(-1)).toEqual([]);
  });

  it('keeps a restart until its answer', async () => {
    const { clock, restarts, journal, requests } = createFixture();
    restarts.filesChanged('shop', config);
    await clock.advance(5000);
    expect(journal.at(-1)).toMatchObject([{ deploymentId: 'shop', files: [config] }]);
    await requests.last().answer(lost);
    expect(journal.at(-1)).toMatchObject([{ state: 'failed', files: [config] }]);
  });

  it('has no entry for a restart without a change', async () => {
    const { restarts, journal, requests } = createFixture();
    restarts.restart('shop');
    await requests.last().answer(refused);
    expect(journal).toEqual([]);
  });

  it('offers the entries of an earlier run and never sends them automatically', async () => {
    const entry = {
      deploymentId: 'shop',
      name: 'Shop',
      files: [config],
      state: 'counting',
      since: 5,
      deadline: 6,
    } as const;
    const { clock, restarts, journal, sent, of } = createFixture({ owed: [entry] });
    restarts.setPaused(true);
    restarts.setPaused(false);
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
    expect(of('shop')).toEqual({ kind: 'owed', entry, changes: { files: [config], since: 5 } });
    restarts.filesChanged('worker', page);
    expect(journal.at(-1)).toMatchObject([entry, { deploymentId: 'worker' }]);
    restarts.filesChanged('shop', page);
    expect(of('shop')).toMatchObject({ kind: 'counting', changes: { files: [config, page] } });
  });

  it('merges the entries of several consoles for one deployment', () => {
    const entry = { deploymentId: 'shop', name: 'Shop', state: 'failed' } as const;
    const { of } = createFixture({
      owed: [
        { ...entry, files: [config], since: 5 },
        { ...entry, files: [page, config], since: 9 },
      ],
    });
    expect(of('shop')?.changes).toEqual({ files: [config, page], since: 5 });
  });
});

describe('at the end of the program', () => {
  const limit = 10_000;

  function settling(fixture: ReturnType<typeof createFixture>) {
    const end = { reached: false };
    void fixture.restarts.settle(limit).then(() => (end.reached = true));
    return end;
  }

  it('waits for countdowns, also paused ones, and sends the restarts', async () => {
    const fixture = createFixture();
    const { clock, restarts, requests, sent, journal } = fixture;
    restarts.filesChanged('shop', config);
    restarts.setPaused(true);
    const end = settling(fixture);
    restarts.setPaused(true);
    await clock.advance(5000);
    expect(sent()).toEqual(['shop']);
    expect(end.reached).toBe(false);
    await requests.last().answer(done);
    expect(end.reached).toBe(true);
    expect(journal.at(-1)).toEqual([]);
  });

  it('ends at once without countdowns, and never sends a cancelled restart', async () => {
    const fixture = createFixture();
    const { clock, restarts, sent } = fixture;
    restarts.filesChanged('shop', config);
    restarts.cancel('shop');
    const end = settling(fixture);
    await settled();
    expect(end.reached).toBe(true);
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
  });

  it('waits for a file operation and its restart', async () => {
    const fixture = createFixture();
    const { clock, restarts, requests, sent } = fixture;
    const ended = restarts.operation('shop');
    const end = settling(fixture);
    await clock.advance(1000);
    expect(end.reached).toBe(false);
    ended(config);
    await clock.advance(5000);
    expect(sent()).toEqual(['shop']);
    await requests.last().answer(done);
    expect(end.reached).toBe(true);
  });

  it('ends at the limit and sends nothing after it; the journal has the restart', async () => {
    const fixture = createFixture();
    const { clock, restarts, sent, journal } = fixture;
    restarts.filesChanged('shop', config);
    const ended = restarts.operation('shop');
    const end = settling(fixture);
    await clock.advance(limit);
    expect(end.reached).toBe(true);
    ended();
    await clock.advance(60_000);
    expect(sent()).toEqual([]);
    expect(journal.at(-1)).toMatchObject([{ deploymentId: 'shop', state: 'counting' }]);
  });

  it('does not wait for a countdown longer than the limit', async () => {
    const fixture = createFixture({ delay: 60_000 });
    fixture.restarts.filesChanged('shop', config);
    const end = settling(fixture);
    await settled();
    expect(end.reached).toBe(true);
    await fixture.clock.advance(60_000);
    expect(fixture.sent()).toEqual([]);
  });
});
