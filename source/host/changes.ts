/** What a change is of: a deployment and the wallet that owns it. */
interface Changed {
  readonly id: string;
  readonly owner: string;
}

/**
 * Counts the changes of what there is to see of deployments: of their records and of what runs of
 * them. What was made of something is as it was for as long as its count is.
 */
export class ChangeCounts {
  readonly #ofDeployments = new Map<string, number>();
  readonly #ofOwners = new Map<string, number>();

  /** Something of a deployment is another than it was. */
  add({ id, owner }: Changed): void {
    this.#ofDeployments.set(id, this.ofDeployment(id) + 1);
    this.#ofOwners.set(owner, this.ofOwner(owner) + 1);
  }

  ofDeployment(id: string): number {
    return this.#ofDeployments.get(id) ?? 0;
  }

  /** Of all deployments of a wallet together. */
  ofOwner(owner: string): number {
    return this.#ofOwners.get(owner) ?? 0;
  }
}
