import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { findDeployment } from '../../../source/store/deployments/reference.ts';

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
