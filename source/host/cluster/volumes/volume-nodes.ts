import type { Storage } from '../../records/storage.ts';

/** Nodes that have the volumes of a deployment. */
export interface VolumeNode {
  readonly deployment: string;
  /** Id of the node. */
  readonly node: string;
}

/** Records the node that has the volumes of each part of a service. */
export class VolumeNodes {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns the id of the node that has the volumes of a part; undefined before its first start. */
  find(deployment: string, part: string): string | undefined {
    const row = this.#storage
      .prepare('select node from volume_nodes where deployment = ? and part = ?')
      .get(deployment, part);
    return row === undefined ? undefined : String(row['node']);
  }

  set(deployment: string, part: string, node: string): void {
    this.#storage
      .prepare('insert into volume_nodes (deployment, part, node) values (?, ?, ?)')
      .run(deployment, part, node);
  }

  /** Returns the nodes of all deployments. */
  list(): readonly VolumeNode[] {
    return this.#storage
      .prepare('select distinct deployment, node from volume_nodes')
      .all()
      .map(({ deployment, node }) => ({ deployment: String(deployment), node: String(node) }));
  }

  /** Forgets what a node had of a deployment. */
  forget({ deployment, node }: VolumeNode): void {
    this.#storage
      .prepare('delete from volume_nodes where deployment = ? and node = ?')
      .run(deployment, node);
  }
}
