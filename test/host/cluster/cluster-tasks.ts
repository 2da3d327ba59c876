import { Nodes } from '../../../source/host/cluster/nodes.ts';
import type { EngineNode, EngineTask } from '../../../source/host/engine/swarm-api.ts';

/** Returns a task on node 1 that was created, and changed its state, some seconds after a fixed time. */
export function engineTask(
  second: number,
  state: string,
  change: Partial<EngineTask> = {},
): EngineTask {
  const at = new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();
  return {
    id: `task${second}`,
    service: 's',
    node: '1',
    slot: 1,
    createdAt: at,
    state,
    desired: 'running',
    at,
    error: undefined,
    exitCode: undefined,
    ports: new Map(),
    labels: {},
    ...change,
  };
}

/** Returns the nodes 1 and 2, which answer unless they are named. */
export function twoNodes(...down: readonly string[]): Nodes {
  return new Nodes(['1', '2'].map((id) => engineNode(id, down.includes(id) ? 'down' : 'ready')));
}

/** Returns a node with the name of all others. */
export function engineNode(id: string, state = 'ready', labels = {}): EngineNode {
  const address = `10.0.0.${id}`;
  return { id, version: 1, hostname: 'bed', address, state, isActive: true, labels };
}
