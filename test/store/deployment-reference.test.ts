import { describe, expect, it } from 'vitest';
import { resolveDeployment } from '../../source/store/deployment-reference.ts';

const row = (id: string, name?: string) => ({ value: { id, name, services: [] }, unknown: {} });
const rows = [
  row('abc-1', 'shop'),
  row('abd-2', 'batch'),
  row('shop', 'other'),
  row('xyz-4', 'batch'),
];

describe('a deployment named by a person', () => {
  it('is found by its whole id, its name, or the start of its id, in this order', () => {
    expect(resolveDeployment(rows, 'abc-1')).toEqual({ ok: true, value: 'abc-1' });
    expect(resolveDeployment(rows, 'shop')).toEqual({ ok: true, value: 'shop' });
    expect(resolveDeployment(rows, 'other')).toEqual({ ok: true, value: 'shop' });
    expect(resolveDeployment(rows, 'abd')).toEqual({ ok: true, value: 'abd-2' });
  });

  it('is not guessed when several fit', () => {
    for (const text of ['ab', 'batch']) {
      expect(resolveDeployment(rows, text)).toMatchObject({
        ok: false,
        problem: { sentence: `${text} fits 2 deployments.` },
      });
    }
  });

  it('is told to be missing with those that are there', () => {
    expect(resolveDeployment(rows, 'nope')).toEqual({
      ok: false,
      problem: {
        sentence: 'There is no deployment nope.',
        next: 'There is shop, batch, other, batch.',
      },
    });
    expect(resolveDeployment([], '')).toMatchObject({
      problem: { next: 'The service lists none.' },
    });
  });
});
