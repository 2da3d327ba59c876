import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findService, type ServiceQuery } from '../../../source/commands/names/find-service.ts';
import { createDeploymentFinder } from '../../../source/commands/names/find-deployment.ts';
import { joinServicePath, splitServicePath } from '../../../source/commands/names/service-path.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';

const letters = (unit: string) =>
  fc.string({ unit: fc.constantFrom(...unit.split('')), maxLength: 5 });
const some = (unit: string) => letters(unit).filter((text) => text !== '');

describe('NAME/SERVICE:PATH', () => {
  it('splits at a slash and the colon behind it', () => {
    expect(splitServicePath('shop/web')).toEqual([
      { deployment: 'shop', service: 'web', path: undefined },
    ]);
    expect(splitServicePath('shop/web:etc:a')).toEqual([
      { deployment: 'shop', service: 'web', path: 'etc:a' },
    ]);
    expect(splitServicePath('shop/web:')).toEqual([
      { deployment: 'shop', service: 'web', path: '' },
    ]);
    for (const wrong of ['', 'shop', 'shop:web', '/web', 'shop/', 'shop/:a']) {
      expect(splitServicePath(wrong)).toEqual([]);
    }
  });

  it('has among its splits the one that it was joined from', () => {
    const parts = fc.record({
      deployment: some('ab/:'),
      service: some('ab'),
      path: fc.option(letters('ab/:'), { nil: undefined }),
    });
    fc.assert(
      fc.property(parts, (typed) => {
        const splits = splitServicePath(joinServicePath(typed));
        expect(splits).toContainEqual(typed);
        for (const split of splits) expect(joinServicePath(split)).toBe(joinServicePath(typed));
      }),
    );
  });
});

/** Finds among these deployments, of which a service lists the names of its services. */
function find(
  text: string,
  deployments: readonly (readonly [name: string, ...services: string[]])[],
  query: ServiceQuery = { path: 'optional' },
) {
  const rows = deployments.map(([name, ...services], index) => ({
    value: {
      id: `${index}-id`,
      name,
      services: services.map((service) => ({ name: service })),
    } satisfies Deployment,
    unknown: {},
  }));
  const client = {
    host: 'example.com',
    deployments: {
      list: () => Promise.resolve({ ok: true, value: rows } as const),
      get: () => Promise.reject(new Error('not asked for')),
    },
  };
  return findService(text, createDeploymentFinder(client, new AbortController().signal), query);
}

describe('a service', () => {
  it('is found by the deployments that there are', async () => {
    expect(await find('shop/web:a/b', [['shop', 'web']])).toMatchObject({
      deployment: { id: '0-id' },
      service: 'web',
      path: 'a/b',
      isExact: true,
    });
    expect(await find('a/b:c/d', [['a/b:c', 'd']])).toMatchObject({ service: 'd' });
    expect(await find('a/b:c/d', [['a', 'b']])).toMatchObject({ service: 'b', path: 'c/d' });
    expect(await find('sh/web', [['shop', 'web']])).toMatchObject({ isExact: false });
  });

  it('is never chosen among two that the text can mean', async () => {
    const both = find('a/b:c/d', [
      ['a', 'b'],
      ['a/b:c', 'd'],
    ]);
    await expect(both).rejects.toMatchObject({
      problem: { exit: 2, candidates: [{ id: '0-id' }, { id: '1-id' }] },
    });
    // Only one of them has such a service.
    const one = await find('a/b:c/d', [
      ['a', 'x'],
      ['a/b:c', 'd'],
    ]);
    expect(one).toMatchObject({ deployment: { name: 'a/b:c' } });
  });

  it('may be one that the service does not list', async () => {
    expect(await find('0-id/web', [['shop']])).toMatchObject({ service: 'web' });
  });

  it('is a problem where it is missing, or the form is wrong', async () => {
    await expect(find('shop/wbe', [['shop', 'web', 'worker']])).rejects.toMatchObject({
      problem: {
        exit: 3,
        sentence: 'shop has no service wbe. Did you mean web?',
        next: 'Its services: web, worker.',
      },
    });
    const required = { path: 'required' } as const;
    await expect(find('shop/web', [['shop', 'web']], required)).rejects.toMatchObject({
      problem: { exit: 2, sentence: 'shop/web is not NAME/SERVICE:PATH.' },
    });
    const none = { path: 'none' } as const;
    await expect(find('shop/web:a', [['shop', 'web']], none)).rejects.toMatchObject({
      problem: { exit: 2 },
    });
    const exact = { path: 'optional', needsExact: true } as const;
    await expect(find('sh/web', [['shop', 'web']], exact)).rejects.toMatchObject({
      problem: { exit: 2, candidates: [{ id: '0-id' }] },
    });
    await expect(find('x/web', [['shop', 'web']])).rejects.toMatchObject({ problem: { exit: 3 } });
  });
});
