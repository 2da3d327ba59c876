import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeploymentsClient } from '../../../source/client/deployments.ts';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import {
  createDeployments,
  deploymentLabel,
  deploymentToOpen,
  shortId,
} from '../../../source/store/deployments/deployments.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, done, failure, read, success, unexpected } from '../requests.ts';

const deployment = (id: string, more: Partial<Deployment> = {}) =>
  read<Deployment>({ id, services: [], ...more });

function createFixture() {
  const lists = createRequests<readonly DecodedRecord<Deployment>[]>();
  const gets = createRequests<DecodedRecord<Deployment>>();
  const client: DeploymentsClient = {
    list: (signal) => lists.send([], signal),
    get: (id, signal) => gets.send([id], signal),
    create: unexpected,
    close: unexpected,
    restart: unexpected,
  };
  return { lists, gets, store: createDeployments({ client, clock: createTestClock() }) };
}

describe('the list', () => {
  it('keeps the rows of unchanged deployments', async () => {
    const { lists, store } = createFixture();
    void store.list.refresh();
    await lists.last().answer(success([deployment('a'), deployment('b', { state: 'active' })]));
    const [a] = store.list.state.getState().rows;
    void store.list.refresh();
    await lists.last().answer(success([deployment('b', { state: 'failed' }), deployment('a')]));
    const { rows } = store.list.state.getState();
    expect(rows.map(({ value }) => [value.id, value.state])).toEqual([
      ['b', 'failed'],
      ['a', undefined],
    ]);
    expect(rows[1]).toBe(a);
  });
});

describe('details', () => {
  it('are kept of the 64 deployments whose answers changed last', async () => {
    const { gets, store } = createFixture();
    const answer = async (id: string, name: string) => {
      void store.fetch(id);
      await gets.last().answer(success(deployment(id, { name })));
    };
    for (let index = 0; index < 64; index += 1) await answer(`${index}`, 'first');
    await answer('0', 'second');
    await answer('64', 'first');
    const kept = [...store.details.getState().keys()];
    expect(kept).toHaveLength(64);
    expect(kept).not.toContain('1');
    expect(kept.slice(-2)).toEqual(['0', '64']);
  });

  it('hold the last answer for each deployment', async () => {
    const { gets, store } = createFixture();
    const fetched = store.fetch('a');
    expect(gets.last().asked).toEqual(['a']);
    await gets.last().answer(success(deployment('a', { sdl: 'version: "2.0"' })));
    expect(await fetched).toEqual(done);
    void store.fetch('b');
    await gets.last().answer(success(deployment('b')));
    expect([...store.details.getState()]).toEqual([
      ['a', deployment('a', { sdl: 'version: "2.0"' })],
      ['b', deployment('b')],
    ]);
  });

  it('ignore a late answer to an older request', async () => {
    const { gets, store } = createFixture();
    void store.fetch('a');
    void store.fetch('a');
    const [older, newer] = gets.sent;
    await newer?.answer(success(deployment('a', { state: 'failed' })));
    await older?.answer(success(deployment('a', { state: 'active' })));
    expect(store.details.getState().get('a')?.value.state).toBe('failed');
  });

  it('stay after a failure, which the caller gets', async () => {
    const { gets, store } = createFixture();
    void store.fetch('a');
    await gets.last().answer(success(deployment('a')));
    const failed = store.fetch('a');
    const timeout = failure('timeout');
    await gets.last().answer(timeout);
    expect(await failed).toEqual(timeout);
    expect(store.details.getState().has('a')).toBe(true);
  });

  it('are removed when the deployment is not found', async () => {
    const { gets, store } = createFixture();
    void store.fetch('a');
    await gets.last().answer(success(deployment('a')));
    void store.fetch('a');
    await gets.last().answer(failure('not-found', { status: 404 }));
    expect(store.details.getState().size).toBe(0);
  });

  it('are published only when they changed', async () => {
    const { gets, store } = createFixture();
    const before = store.details.getState();
    void store.fetch('a');
    await gets.last().answer(failure('not-found', { status: 404 }));
    expect(store.details.getState()).toBe(before);
    void store.fetch('a');
    await gets.last().answer(success(deployment('a', { services: [{ name: 'web' }] })));
    const known = store.details.getState();
    void store.fetch('a');
    await gets.last().answer(success(deployment('a', { services: [{ name: 'web' }] })));
    expect(store.details.getState()).toBe(known);
  });
});

describe('the label', () => {
  it('is the name, else the short id; a blank name does not count', () => {
    expect(deploymentLabel(deployment('a', { name: 'shop' }).value)).toBe('shop');
    for (const name of [undefined, '', ' \t']) {
      expect(deploymentLabel(deployment('a', { name }).value)).toBe('a');
    }
  });

  it('without a name has both ends of the id', () => {
    expect(shortId('3f0c2a44-7d1e-4a6b-9c55-0123456789ab-4711')).toBe('3f0c2a..ab-4711');
    expect(shortId('exactly-16-chars')).toBe('exactly-16-chars');
  });
});

describe('the deployment to open at the start', () => {
  const rowArbitrary = fc
    .record({
      id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
      state: fc.constantFrom(undefined, 'active', 'Active', 'failed', 'closed', 'inactive'),
    })
    .map(({ id, state }) => deployment(id, { state }));
  const rowsArbitrary = fc.uniqueArray(rowArbitrary, { selector: ({ value }) => value.id });
  const lastArbitrary = fc.option(fc.constantFrom('a', 'e', 'gone'), { nil: undefined });

  it('is the one opened last, else the first active one, else the first', () => {
    fc.assert(
      fc.property(rowsArbitrary, lastArbitrary, (rows, last) => {
        const listed = rows.filter(({ value }) => value.id === last);
        const active = rows.filter(({ value }) => value.state?.toLowerCase() === 'active');
        const [first] = [...listed, ...active, ...rows];
        expect(deploymentToOpen(rows, last)).toBe(first?.value.id);
      }),
    );
  });
});
