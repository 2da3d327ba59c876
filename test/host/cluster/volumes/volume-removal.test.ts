import { expect, test } from 'vitest';
import type { EngineClient } from '../../../../source/host/engine/engine-client.ts';
import { Nodes } from '../../../../source/host/cluster/nodes.ts';
import type { VolumeNode } from '../../../../source/host/cluster/volumes/volume-nodes.ts';
import { VolumeRemoval } from '../../../../source/host/cluster/volumes/volume-removal.ts';
import { engineNode } from '../cluster-tasks.ts';

/** Removes the volumes of all deployments but `kept`, all of which were on a node that left. */
function removal() {
  const forgotten: string[] = [];
  const list: readonly VolumeNode[] = ['kept', 'closed'].map((deployment) => ({
    deployment,
    node: '9',
  }));
  const volumes = new VolumeRemoval({
    client: {} as EngineClient,
    host: '0123456789abcdef',
    volumeNodes: { list: () => list, forget: ({ deployment }) => void forgotten.push(deployment) },
    readNodes: async () => new Nodes([engineNode('1')]),
    keepsData: (deployment) => deployment === 'kept',
    clock: { schedule: () => () => undefined },
    onFailure(error) {
      throw error;
    },
  });
  return { volumes, forgotten };
}

test('volumes of a closed deployment are forgotten with the node that had them', async () => {
  const { volumes, forgotten } = removal();
  await volumes.sweep();
  expect(forgotten).toEqual(['closed']);
});

test('nothing is removed once the host stops', async () => {
  const { volumes, forgotten } = removal();
  volumes.stop();
  await volumes.sweep();
  expect(forgotten).toEqual([]);
});
