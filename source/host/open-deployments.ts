import type { DeploymentRecord } from './deployment-record.ts';

/** The records of open deployments in memory, in the order of their numbers. */
export class OpenDeployments {
  readonly #byId = new Map<string, DeploymentRecord>();
  /** The same records by owner and id. */
  readonly #byOwner = new Map<string, Map<string, DeploymentRecord>>();

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): DeploymentRecord | undefined {
    return this.#byId.get(id);
  }

  list(): readonly DeploymentRecord[] {
    return [...this.#byId.values()];
  }

  /** Returns the open deployments of a wallet, newest first. */
  listOf(owner: string): readonly DeploymentRecord[] {
    return [...(this.#byOwner.get(owner)?.values() ?? [])].reverse();
  }

  /** Adds a record, or replaces the one with its id. */
  set(record: DeploymentRecord): void {
    this.#byId.set(record.id, record);
    let owned = this.#byOwner.get(record.owner);
    if (owned === undefined) this.#byOwner.set(record.owner, (owned = new Map()));
    owned.set(record.id, record);
  }

  delete({ id, owner }: Pick<DeploymentRecord, 'id' | 'owner'>): void {
    this.#byId.delete(id);
    this.#byOwner.get(owner)?.delete(id);
  }

  /** Returns the wanted name, or `NAME-2` and so on when an open deployment of the owner has it. */
  freeName(owner: string, wanted: string): string {
    const taken = new Set(this.listOf(owner).map((record) => record.name));
    if (!taken.has(wanted)) return wanted;
    let number = 2;
    while (taken.has(`${wanted}-${number}`)) number += 1;
    return `${wanted}-${number}`;
  }
}
