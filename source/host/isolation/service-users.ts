import type { Storage } from '../records/storage.ts';
import { blockSize } from './user-blocks.ts';

/**
 * Assigns a user id to each deployment of a host, stored in the records. The id of a closed
 * deployment is reused only when no other id is free.
 */
export class ServiceUsers {
  readonly #storage: Storage;
  readonly #block: number;

  /** @param block first id of the host's block. */
  constructor(storage: Storage, block: number) {
    this.#storage = storage;
    this.#block = block;
  }

  /**
   * Returns the user id of a deployment, which is also its group id; undefined when none is free.
   */
  userOf(deployment: string): number | undefined {
    const assigned = this.#storage
      .prepare('select number from service_users where deployment = ?')
      .get(deployment);
    const number = assigned === undefined ? this.#assign(deployment) : Number(assigned['number']);
    return number === undefined ? undefined : this.#block + number;
  }

  #assign(deployment: string): number | undefined {
    return this.#storage.transaction(() => {
      const last = this.#storage.prepare('select max(number) as last from service_users').get();
      const next = Number(last?.['last'] ?? -1) + 1;
      const number = next < blockSize ? next : this.#reclaim();
      if (number === undefined) return undefined;
      this.#storage
        .prepare('insert into service_users (deployment, number) values (?, ?)')
        .run(deployment, number);
      return number;
    });
  }

  /** Frees the lowest number of a deployment that is closed or was never completed. */
  #reclaim(): number | undefined {
    const freed = this.#storage
      .prepare(
        `delete from service_users where deployment = (
           select deployment from service_users where deployment not in
             (select id from deployments where phase <> 'closed') order by number limit 1)
         returning number`,
      )
      .get();
    return freed === undefined ? undefined : Number(freed['number']);
  }
}
