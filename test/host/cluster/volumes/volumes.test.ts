import { expect, test } from 'vitest';
import type {
  ServiceDefinition,
  VolumeDefinition,
} from '../../../../source/contract/sdl/definition.ts';
import type { ServicePlacement } from '../../../../source/contract/sdl/service-placements.ts';
import { Nodes } from '../../../../source/host/cluster/nodes.ts';
import { pinnedParts } from '../../../../source/host/cluster/volumes/pinned-parts.ts';
import { planService } from '../../../../source/host/cluster/plan.ts';
import type { VolumeNode } from '../../../../source/host/cluster/volumes/volume-nodes.ts';
import { engineNode } from '../cluster-tasks.ts';

const volume = (name: string, more: Partial<VolumeDefinition> = {}): VolumeDefinition => ({
  name,
  mount: `/${name}`,
  readOnly: false,
  kind: 'persistent',
  ...more,
});
const db: ServiceDefinition = {
  name: 'db',
  image: 'postgres',
  command: [],
  args: [],
  env: {},
  expose: [],
  count: 2,
  dependsOn: [],
  volumes: [volume('data')],
  position: { line: 1, column: 1 },
};
const here: ServicePlacement = { name: 'here', count: 2, attributes: {}, resources: {} };
const more = {
  host: '0123456789abcdef',
  deployment: 'uuid-7',
  number: 7,
  image: 'postgres@sha256:ab',
  hasFiles: false,
  generation: 1,
  graceMs: 1000,
  overcommit: 1,
};

/** Records in memory. */
function volumeNodes(...taken: readonly VolumeNode[]) {
  const stored = new Map<string, string>();
  const list = [...taken];
  return {
    find: (deployment: string, part: string) => stored.get(`${deployment} ${part}`),
    list: () => list,
    set: (deployment: string, part: string, node: string) => {
      stored.set(`${deployment} ${part}`, node);
      list.push({ deployment, node });
    },
  };
}

const three = new Nodes([
  { ...engineNode('1', 'ready', { zone: 'z1' }), isActive: false },
  engineNode('2', 'ready', { zone: 'z1' }),
  engineNode('3', 'ready', { zone: 'z2' }),
]);
const constraintsOf = (
  nodes: Nodes,
  records: ReturnType<typeof volumeNodes>,
  ...placements: readonly ServicePlacement[]
) =>
  pinnedParts({ deployment: 'uuid-7', nodes, volumeNodes: records }, db, placements).map(
    ({ constraints }) => constraints.join(' '),
  );

test('volumes bind their service to the ready node with the fewest, for good', () => {
  const records = volumeNodes({ deployment: 'other', node: '2' });
  expect(constraintsOf(three, records, here)).toEqual(['node.id==3']);
  const lost = new Nodes([engineNode('2'), engineNode('3', 'down')]);
  expect(constraintsOf(lost, records, here)).toEqual(['node.id==3']);
  expect(constraintsOf(new Nodes([engineNode('2')]), records, here)).toEqual(['node.id==3']);
});

test('each placement has a node of its own, with its attributes', () => {
  const zones = ['z1', 'z2'].map((zone) =>
    Object.assign({}, here, { name: zone, attributes: { zone } }),
  );
  expect(constraintsOf(three, volumeNodes(), ...zones)).toEqual([
    'node.labels.zone==z1 node.id==2',
    'node.labels.zone==z2 node.id==3',
  ]);
});

test('no node is chosen while none is ready', () => {
  const none = new Nodes([engineNode('3', 'down')]);
  expect(() => constraintsOf(none, volumeNodes(), here)).toThrow(
    'no node is ready for its volumes',
  );
});

test('services without persistent volumes are free to move', () => {
  const cache = { ...db, volumes: [volume('cache', { kind: 'temporary' })] };
  const records = volumeNodes();
  const parts = pinnedParts({ deployment: 'uuid-7', nodes: three, volumeNodes: records }, cache, [
    here,
  ]);
  expect(parts[0]?.constraints).toEqual([]);
  expect(records.list()).toEqual([]);
  const [spec] = parts.map((part) => planService({ ...more, ...part }));
  expect(spec?.UpdateConfig.Order).toBe('start-first');
});

test('each instance has its own volumes, and stops before the next one starts', () => {
  const volumes = [
    volume('data', { readOnly: true }),
    volume('cache', { kind: 'temporary' }),
    volume('shm', { kind: 'memory', size: 1024 }),
  ];
  const parts = pinnedParts(
    { deployment: 'uuid-7', nodes: three, volumeNodes: volumeNodes() },
    { ...db, volumes },
    [here],
  );
  const [spec] = parts.map((part) => planService({ ...more, ...part }));
  expect(spec?.UpdateConfig).toMatchObject({ Order: 'stop-first', Parallelism: 1 });
  expect(spec?.TaskTemplate.ContainerSpec.Mounts).toMatchObject([
    {
      Type: 'volume',
      Source: expect.stringMatching(/^hostdeck-uuid-7-[0-9a-f]{16}-\{\{\.Task\.Slot\}\}$/),
      Target: '/data',
      ReadOnly: true,
    },
    { Type: 'volume', Target: '/cache' },
    { Type: 'tmpfs', Target: '/shm', TmpfsOptions: { SizeBytes: 1024 } },
  ]);
  expect(spec?.TaskTemplate.ContainerSpec.Mounts?.[1]).not.toHaveProperty('Source');
});
