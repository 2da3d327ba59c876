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

  /**
   * Returns the version of a task's node, which changes whenever the node has connected anew: follows of
   * its tasks don't outlive that, and stay silent without an end. Undefined for no known node.
   */
  versionOf({ node: id }: Pick<EngineTask, 'node'>): number | undefined {
    return this.#byId.get(id)?.version;
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Returns true when some node has all of the labels, also while it does not answer. */
  haveLabels(labels: Readonly<Record<string, string>>): boolean {
    return [...this.#byId.values()].some((node) => hasLabels(node, labels));
  }

  /**
   * Returns the id of a node that is ready and has all of the labels; undefined for none.
   *
   * @param load returns a number that is lower for nodes to prefer.
   */
  choose(
    labels: Readonly<Record<string, string>>,
    load: (id: string) => number,
  ): string | undefined {
    const ready = [...this.#byId.values()].filter(
      (node) => node.state === 'ready' && node.isActive && hasLabels(node, labels),
    );
    return ready.toSorted((a, b) => load(a.id) - load(b.id) || (a.id < b.id ? -1 : 1))[0]?.id;
  }

  /** Returns the name and address of a task's node; undefined before it has one, and after its removal. */
  placeOf({ node: id }: Pick<EngineTask, 'node'>): TaskPlace | undefined {
    const node = this.#byId.get(id);
    return node === undefined ? undefined : { node: node.hostname, address: node.address };
  }
}

function hasLabels(node: EngineNode, labels: Readonly<Record<string, string>>): boolean {
  // An engine compares values without regard to case.
  const lower = (text: string | undefined) => text?.toLowerCase();
  return Object.entries(labels).every(([name, value]) => lower(node.labels[name]) === lower(value));
}
