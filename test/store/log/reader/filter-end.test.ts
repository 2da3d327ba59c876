import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LogFilterState } from '../../../../source/store/log/reader/filter.ts';
import { waitForFilter } from '../../../../source/store/log/reader/filter.ts';

function filterThat(state: Partial<LogFilterState>) {
  const active = [{ query: { text: 'pay', regex: false }, isExcluding: false, isOn: true }];
  const rest = {
    services: undefined,
    members: undefined,
    problem: undefined,
    matched: 0,
    looked: 2,
    total: 9,
  };
  const store = createStore<LogFilterState>(() => ({
    filters: [],
    active,
    ...rest,
    done: false,
    ...state,
  }));
  const ending = new AbortController();
  const reports: string[] = [];
  const onProgress = (looked: number, total: number) => reports.push(`${looked} of ${total}`);
  return {
    store,
    ending,
    told: reports,
    end: waitForFilter(
      { state: store, isDone: () => store.getState().done },
      ending.signal,
      onProgress,
    ),
  };
}

test('a completed filter resolves at once', async () => {
  const { end, told } = filterThat({ done: true });
  expect(await end).toBe('done');
  expect(told).toEqual([]);
});

test('a running filter reports progress until it is done', async () => {
  const { store, end, told } = filterThat({});
  store.setState({ looked: 5 });
  store.setState({ looked: 9, done: true });
  store.setState({ looked: 3, done: false });
  expect(await end).toBe('done');
  expect(told).toEqual(['2 of 9', '5 of 9']);
});

test('other filters, other services and an abort end the wait', async () => {
  const other = filterThat({});
  other.store.setState({ active: undefined, done: true });
  expect(await other.end).toBe('moved');
  const services = filterThat({});
  services.store.setState({ services: new Set(['web']) });
  expect(await services.end).toBe('moved');
  const aborted = filterThat({});
  aborted.ending.abort();
  aborted.store.setState({ done: true });
  expect(await aborted.end).toBe('cancelled');
});
