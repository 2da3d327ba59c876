import type { Storage } from '../records/storage.ts';
import { blockSize } from './user-blocks.ts';

/** Key of the number that was assigned last. */
const lastKey = 'last-service-user';

/**
 * Assigns a user id to each deployment of a host, stored in the records. The ids are assigned in
 * turn, so that one of a removed deployment is reused as late as possible; the id of a closed one
 * whose files are kept is reused only when no other id is free.
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
      const last = Number(this.#storage.readMeta(lastKey) ?? -1);
      const number = this.#freeAfter(last) ?? this.#freeAfter(-1) ?? this.#reclaim();
      if (number === undefined) return undefined;
      this.#storage.writeMeta(lastKey, String(number));
      this.#storage
        .prepare('insert into service_users (deployment, number) values (?, ?)')
        .run(deployment, number);
      return number;
    });
  }

  /** Returns the lowest free number above `last`. */
  #freeAfter(last: number): number | undefined {
    const row = this.#storage
      .prepare(
        `select before + 1 as free from (
           select ?1 as before union all select number from service_users where number > ?1
         )
         where free < ?2 and free not in (select number from service_users)
         order by free limit 1`,
      )
      .get(last, blockSize);
    return row === undefined ? undefined : Number(row['free']);
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
