import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { LogFilterState } from '../../../../source/store/log/reader/filter.ts';
import { filterEnd } from '../../../../source/store/log/reader/filter-end.ts';

function filterThat(state: Partial<LogFilterState>) {
  const query = { text: 'pay', regex: false };
  const rest = { services: undefined, problem: undefined, matched: 0, looked: 2, total: 9 };
  const store = createStore<LogFilterState>(() => ({ query, ...rest, done: false, ...state }));
  const ending = new AbortController();
  const told: string[] = [];
  const onProgress = (looked: number, total: number) => told.push(`${looked} of ${total}`);
  return {
    store,
    ending,
    told,
    end: filterEnd(
      { state: store, isDone: () => store.getState().done },
      ending.signal,
      onProgress,
    ),
  };
}

test('a filter that has looked at all is not waited for', async () => {
  const { end, told } = filterThat({ done: true });
  expect(await end).toBe('done');
  expect(told).toEqual([]);
});

test('one that still looks is waited for, and how far it is is told', async () => {
  const { store, end, told } = filterThat({});
  store.setState({ looked: 5 });
  store.setState({ looked: 9, done: true });
  store.setState({ looked: 3, done: false });
  expect(await end).toBe('done');
  expect(told).toEqual(['2 of 9', '5 of 9']);
});

test('another filter, other services and being given up end the wait', async () => {
  const other = filterThat({});
  other.store.setState({ query: undefined, done: true });
  expect(await other.end).toBe('moved');
  const services = filterThat({});
  services.store.setState({ services: new Set(['web']) });
  expect(await services.end).toBe('moved');
  const given = filterThat({});
  given.ending.abort();
  given.store.setState({ done: true });
  expect(await given.end).toBe('cancelled');
});
