import { describe, expect, test } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { ClusterRules } from '../../../source/host/cluster/cluster-rules.ts';
import { Nodes } from '../../../source/host/cluster/nodes.ts';
import { engineNode } from './cluster-tasks.ts';

const nodes = new Nodes([
  engineNode('1', 'ready', { zone: 'z1', ssd: 'TRUE' }),
  engineNode('2', 'down', { zone: 'z2' }),
]);

function sdlOf(attributes: object): string {
  const pricing = { web: { denom: 'credits', amount: 0 } };
  return JSON.stringify({
    version: '2.0',
    services: { web: { image: 'nginx' } },
    profiles: {
      compute: { web: { resources: {} } },
      placement: { any: { pricing }, here: { attributes, pricing } },
    },
    deployment: { web: { any: { profile: 'web', count: 1 }, here: { profile: 'web', count: 1 } } },
  });
}

async function refusalOf(attributes: object, known: Nodes | undefined = nodes) {
  const sdl = sdlOf(attributes);
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const rules = new ClusterRules(async () => known);
  const refusals = await rules.checkAvailability(parsed.definition.services, sdl);
  return refusals.get('web')?.sentence;
}

describe('a placement on a swarm', () => {
  test.each([
    {},
    { zone: 'z1' },
    { zone: 'Z1', ssd: true },
    // A node that is down may come back.
    { zone: 'z2' },
  ])('with the attributes %j has a node', async (attributes) => {
    expect(await refusalOf(attributes)).toBeUndefined();
  });

  test('is refused when no single node has all of its attributes', async () => {
    expect(await refusalOf({ zone: 'z2', ssd: true })).toBe(
      'Placement here of service web wants a node with zone=z2 and ssd=true, and the swarm has none. ' +
        'Label one with "docker node update --label-add zone=z2 --label-add ssd=true NODE".',
    );
  });

  test.each([{ 'a/b': 'c' }, { zone: 'z1 == z2' }, { zone: 'é' }])(
    'is refused with %j, which no label can be',
    async (attributes) => {
      expect(await refusalOf(attributes)).toMatch(/which no label of a node on a swarm may have\./);
    },
  );

  test('is accepted while no manager answers', async () => {
    const rules = new ClusterRules(async () => undefined);
    const sdl = sdlOf({ zone: 'z9' });
    const parsed = parseSdl(sdl);
    const services = parsed.ok ? parsed.definition.services : [];
    expect((await rules.checkAvailability(services, sdl)).size).toBe(0);
  });
});
