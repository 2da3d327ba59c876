import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Alert, AlertSources } from '../../../source/store/alerts/alert.ts';
import { Alerts } from '../../../source/store/alerts/alerts.ts';
import { createTestClock } from '../../support/clock.ts';

const isRejected = ({ about }: Alert): boolean => about === 'token';

/** A service with failing deployments, ending grants, and a token that may be rejected. */
function watch(...ids: readonly string[]) {
  const clock = createTestClock();
  const attention = createStore(() => ({ alerting: ids, conditions: new Map() }));
  const deployments = createStore<object>(() => ({}));
  const grants = createStore(() => ({ rows: [] as readonly object[], loadedAt: 0 }));
  const alerts = new Alerts({
    attention: { state: attention },
    deployments,
    grants,
    rateOf: () => undefined,
    wallet: () => '0xme',
    clock: { ...clock, serviceNow: () => clock.now() },
    lowDisk: () => undefined,
  } as unknown as AlertSources);
  const names = () => alerts.state.getState().map(nameOf);
  /** Looks at the next alert, as `!` does. */
  const look = (opened?: string) => {
    const alert = alerts.next(opened);
    if (alert !== undefined) alerts.close(alert);
    return alert && nameOf(alert);
  };
  const fail = (...alerting: readonly string[]) => attention.setState({ alerting });
  const raise = (...active: readonly Alert[]) => {
    deployments.setState({ error: active.some(isRejected) ? { code: 'unauthorized' } : undefined });
    const rows = active.flatMap((alert) => ('id' in alert ? [grantWithId(alert.id)] : []));
    grants.setState({ rows, loadedAt: clock.now() + rows.length });
  };
  return { alerts, names, look, fail, raise };
}

const grantWithId = (id: string) => {
  const grant = { id, grantor: '0xpayer', grantee: '0xme', limit: 5, spent: 0 };
  return { value: { ...grant, created_at: '2026-01-01', expires_at: '2026-01-01T01:00:00Z' } };
};

const nameOf = (alert: Alert): string => ('id' in alert ? alert.id : alert.about);

test('each cause opens an alert until somebody looks at it', () => {
  const { names, look } = watch('a', 'b');
  expect(names()).toEqual(['a', 'b']);
  expect(look()).toBe('a');
  expect(names()).toEqual(['b']);
  expect(look('a')).toBe('b');
  expect(names()).toEqual([]);
});

test('a recovery closes an alert, and the next failure opens another', () => {
  const { names, look, fail } = watch('b', 'a');
  expect(look()).toBe('b');
  fail('b');
  expect(names()).toEqual([]);
  fail();
  fail('b');
  expect(names()).toEqual(['b']);
});

test('the newest alert comes first, whatever it is about', () => {
  const { names, fail, raise } = watch('a');
  raise({ about: 'grant', id: 'g' });
  expect(names()).toEqual(['g', 'a']);
  raise({ about: 'token' }, { about: 'grant', id: 'g' });
  expect(names()).toEqual(['token', 'g', 'a']);
  fail('a', 'b');
  expect(names()).toEqual(['b', 'token', 'g', 'a']);
});

test('an open alert stays the same object', () => {
  const { alerts, fail } = watch('a');
  const [first] = alerts.state.getState();
  fail('a', 'b');
  expect(alerts.state.getState()[1]).toBe(first);
});

test('without open alerts, all of them come in turn', () => {
  const { look, raise } = watch('a', 'b');
  raise({ about: 'grant', id: 'g' });
  expect([look(), look(), look()]).toEqual(['g', 'a', 'b']);
  expect([look('b'), look('b'), look('a'), look('elsewhere')]).toEqual(['g', 'a', 'b', 'g']);
});

test('nothing comes next where nothing needs attention', () => {
  const { look } = watch();
  expect(look()).toBeUndefined();
  expect(look('a')).toBeUndefined();
});
