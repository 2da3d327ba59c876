import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';
import { engineTask } from './cluster-tasks.ts';

/** Returns a task of a generation of `web`, by default of the first; ids count up with its time. */
export function taskOf(
  id: string,
  state: string,
  { generation = 1, ...more }: Partial<EngineTask> & { readonly generation?: number } = {},
): EngineTask {
  return engineTask(Number(id), state, {
    id,
    desired: state === 'running' ? 'running' : 'shutdown',
    exitCode: state === 'failed' ? 1 : undefined,
    labels: {
      [clusterLabels.deployment]: 'uuid-1',
      [clusterLabels.service]: 'web',
      [clusterLabels.generation]: String(generation),
    },
    ...more,
  });
}
