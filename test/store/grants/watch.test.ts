import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Result } from '../../../source/client/http/errors.ts';
import { type Grant, deriveGrantState } from '../../../source/contract/grants.ts';
import type { GrantsSnapshot } from '../../../source/store/grants/notices.ts';
import { watchGrants } from '../../../source/store/grants/watch.ts';
import { createListing } from '../../../source/store/lists/listing.ts';
import type { Reach } from '../../../source/store/lists/reach.ts';
import { createTestClock, settled } from '../../support/clock.ts';
import { read, success } from '../requests.ts';

const hour = 3_600_000;

/** Watches grants of a service whose clock is `ahead` ms of ours. */
function openWatch(ahead = 0) {
  const clock = createTestClock();
  const reach = createStore<Reach>(() => ({ kind: 'up' }));
  const serviceNow = () => clock.now() + ahead;
  const looks: { readonly before: GrantsSnapshot; readonly now: GrantsSnapshot }[] = [];
  let answer: Result<readonly DecodedRecord<Grant>[]> = success([]);
  let fetches = 0;
  const list = createListing<Grant>({
    clock,
    key: ({ id }) => id,
    async fetchRows() {
      fetches += 1;
      return answer;
    },
  });
  function become(...grants: readonly Partial<Grant>[]): void {
    answer = success(
      grants.map((grant, index) =>
        read<Grant>({
          id: `${index}`,
          grantor: '0xa',
          grantee: '0xb',
          limit: 10,
          spent: 1,
          expires_at: 'never',
          created_at: '2026-01-01T00:00:00Z',
          ...grant,
        }),
      ),
    );
  }
  const end = watchGrants({
    list,
    clock,
    serviceNow,
    reach,
    onLook: (before, now) => looks.push({ before, now }),
  });
  return {
    clock,
    reach,
    list,
    looks,
    end,
    serviceNow,
    fetches: () => fetches,
    /** Changes the answer of the service without fetching it. */
    become,
    async answerWith(...grants: readonly Partial<Grant>[]) {
      become(...grants);
      await list.refresh();
    },
    expiresIn: (milliseconds: number) => new Date(serviceNow() + milliseconds).toISOString(),
  };
}

describe('watched grants', () => {
  it('are compared from the second answer on', async () => {
    const watch = openWatch();
    await watch.answerWith({});
    expect(watch.looks).toEqual([]);
    await watch.answerWith({ spent: 10 });
    expect(watch.looks.map(({ before, now }) => [before, now].map(spentOf))).toEqual([[[1], [10]]]);
  });

  it('are compared after they are shown where there are many', async () => {
    const watch = openWatch();
    const many = (spent: number) => Array.from({ length: 500 }, () => ({ spent }));
    await watch.answerWith(...many(1));
    await watch.clock.advance(0);
    await watch.answerWith(...many(2));
    expect(watch.list.state.getState().rows).toHaveLength(500);
    expect(watch.looks).toHaveLength(0);
    await watch.clock.advance(0);
    expect(watch.looks).toHaveLength(1);
  });

  it.each([0, hour, -hour])(
    "are looked at when one expires by the service's clock, %i ms from ours",
    async (ahead) => {
      const watch = openWatch(ahead);
      watch.reach.setState({ kind: 'connecting' });
      await watch.answerWith({ expires_at: watch.expiresIn(700) }, { status: 'revoked' });
      let told = 0;
      watch.list.state.subscribe(() => void (told += 1));
      await watch.clock.advance(699);
      expect(watch.looks).toHaveLength(0);
      await watch.clock.advance(1);
      expect(watch.looks).toHaveLength(1);
      expect(watch.looks[0]?.now.at).toBe(watch.serviceNow());
      expect(told).toBe(1);
      await watch.clock.advance(10 * hour);
      expect(watch.looks).toHaveLength(1);
    },
  );

  it('are not compared again after an unchanged answer', async () => {
    const watch = openWatch();
    await watch.answerWith({ expires_at: watch.expiresIn(20_000) });
    await watch.clock.advance(19_999);
    expect(watch.fetches()).toBeGreaterThan(5);
    expect(watch.looks).toEqual([]);
    await watch.clock.advance(1);
    expect(watch.looks).toHaveLength(1);
  });

  it.each(
    [-hour, 0, hour].flatMap((ahead) =>
      (['limit reached', 'revoked', 'not listed', 'expired'] as const).map(
        (turn) => [turn, ahead] as const,
      ),
    ),
  )(
    'that the other side leaves %s are so within 2 s, its clock %i ms from ours',
    async (turn, ahead) => {
      const watch = openWatch(ahead);
      const watched = { expires_at: watch.expiresIn(hour), spent: 1 };
      await watch.answerWith(watched, { ...watched, expires_at: watch.expiresIn(2 * hour) });
      const other = { expires_at: watch.expiresIn(2 * hour) };
      const states = () =>
        watch.list.state
          .getState()
          .rows.map(({ value }) => [value.id, deriveGrantState(value, watch.serviceNow())]);
      expect(states()).toEqual([
        ['0', 'active'],
        ['1', 'active'],
      ]);
      const turned = {
        'limit reached': { ...watched, spent: 10 },
        revoked: { ...watched, revoked_at: new Date(watch.serviceNow()).toISOString() },
        // The grant ends sooner than listed.
        expired: { ...watched, expires_at: new Date(watch.serviceNow() + 1500).toISOString() },
        'not listed': undefined,
      }[turn];
      watch.become(...(turned === undefined ? [] : [turned]), { id: '1', ...other });
      await watch.clock.advance(2000);
      expect(watch.looks.at(-1)?.now.at).toBeGreaterThan(watch.serviceNow() - 2000);
      const rest = [['1', 'active']];
      expect(states()).toEqual(turn === 'not listed' ? rest : [['0', turn], ...rest]);
    },
  );

  it('are checked in time even if they end after the longest timer', async () => {
    const watch = openWatch();
    watch.reach.setState({ kind: 'connecting' });
    await watch.answerWith({ expires_at: watch.expiresIn(30 * hour) });
    expect(Math.max(...watch.clock.waiting())).toBeLessThan(2 ** 31);
    await watch.clock.advance(30 * hour);
    expect(watch.looks.at(-1)?.now.at).toBe(watch.serviceNow());
  });

  it('are fetched again within 2 s while one is active, later if they are many', async () => {
    const watch = openWatch();
    await watch.answerWith({ status: 'revoked' });
    await watch.clock.advance(10_000);
    expect(watch.fetches()).toBe(1);
    await watch.answerWith({});
    await watch.clock.advance(10_000);
    expect(watch.fetches()).toBeGreaterThan(2 + 10 / 2);
    await watch.answerWith(...Array.from({ length: 10_000 }, () => ({})));
    const before = watch.fetches();
    await watch.clock.advance(10_000);
    expect(watch.fetches() - before).toBeLessThan(4);
  });

  it('are not fetched while the service is down, or after a stop', async () => {
    const watch = openWatch();
    await watch.answerWith({});
    watch.reach.setState({ kind: 'connecting' });
    await watch.clock.advance(10_000);
    expect(watch.fetches()).toBe(1);
    watch.reach.setState({ kind: 'up' });
    await watch.answerWith({ expires_at: watch.expiresIn(500) });
    watch.end();
    expect(watch.clock.waiting()).toEqual([]);
    await settled();
    expect(watch.fetches()).toBe(2);
  });
});

function spentOf({ rows }: GrantsSnapshot): readonly number[] {
  return rows.map(({ value }) => value.spent);
}
