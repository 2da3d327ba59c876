import { describe, expect, it } from 'vitest';
import {
  deploymentWords,
  pathCandidates,
  serviceCandidates,
  typedService,
} from '../../../source/commands/completion/request-candidates.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';

const services = [{ name: 'web' }, { name: 'worker' }];
const deployments: readonly Deployment[] = [
  { id: 'a1-1', name: 'shop', services, state: 'active' },
  { id: 'b2-1', name: 'twin', services: [] },
  { id: 'b3-1', name: 'twin', services: [] },
  { id: 'c4-1', name: 'gone', services: [], state: 'closed' },
  { id: 'd5-1', services },
];

const words = (typed: string) => deploymentWords(deployments, typed);

describe('deployments', () => {
  it('are offered by their names, by ids where a name is missing or shared', () => {
    expect(words('').map(({ word }) => word)).toEqual(['shop', 'b2-1', 'b3-1', 'd5-1']);
    expect(words('sh').map(({ word }) => word)).toEqual(['shop']);
    expect(words('a1').map(({ word }) => word)).toEqual(['a1-1']);
  });
});

describe('services and paths', () => {
  const paths = ['index.html', 'config/app.yaml', 'config/deep/a.txt', 'con'];
  const typed = (text: string): readonly string[] => {
    const inside = typedService(words(text), text);
    const found =
      inside === undefined
        ? serviceCandidates(words(text), text, true)
        : pathCandidates(inside, paths);
    return found.map((candidate) => candidate.text);
  };

  it('are offered one level at a time', () => {
    expect(typed('sh')).toEqual(['shop/']);
    expect(typed('shop/w')).toEqual(['shop/web:', 'shop/worker:']);
    expect(typed('shop/web:')).toEqual(['shop/web:index.html', 'shop/web:config/', 'shop/web:con']);
    expect(typed('shop/web:config/')).toEqual([
      'shop/web:config/app.yaml',
      'shop/web:config/deep/',
    ]);
    expect(typed('d5-1/we')).toEqual(['d5-1/web:']);
    expect(typed('shop/nope')).toEqual([]);
  });

  it('leave the colon out where no path follows', () => {
    const found = serviceCandidates(words('shop/'), 'shop/', false);
    expect(found.map(({ text }) => text)).toEqual(['shop/web', 'shop/worker']);
  });
});
