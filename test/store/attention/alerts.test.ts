import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { createAlerts } from '../../../source/store/attention/alerts.ts';

function watch(failing: readonly string[]) {
  const attention = createStore(() => ({ failing }));
  return { alerts: createAlerts(attention), attention };
}

test('each failure opens an alert until somebody looks at it', () => {
  const { alerts } = watch(['a', 'b']);
  expect(alerts.state.getState()).toEqual(['a', 'b']);
  expect(alerts.next(undefined)).toBe('a');
  alerts.close('a');
  expect(alerts.state.getState()).toEqual(['b']);
  expect(alerts.next('a')).toBe('b');
});

test('a recovery closes an alert, and the next failure opens another', () => {
  const { alerts, attention } = watch(['a', 'b']);
  alerts.close('b');
  attention.setState({ failing: ['b'] });
  expect(alerts.state.getState()).toEqual([]);
  attention.setState({ failing: [] });
  attention.setState({ failing: ['b'] });
  expect(alerts.state.getState()).toEqual(['b']);
});

test('without open alerts, the failing deployments come in turn', () => {
  const { alerts } = watch(['a', 'b']);
  alerts.close('a');
  alerts.close('b');
  expect(['a', 'b', 'elsewhere'].map((id) => alerts.next(id))).toEqual(['b', 'a', 'a']);
});

test('nothing comes next where nothing fails', () => {
  const { alerts } = watch([]);
  expect(alerts.next(undefined)).toBeUndefined();
  expect(alerts.next('a')).toBeUndefined();
});
