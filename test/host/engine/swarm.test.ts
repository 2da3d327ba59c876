import { expect, it } from 'vitest';
import { listTasks, publishedPorts } from '../../../source/host/engine/swarm.ts';
import { fakeEngine, json } from './fake-engine.ts';

it('the published port of a task is that of IPv4, where IPv6 has another one', () => {
  const status = {
    Ports: [
      { Protocol: 'tcp', TargetPort: 80, PublishedPort: 33_218, PublishMode: 'host' },
      { Protocol: 'tcp', TargetPort: 80, PublishedPort: 33_216, PublishMode: 'host' },
      { Protocol: 'tcp', TargetPort: 9000, PublishedPort: 33_219, PublishMode: 'host' },
    ],
  };
  expect([...publishedPorts(status)]).toEqual([
    [80, 33_218],
    [9000, 33_219],
  ]);
  expect(publishedPorts({}).size).toBe(0);
});

it('the tasks of a large swarm are more than other answers may be', async () => {
  const labels = { long: 'x'.repeat(17 * 2 ** 20) };
  const engine = await fakeEngine((arrived) => {
    json(arrived, 200, [{ ID: 'one', Spec: { ContainerSpec: { Labels: labels } } }]);
  });
  const tasks = await listTasks(await engine.connect(), 'label', 'wanted');
  expect(tasks.map(({ id }) => id)).toEqual(['one']);
  expect(decodeURIComponent(engine.requests[0] ?? '')).toContain('"desired-state":["running"]');
});
