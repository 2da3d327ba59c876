import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { visibleDeployments } from '../../../source/store/deployments/visible.ts';
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
});
