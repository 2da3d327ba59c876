import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { deploymentLabel, restartCount } from '../../../source/store/deployments/deployments.ts';
import {
  type DeploymentAttention,
  visibleDeployments,
} from '../../../source/store/deployments/visible.ts';
import { parseListFilter } from '../../../source/store/lists/filter.ts';
import { naturalKey } from '../../../source/store/lists/natural-order.ts';
import {
  type ListOrder,
  type OrderKey,
  orderRows,
  timeKey,
} from '../../../source/store/lists/order.ts';
import { idsOf } from '../../../source/store/lists/row-with-id.ts';
import { read } from '../requests.ts';

describe('visible deployments', () => {
  const rows = [
    read<Deployment>({
      id: '3f0c2a44-7d1e-4a6b-9c55-0123456789ab-1',
      name: 'shop',
      state: 'active',
      services: [{ name: 'web' }, { name: 'api' }],
    }),
    read<Deployment>({ id: 'batch-2', state: 'inactive', services: [{ name: 'job' }] }),
    read<Deployment>({ id: 'old-3', services: [] }),
  ];
  const visible = (typed: string) =>
    visibleDeployments(rows, typed).map((row) => rows.indexOf(row));

  it('are the same array without a filter', () => {
    expect(visibleDeployments(rows, '  ')).toBe(rows);
  });

  it('are found by name, by any part of the id, and by service', () => {
    expect(visible('shop')).toEqual([0]);
    expect(visible('4a6b')).toEqual([0]);
    expect(visible('job')).toEqual([1]);
    expect(visible('service:api')).toEqual([0]);
    expect(visible('!web')).toEqual([1, 2]);
  });

  it('are found by state; a deployment without a state matches none', () => {
    expect(visible('state:active')).toEqual([0]);
    expect(visible('!state:active')).toEqual([1, 2]);
  });

  it('stay in the order of the service', () => {
    expect(visible('-')).toEqual([0, 1, 2]);
  });

  it('are the matching rows in the requested order, and the same array each time', () => {
    const byName = { by: 'name', reversed: false } as const;
    for (const typed of ['', '-']) {
      const shown = visibleDeployments(rows, typed, byName);
      expect(shown.map((row) => rows.indexOf(row))).toEqual([1, 2, 0]);
      expect(visibleDeployments(rows, typed, byName)).toBe(shown);
      expect(idsOf(shown)).toBe(idsOf(visibleDeployments(rows, typed, byName)));
      expect(visibleDeployments([...rows], typed, byName)).toEqual(shown);
    }
    expect(visible('')).toEqual([0, 1, 2]);
  });

  it('keep their array while further letters hide no row', () => {
    const all = visibleDeployments(rows, '');
    expect(visibleDeployments(rows, '-')).toBe(all);
    const shop = visibleDeployments(rows, 'sho');
    expect(shop).toHaveLength(1);
    expect(visibleDeployments(rows, 'shop')).toBe(shop);
    expect(visibleDeployments(rows, 'shops')).toEqual([]);
  });
});

describe('deployments listed again and again', () => {
  const deployment = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    name: fc.constantFrom('shop', 'Shop2', 'shop10', ''),
    state: fc.constantFrom(undefined, 'active', 'failed'),
    createdAt: fc.constantFrom(undefined, '2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'),
    pricePerHour: fc.constantFrom(undefined, '0.5', '2'),
    services: fc.array(
      fc.record({ name: fc.constantFrom('web', 'api'), restarts: fc.nat({ max: 2 }) }),
      { maxLength: 2 },
    ),
  });
  const listing = fc.array(deployment.map(read<Deployment>), { maxLength: 6 });
  const order = fc.record({
    by: fc.constantFrom<ListOrder['by']>(
      ...(['attention', 'name', 'age', 'restarts', 'cost', 'service'] as const),
    ),
    reversed: fc.boolean(),
  });
  const typed = fc.constantFrom(
    '',
    's',
    'sh',
    'shop',
    '!w',
    '!web',
    'state:a',
    'state:act',
    'service:api',
    'exit',
    '0',
  );
  const attention = fc.record({
    keys: fc.dictionary(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('A', 'B')),
    words: fc.dictionary(fc.constantFrom('a', 'd'), fc.constantFrom('failed', 'crashing')),
  });

  it('are shown as if they were listed for the first time', () => {
    const step = fc.tuple(listing, order, fc.array(typed, { maxLength: 4 }), attention);
    fc.assert(
      fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
        for (const [rows, by, texts, { keys, words }] of steps) {
          const state = {
            keys: new Map(Object.entries(keys)),
            conditions: new Map(
              Object.entries(words).map(([id, word]) => [id, { word, exitCode: 1 }]),
            ),
          };
          for (const text of texts) {
            expect(visibleDeployments(rows, text, by, state)).toEqual(
              plainlyVisible(rows, text, by, state),
            );
          }
        }
      }),
    );
  });
});

/** Returns what the list shows, computed from nothing but these rows. */
function plainlyVisible(
  rows: readonly DecodedRecord<Deployment>[],
  typed: string,
  { by, reversed }: ListOrder,
  { keys, conditions }: DeploymentAttention,
): readonly DecodedRecord<Deployment>[] {
  const keyOf = (row: Deployment): OrderKey | undefined => {
    const cost = Number(row.pricePerHour);
    const createdAt = timeKey(row.createdAt);
    const restarts = restartCount(row.services);
    if (by === 'attention') return keys.get(row.id);
    if (by === 'name') return naturalKey(deploymentLabel(row));
    if (by === 'age') return createdAt && -createdAt;
    if (by === 'restarts') return restarts === undefined ? undefined : -restarts;
    return Number.isNaN(cost) ? undefined : -cost;
  };
  const isAsListed = by === 'service' || (by === 'attention' && keys.size === 0);
  const asListed = reversed ? rows.toReversed() : rows;
  const ordered = isAsListed ? asListed : orderRows(rows, ({ value }) => keyOf(value), reversed);
  const filter = parseListFilter(typed);
  return ordered.filter(({ value }) => {
    const { word, exitCode } = conditions.get(value.id) ?? {};
    const words = [
      deploymentLabel(value),
      value.id,
      value.state,
      word,
      exitCode && `exit ${exitCode}`,
    ];
    const text = [...words, ...value.services.map(({ name }) => name)].join(' ').toLowerCase();
    return filter.matches({ ...value, text, shownState: word });
  });
}
