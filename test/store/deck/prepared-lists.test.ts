import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import { deploymentPreparations } from '../../../source/store/deployments/visible.ts';
import { prepareLists } from '../../../source/store/deck/prepared-lists.ts';
import { createTestClock } from '../../support/clock.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';

function countedRows(count: number) {
  let asked = 0;
  const rows = Array.from({ length: count }, (_, index): DecodedRecord<Deployment> => {
    const value = { id: `id-${index}`, state: 'active', services: [] } as unknown as Deployment;
    Object.defineProperty(value, 'name', {
      get() {
        asked += 1;
        return `shop-${index}`;
      },
    });
    return { value, unknown: {} };
  });
  return { rows, asked: () => asked };
}

test.each([
  ['a long list is got ready once it has been at rest', 1000, true],
  ['a short list is left alone', 999, false],
])('%s', async (_, count, ready) => {
  const clock = createTestClock();
  const state = createStore<{ readonly rows: readonly DecodedRecord<Deployment>[] }>(() => ({
    rows: [],
  }));
  const steps = () => deploymentPreparations(state.getState().rows);
  const stop = prepareLists({ clock, keyPause: { workTurn: async () => {} } }, [{ state, steps }]);
  const first = countedRows(count);
  const second = countedRows(count);
  state.setState({ rows: first.rows });
  await clock.advance(900);
  state.setState({ rows: second.rows });
  await clock.advance(2000);
  expect(first.asked()).toBe(0);
  expect(second.asked() > 0).toBe(ready);
  stop();
});

test('a list that is long from the start is got ready too', async () => {
  const clock = createTestClock();
  const { rows, asked } = countedRows(1000);
  const state = createStore(() => ({ rows }));
  const stop = prepareLists({ clock, keyPause: { workTurn: async () => {} } }, [
    { state, steps: () => deploymentPreparations(rows) },
  ]);
  await clock.advance(2000);
  expect(asked()).toBeGreaterThan(0);
  stop();
});
