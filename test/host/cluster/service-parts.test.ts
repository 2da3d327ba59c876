import { expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import { planService, planTrial } from '../../../source/host/cluster/plan.ts';
import { partsOf } from '../../../source/host/cluster/service-parts.ts';

const web: ServiceDefinition = {
  name: 'web',
  image: 'nginx',
  command: [],
  args: [],
  env: {},
  expose: [],
  count: 5,
  dependsOn: [],
  position: { line: 1, column: 1 },
};
const east = {
  name: 'east',
  count: 3,
  attributes: { zone: 'z1', ssd: 'true' },
  resources: { cpu: 2 },
};
const west = { name: 'west', count: 2, attributes: {}, resources: {} };
const more = {
  host: '0123456789abcdef',
  deployment: 'uuid-7',
  number: 7,
  image: 'nginx@sha256:ab',
  hasFiles: false,
  generation: 1,
  graceMs: 1000,
  overcommit: 1,
};
const plans = (...placements: Parameters<typeof partsOf>[1] & object) =>
  partsOf(web, placements).map((part) => planService({ ...more, ...part }));

test('a placement is a service of the engine, on nodes with its attributes as labels', () => {
  const [first, second, ...others] = plans(east, west);
  expect(others).toEqual([]);
  expect(first).toMatchObject({
    Labels: { [clusterLabels.service]: 'web', [clusterLabels.placement]: 'east' },
    Mode: { Replicated: { Replicas: 3 } },
    TaskTemplate: {
      Placement: { Constraints: ['node.labels.zone==z1', 'node.labels.ssd==true'] },
      Resources: { Limits: { NanoCPUs: 2e9 } },
      Networks: [{ Aliases: ['web'] }],
    },
  });
  expect(second).toMatchObject({
    Mode: { Replicated: { Replicas: 2 } },
    TaskTemplate: { Placement: { Constraints: [] }, Networks: [{ Aliases: ['web'] }] },
  });
  expect(first?.Name).not.toBe(second?.Name);
});

test('the names of placements, trials and other services never meet', () => {
  const odd = plans(east, { ...west, name: 'east)' }).map(({ Name }) => Name);
  const [other] = partsOf({ ...web, name: 'web-east' }, [west]).map((part) =>
    planService({ ...more, ...part }),
  );
  const trials = partsOf(web, [east, west]).map((part) => planTrial({ ...more, ...part }));
  const names = [...odd, other?.Name, ...trials.map(({ Name }) => Name)];
  expect(new Set(names).size).toBe(5);
});

test('instances are numbered through all placements', () => {
  const [first, second] = plans(east, west).map(({ Labels, TaskTemplate }) => ({
    offset: Labels[clusterLabels.offset],
    number: TaskTemplate.ContainerSpec.Env.find((each) => each.startsWith('HOSTDECK_INSTANCE=')),
  }));
  expect(first).toEqual({ offset: undefined, number: 'HOSTDECK_INSTANCE={{.Task.Slot}}' });
  expect(second).toEqual({
    offset: '3',
    number: 'HOSTDECK_INSTANCE={{if eq .Task.Slot "1"}}4{{end}}{{if eq .Task.Slot "2"}}5{{end}}',
  });
});

test('the only placement leaves no trace, so that services of earlier hosts stay as they are', () => {
  const [only] = plans(west);
  expect(Object.keys(only?.Labels ?? {})).not.toContain(clusterLabels.placement);
  expect(only?.Name).toBe('hostdeck-01234567-7-web');
});
