import type { RunRegister } from '../runtime/process.ts';
import type { Storage } from './storage.ts';

/** Stores the ids of runs that may have processes, so that they survive a killed host. */
export class RunRecords implements RunRegister {
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
      // On a full disk the id stays; the next start finds no process for it and removes it.
    }
  }

  list(): readonly string[] {
    return this.#storage
      .prepare('select run from runs')
      .all()
      .map((row) => String(row['run']));
  }
}
