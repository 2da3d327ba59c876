/** A changed deployment and the wallet that owns it. */
interface ChangedDeployment {
  readonly id: string;
  readonly owner: string;
}

/**
 * Counts the visible changes of deployments, in their records and in their running instances.
 * Cached output stays valid while the count it was made at stays the same.
 */
export class ChangeCounter {
  readonly #deploymentCounts = new Map<string, number>();
  readonly #ownerCounts = new Map<string, number>();

  /** Records one visible change of a deployment. */
  add({ id, owner }: ChangedDeployment): void {
    this.#deploymentCounts.set(id, this.deploymentCount(id) + 1);
    this.#ownerCounts.set(owner, this.ownerCount(owner) + 1);
  }

  /** Forgets a deployment whose output is not cached any more. */
  forget(id: string): void {
    this.#deploymentCounts.delete(id);
  }

  deploymentCount(id: string): number {
    return this.#deploymentCounts.get(id) ?? 0;
  }

  /** Returns the number of changes of all deployments of a wallet. */
  ownerCount(owner: string): number {
    return this.#ownerCounts.get(owner) ?? 0;
  }
}
