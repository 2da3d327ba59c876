import { expect, it } from 'vitest';
import { deploymentView } from '../../../source/commands/deployments/deployment-view.ts';

const startedAt = '2026-11-21T11:55:00Z';
const now = Date.parse('2026-11-21T12:00:00Z');

it('prints each instance on a cluster with its node, endpoint, start and restarts', () => {
  const node = { node: 'worker-1', address: '10.0.0.1' };
  const web = {
    name: 'web',
    instanceStates: [
      { instance: 1, state: 'active', ...node, startedAt, restarts: 2 },
      { instance: 2, state: 'starting' },
    ],
    endpoints: [{ instance: 1, ...node, port: 30_001 }],
  };
  const read = { value: { id: 'a', services: [web] }, unknown: {} };
  const rows = (deploymentView.details?.(read, now) ?? []).filter(
    ({ title }) => title === 'INSTANCE',
  );
  const instance = (since: string) =>
    `web 1, active, worker-1, 10.0.0.1:30001, since ${since}, 2 restarts`;
  expect(rows).toEqual([
    { title: 'INSTANCE', value: instance(startedAt), shown: instance('5m ago') },
    { title: 'INSTANCE', value: 'web 2, starting', shown: 'web 2, starting' },
  ]);
  expect(deploymentView.json(read)).toMatchObject({ services: [web] });
});
