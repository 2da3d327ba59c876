import { isDiskFull } from '../disk-space.ts';
import type { Storage } from '../records/storage.ts';

/** Records the volumes that were found above their sizes, for the next host. */
export class ExceededVolumes {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** @param volume the service and the name of the volume. */
  has(deployment: string, volume: string): boolean {
    return (
      this.#storage
        .prepare('select 1 from exceeded_volumes where deployment = ? and volume = ?')
        .get(deployment, volume) !== undefined
    );
  }

  /** Adds or removes a volume. Does nothing on a full disk: the next host then measures anew. */
  set(deployment: string, volume: string, isExceeded: boolean): void {
    const sql = isExceeded
      ? 'insert or ignore into exceeded_volumes (deployment, volume) values (?, ?)'
      : 'delete from exceeded_volumes where deployment = ? and volume = ?';
    try {
      this.#storage.prepare(sql).run(deployment, volume);
    } catch (error) {
      if (!isDiskFull(error)) throw error;
    }
  }
}
