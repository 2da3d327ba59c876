import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { createAttention } from '../../../source/store/alerts/attention.ts';
import { type Condition, conditionOf } from '../../../source/store/alerts/condition.ts';
import {
  isCrashing,
  observeStarts,
  type StartHistory,
} from '../../../source/store/alerts/starts.ts';
import { visibleDeployments } from '../../../source/store/deployments/visible.ts';
import type { Restart, Restarts } from '../../../source/store/restarts/state.ts';
import { createKeyPause, pauseTime } from '../../../source/store/time/key-pause.ts';
import { createTestClock } from '../../support/clock.ts';
import { read } from '../requests.ts';

type Rows = readonly DecodedRecord<Deployment>[];

const changes = { files: [{ service: 'web', path: 'a' }], since: 0 };
const unapplied: Restart = { kind: 'unapplied', changes };

/** The attention to a list and to restarts that the test sets. */
function watch(names: Readonly<Record<string, string>>) {
  const clock = createTestClock();
  let offset = 0;
  const deployments = createStore<{ readonly rows: Rows }>(() => ({ rows: rowsOf(names) }));
  const restarts = createStore<Restarts>(() => new Map());
  const keyPause = createKeyPause(clock);
  const attention = createAttention({
    keyPause,
    deployments,
    restarts,
    clock: { ...clock, serviceNow: () => clock.now() + offset },
  });
  return {
    clock,
    keyPause,
    attention,
    setServiceClock: (milliseconds: number) => void (offset = milliseconds),
    list: (states: Readonly<Record<string, string>>) =>
      deployments.setState({ rows: rowsOf(states) }),
    listRows: (rows: Rows) => deployments.setState({ rows }),
    setRestart: (name: string, restart: Restart) =>
      restarts.setState(new Map([[name, restart]]), true),
    order: (filter = '') =>
      visibleDeployments(
        deployments.getState().rows,
        filter,
        undefined,
        attention.state.getState(),
      ).map(({ value }) => value.id),
  };
}

function rowsOf(states: Readonly<Record<string, string>>): Rows {
  return Object.entries(states).map(([name, state]) =>
    read<Deployment>({ id: name, name, state, services: [] }),
  );
}

describe('the order of attention', () => {
  it('lists failures first, then pending restarts, then the others by name', () => {
    const { order, setRestart } = watch({
      web2: 'active',
      web10: 'active',
      old: 'closed',
      ledger: 'active',
      exit3: 'failed',
    });
    setRestart('ledger', unapplied);
    expect(order()).toEqual(['exit3', 'ledger', 'web2', 'web10', 'old']);
  });

  it('moves no row within two seconds of a key', async () => {
    const { keyPause, clock, list, order } = watch({ a: 'active', b: 'active' });
    keyPause.keyPressed();
    list({ a: 'active', b: 'failed' });
    expect(order()).toEqual(['a', 'b']);
    await clock.advance(pauseTime - 1);
    keyPause.keyPressed();
    await clock.advance(pauseTime - 1);
    expect(order()).toEqual(['a', 'b']);
    await clock.advance(1);
    expect(order()).toEqual(['b', 'a']);
  });

  it('changes with the conditions, without an order between', () => {
    const { attention, list, order } = watch({});
    const orders: (readonly string[])[] = [];
    attention.state.subscribe(() => void orders.push(order()));
    list({ web: 'active', api: 'active', job: 'failed' });
    expect(orders).toEqual([['job', 'api', 'web']]);
    list({ web: 'failed', api: 'active', job: 'active' });
    expect(orders.slice(1)).toEqual([['web', 'api', 'job']]);
  });

  it('holds for the first rows, also while a person types', () => {
    const { keyPause, list, order } = watch({});
    keyPause.keyPressed();
    list({ web: 'active', api: 'failed' });
    expect(order()).toEqual(['api', 'web']);
  });

  it('keeps all rows whatever their states become', () => {
    const { list, order } = watch({ a: 'active' });
    list({ a: 'failed', b: 'error', c: 'closed' });
    expect(order()).toHaveLength(3);
    list({});
    expect(order()).toEqual([]);
  });
});

describe('the filter of the list', () => {
  it('matches the state that the row shows, and the own word of the service', () => {
    const { order, setRestart } = watch({ a: 'active', b: 'failed', c: 'Rolling' });
    setRestart('a', unapplied);
    expect(order('failed')).toEqual(['b']);
    expect(order('unapplied')).toEqual(['a']);
    expect(order('state:unapp')).toEqual(['a']);
    expect(order('state:active')).toEqual(['a']);
    expect(order('rolling')).toEqual(['c']);
  });

  it('follows a condition that changes while the rows do not', () => {
    const { order, setRestart } = watch({ a: 'active', b: 'active' });
    expect(order('unapplied')).toEqual([]);
    setRestart('b', unapplied);
    expect(order('unapplied')).toEqual(['b']);
  });
});

describe('deployments with an alert', () => {
  it('are listed, those whose alert began last first', () => {
    const { attention, list } = watch({ a: 'failed', b: 'active', c: 'active' });
    const alerting = () => attention.state.getState().alerting;
    expect(alerting()).toEqual(['a']);
    list({ a: 'failed', b: 'active', c: 'failed' });
    expect(alerting()).toEqual(['c', 'a']);
    list({ a: 'active', b: 'active', c: 'failed' });
    expect(alerting()).toEqual(['c']);
  });

  it('stop crashing five minutes after the last crash, without another answer', async () => {
    const { attention, clock, listRows } = watch({});
    const startedAt = new Date(clock.now()).toISOString();
    const services = [{ name: 'web', restarts: 3, startedAt }];
    listRows([read<Deployment>({ id: 'a', state: 'active', services })]);
    const kind = () => attention.state.getState().conditions.get('a')?.kind;
    expect(kind()).toBe('crashing');
    await clock.advance(299_000);
    expect(kind()).toBe('crashing');
    await clock.advance(1000);
    expect(kind()).toBe('own');
  });

  it('stop crashing when the clock of the service is set back meanwhile', async () => {
    const { attention, clock, listRows, setServiceClock } = watch({});
    const startedAt = new Date(clock.now()).toISOString();
    const services = [{ name: 'web', restarts: 3, startedAt }];
    listRows([read<Deployment>({ id: 'a', state: 'active', services })]);
    const kind = () => attention.state.getState().conditions.get('a')?.kind;
    setServiceClock(-2000);
    await clock.advance(301_000);
    expect(kind()).toBe('crashing');
    await clock.advance(1000);
    expect(kind()).toBe('own');
  });

  it('change nothing for a list that changed in nothing that they show', () => {
    const { attention, list } = watch({ a: 'failed', b: 'active' });
    const before = attention.state.getState();
    list({ a: 'failed', b: 'active' });
    expect(attention.state.getState()).toBe(before);
  });
});

describe('conditions', () => {
  const service = fc.record({
    name: fc.constantFrom('web', 'api'),
    state: fc.constantFrom(undefined, 'active', 'failed'),
    restarts: fc.constantFrom(undefined, 0, 1, 4),
    startedAt: fc.constantFrom(undefined, '2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'),
  });
  const listing = fc.uniqueArray(
    fc.record({
      id: fc.constantFrom('a', 'b', 'c', 'd'),
      state: fc.constantFrom(undefined, 'active', 'closed', 'error'),
      services: fc.array(service, { maxLength: 2 }),
    }),
    { selector: ({ id }) => id },
  );

  it('are those of each list and the histories by id, prepared or not', async () => {
    const step = fc.tuple(
      listing,
      fc.constantFrom('a', 'b', 'none'),
      fc.nat({ max: 400_000 }),
      fc.record({ before: fc.boolean(), after: fc.boolean() }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const { attention, clock, listRows, setRestart } = watch({});
        let histories: ReadonlyMap<string, StartHistory> = new Map();
        for (const [deployments, restarted, wait, prepared] of steps) {
          const rows = deployments.map(read<Deployment>);
          const prepare = () => {
            for (const run of attention.preparations(rows)) run();
          };
          // A restart makes a preparation of before it stale.
          if (prepared.before) prepare();
          setRestart(restarted, unapplied);
          if (prepared.after) prepare();
          const isAhead = prepared.after && rows.length > 0;
          const foreseen = isAhead ? attention.expected(rows) : undefined;
          listRows(rows);
          const { conditions, keys } = attention.state.getState();
          if (foreseen !== undefined) {
            expect(conditions).toEqual(foreseen.conditions);
            expect(keys).toEqual(foreseen.keys);
          }
          const now = clock.now();
          const observed = deployments.map((one) => observeStarts(histories.get(one.id), one, now));
          histories = new Map(observed.map((history) => [history.last.id, history]));
          const expected = observed.map((history): [string, Condition] => {
            const restart = history.last.id === restarted ? unapplied : undefined;
            return [history.last.id, conditionOf(history.last, isCrashing(history, now), restart)];
          });
          expect(conditions).toEqual(new Map(expected));
          await clock.advance(wait);
        }
        attention.stop();
      }),
    );
  });
});
