import type { EngineNode, EngineTask } from '../engine/swarm-api.ts';

/** The node of a task, as people know it. */
export interface TaskPlace {
  readonly node: string;
  readonly address: string;
}

/** State of nodes that answer no more; `unknown` ones have not answered a new leader yet. */
const lostState = 'down';

/** The nodes of a cluster, told apart by id: several may have one name. */
export class Nodes {
  readonly #byId: ReadonlyMap<string, EngineNode>;

  constructor(nodes: readonly EngineNode[]) {
    this.#byId = new Map(nodes.map((node) => [node.id, node]));
  }

  /** Returns true for a task whose node answers no more, or was removed: its state is the last known. */
  isLost({ node: id }: Pick<EngineTask, 'node'>): boolean {
    if (id === '') return false;
    const node = this.#byId.get(id);
    return node === undefined || node.state === lostState;
  }

  /** Returns true when some node has all of the labels, also while it does not answer. */
  haveLabels(labels: Readonly<Record<string, string>>): boolean {
    // An engine compares values without regard to case.
    const lower = (text: string | undefined) => text?.toLowerCase();
    return [...this.#byId.values()].some((node) =>
      Object.entries(labels).every(([name, value]) => lower(node.labels[name]) === lower(value)),
    );
  }

  /** Returns the name and address of a task's node; undefined before it has one, and after its removal. */
  placeOf({ node: id }: Pick<EngineTask, 'node'>): TaskPlace | undefined {
    const node = this.#byId.get(id);
    return node === undefined ? undefined : { node: node.hostname, address: node.address };
  }
}
