import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { findDeployment, requestDeployment } from '../../../source/store/deployments/reference.ts';
import { failure, read, success } from '../requests.ts';

const deployments: readonly Deployment[] = [
  { id: 'aa11-1', name: 'shop', state: 'active', services: [] },
  { id: 'aa12-2', name: 'worker', state: 'failed', services: [] },
  { id: 'bb20-3', name: 'batch', state: 'closed', services: [] },
  { id: 'bb21-4', name: 'batch', state: 'active', services: [] },
  { id: 'bb22-5', name: 'old', state: 'closed', services: [] },
  { id: 'shop', services: [] },
];

function ids(text: string): readonly string[] {
  const found = findDeployment(deployments, text);
  if (found.kind === 'none') return [];
  return found.kind === 'one' ? [found.deployment.id] : found.deployments.map(({ id }) => id);
}

describe('a word for a deployment', () => {
  it('matches an id first, then a name, then the beginning of an id', () => {
    expect(ids('shop')).toEqual(['shop']);
    expect(ids('worker')).toEqual(['aa12-2']);
    expect(ids('aa11')).toEqual(['aa11-1']);
    expect(ids('bb22')).toEqual(['bb22-5']);
  });

  it('matches the open deployment of a reused name', () => {
    expect(ids('batch')).toEqual(['bb21-4']);
    expect(ids('old')).toEqual(['bb22-5']);
  });

  it('is refused when several match or none does', () => {
    expect(findDeployment(deployments, 'aa1').kind).toBe('several');
    expect(ids('aa1')).toEqual(['aa11-1', 'aa12-2']);
    expect(findDeployment(deployments, 'zz')).toEqual({ kind: 'none' });
    expect(findDeployment(deployments, '')).toEqual({ kind: 'none' });
    expect(findDeployment([], 'shop')).toEqual({ kind: 'none' });
  });
});

describe('a word for a deployment of a service', () => {
  const shop: Deployment = { id: 'aa11-1', name: 'shop', state: 'active', services: [] };
  const old: Deployment = { id: 'bb22-5', name: 'old', state: 'closed', services: [] };

  /** A service that lists `shop` of `total` deployments, and has `old` too. */
  function service(total: number | undefined) {
    const requested: string[] = [];
    const client = {
      list: async () => ({ ...success([read(shop)]), total }),
      get: async (id: string) => {
        requested.push(id);
        return id === old.id ? success(read(old)) : failure('not-found', { status: 404 });
      },
    };
    return { requested, find: (text: string) => requestDeployment(client, text) };
  }

  it('may be the id of one that its list leaves out', async () => {
    const { find, requested } = service(2);
    expect(await find(old.id)).toEqual(success({ kind: 'one', deployment: old }));
    expect(await find('nothing')).toEqual(success({ kind: 'none' }));
    expect(requested).toEqual([old.id, 'nothing']);
  });

  it('is not requested where it is listed, the list is complete, or it cannot be in a URL', async () => {
    const partial = service(2);
    expect(await partial.find('shop')).toEqual(success({ kind: 'one', deployment: shop }));
    for (const text of ['', '.', '..']) {
      expect(await partial.find(text)).toEqual(success({ kind: 'none' }));
    }
    const whole = service(undefined);
    expect(await whole.find(old.id)).toEqual(success({ kind: 'none' }));
    expect([...partial.requested, ...whole.requested]).toEqual([]);
  });
});
