import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { type Alert, createAlerts } from '../../../source/store/attention/alerts.ts';

function watch(...ids: readonly string[]) {
  const failing = createStore(() => ({ ids }));
  const others = createStore<{ readonly active: readonly Alert[] }>(() => ({ active: [] }));
  const alerts = createAlerts([
    {
      active: () => failing.getState().ids.map((id) => ({ about: 'deployment', id })),
      subscribe: (changed) => failing.subscribe(changed),
    },
    {
      active: () => others.getState().active,
      subscribe: (changed) => others.subscribe(changed),
    },
  ]);
  const names = () => alerts.state.getState().map(nameOf);
  /** Looks at the next alert, as `!` does. */
  const look = (opened?: string) => {
    const alert = alerts.next(opened);
    if (alert !== undefined) alerts.close(alert);
    return alert && nameOf(alert);
  };
  const fail = (...failed: readonly string[]) => failing.setState({ ids: failed });
  const raise = (...active: readonly Alert[]) => others.setState({ active });
  return { alerts, names, look, fail, raise };
}

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
