import { describe, expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import {
  guardPlan,
  isTrial,
  planService,
  type PlannedService,
  planTrial,
} from '../../../source/host/cluster/plan.ts';
import { findVersion } from '../../../source/host/cluster/version-plan.ts';
import type { EngineService } from '../../../source/host/engine/swarm-api.ts';

const service: ServiceDefinition = {
  name: 'web',
  image: 'nginx',
  command: [],
  args: [],
  env: { MODE: 'fast' },
  expose: [
    { port: 80, proto: 'http', global: true, services: [] },
    { port: 9000, proto: 'tcp', global: false, services: ['worker'] },
  ],
  count: 3,
  dependsOn: [],
  position: { line: 1, column: 1 },
};

const planned: PlannedService = {
  host: '0123456789abcdef',
  deployment: 'uuid-7',
  number: 7,
  service,
  placement: undefined,
  resources: { cpu: 0.5, memory: 64 * 2 ** 20 },
  constraints: [],
  offset: 0,
  image: 'registry:5000/files@sha256:ab',
  hasFiles: true,
  generation: 2,
  graceMs: 10_000,
  overcommit: 2,
};

const plan = (change: Partial<ServiceDefinition> = {}, rest: Partial<PlannedService> = {}) =>
  planService({ ...planned, ...rest, service: { ...service, ...change } });

describe('the plan of a service on a cluster', () => {
  test('reserves a part of the limits, as the host overcommits', () => {
    expect(plan().TaskTemplate.Resources).toMatchObject({
      Limits: { NanoCPUs: 5e8, MemoryBytes: 64 * 2 ** 20 },
      Reservations: { NanoCPUs: 2.5e8, MemoryBytes: 32 * 2 ** 20 },
    });
    expect(plan({}, { resources: {} }).TaskTemplate.Resources.Reservations).toEqual({});
  });

  test('publishes global ports only, on the nodes that run it', () => {
    expect(plan().EndpointSpec).toEqual({
      Mode: 'dnsrr',
      Ports: [{ Protocol: 'tcp', TargetPort: 80, PublishMode: 'host' }],
    });
  });

  test('resolves as the name of the definition in the network of its deployment', () => {
    const [network] = plan().TaskTemplate.Networks;
    expect(network).toEqual({ Target: 'hostdeck-01234567-7', Aliases: ['web'] });
  });

  test('passes on values of the environment that look like templates of the engine', () => {
    const { Env } = plan({ env: { TEXT: '{{.Node.ID}} {{' } }).TaskTemplate.ContainerSpec;
    expect(Env).toContain('TEXT={{`{{`}}.Node.ID}} {{`{{`}}');
    expect(Env).toContain('HOSTDECK_INSTANCE={{.Task.Slot}}');
    expect(Env).toContain('PORT=80');
  });

  test('runs in the folder of its files, and without files in that of the image', () => {
    expect(plan().TaskTemplate.ContainerSpec.Dir).toBe('/app');
    expect(plan({}, { hasFiles: false }).TaskTemplate.ContainerSpec.Dir).toBeUndefined();
  });

  test('has a digest that changes with the plan, and with a restart', () => {
    const digest = (spec = plan()) => spec.Labels[clusterLabels.plan];
    expect(digest(plan())).toBe(digest());
    expect(digest(plan({}, { generation: 3 }))).not.toBe(digest());
    expect(digest(plan({ count: 4 }))).not.toBe(digest());
    expect(digest(plan({}, { image: 'registry:5000/files@sha256:cd' }))).not.toBe(digest());
  });

  test('has a name of at most 63 characters that no other service has', () => {
    const long = 'x'.repeat(80);
    const names = [long, `${long}y`, 'a.b', 'a-b', 'a_b'].map((name) => plan({ name }).Name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9][a-zA-Z0-9-]{0,61}[a-zA-Z0-9]$/);
  });
});

describe('the plan of a restart', () => {
  const before = { generation: 1, reference: 'registry:5000/files@sha256:aa', hasFiles: true };
  const asService = (spec: ReturnType<typeof plan>): EngineService => ({
    id: 'engine-1',
    name: spec.Name,
    version: 1,
    labels: spec.Labels,
    spec: { ...spec },
    update: undefined,
  });

  test('stops at the first failure and remembers the version before, with an equal digest', () => {
    const guarded = guardPlan(plan(), before);
    expect(guarded.UpdateConfig).toMatchObject({ FailureAction: 'pause', Order: 'start-first' });
    expect(guarded.Labels[clusterLabels.plan]).toBe(plan().Labels[clusterLabels.plan]);
    const service = asService(guarded);
    expect(findVersion(service, 1)).toEqual(before);
    expect(findVersion(service, 2)).toEqual({
      generation: 2,
      reference: planned.image,
      hasFiles: true,
    });
    expect(findVersion(service, 3)).toBeUndefined();
  });

  test('tries a version out in one instance that nothing reaches, beside any service', () => {
    const trial = planTrial(planned);
    expect(trial.Mode.Replicated.Replicas).toBe(1);
    expect(trial.EndpointSpec.Ports).toEqual([]);
    expect(trial.TaskTemplate.Networks.map(({ Aliases }) => Aliases)).toEqual([[]]);
    expect(isTrial(asService(trial))).toBe(true);
    expect(isTrial(asService(plan()))).toBe(false);
    for (const name of ['web', 'web-trial', 'web--trial-']) {
      expect(plan({ name }).Name).not.toBe(trial.Name);
    }
  });
});
