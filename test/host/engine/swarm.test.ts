import { expect, it } from 'vitest';
import { publishedPorts } from '../../../source/host/engine/swarm.ts';

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
