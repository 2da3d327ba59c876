import type { RunRegister } from '../runtime/process.ts';
import type { Storage } from './storage.ts';

/** Ids of the runs that may have processes, in the records: they outlive a killed host. */
export class Runs implements RunRegister {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  add(run: string): void {
    this.#storage.prepare('insert into runs (run) values (?)').run(run);
  }

  remove(run: string): void {
    try {
      this.#storage.prepare('delete from runs where run = ?').run(run);
    } catch {
      // A full disk: the next start finds no process of it and forgets it.
    }
  }

  all(): readonly string[] {
    return this.#storage
      .prepare('select run from runs')
      .all()
      .map((row) => String(row['run']));
  }
}
