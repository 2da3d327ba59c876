import type { Deployments } from '../deployments.ts';
import type { Files } from '../files/files.ts';
import { Mutex } from '../records/mutex.ts';
import { conflict } from '../refusal.ts';
import { type StartRules, findStartRefusals } from './start-refusals.ts';
import type { Backend } from './backend.ts';
import type { UnfinishedWork } from './unfinished-work.ts';

export interface RenewalParts extends StartRules {
  readonly deployments: Pick<
    Deployments,
    'assertRunning' | 'getById' | 'nextGeneration' | 'setGeneration'
  >;
  readonly files: Pick<Files, 'promote' | 'removeGeneration'>;
  readonly backend: Pick<Backend, 'findObstacle'>;
}

/** Makes the staged files of deployments their next generations, which restarts run. */
export class Renewal {
  readonly #parts: RenewalParts;
  readonly #unfinished: UnfinishedWork;
  readonly #assertServing: () => void;
  /** Serialises the renewals of each deployment, since each uses the next generation. */
  readonly #locks = new Map<string, Mutex>();

  /** @param assertServing throws while the host is stopping. */
  constructor(parts: RenewalParts, unfinished: UnfinishedWork, assertServing: () => void) {
    this.#parts = parts;
    this.#unfinished = unfinished;
    this.#assertServing = assertServing;
  }

  /** Resolves when the files are copied and the generation is recorded. Throws a 409. */
  async run(id: string): Promise<void> {
    let lock = this.#locks.get(id);
    if (lock === undefined) this.#locks.set(id, (lock = new Mutex()));
    await lock.run(() => this.#unfinished.run(() => this.#renew(id)));
  }

  /** Forgets a closed deployment. */
  forget(id: string): void {
    this.#locks.delete(id);
  }

  async #renew(id: string): Promise<void> {
    const { backend, deployments, files } = this.#parts;
    deployments.assertRunning(id);
    const [refusal] = findStartRefusals(this.#parts, deployments.getById(id));
    if (refusal !== undefined) throw conflict(refusal.sentence);
    this.#assertServing();
    const generation = deployments.nextGeneration(id);
    try {
      await files.promote(id, generation);
      const obstacle = await backend.findObstacle(deployments.getById(id), generation);
      if (obstacle !== undefined) throw conflict(obstacle);
      // The deployment may have been closed or suspended during the copy.
      deployments.assertRunning(id);
      this.#assertServing();
      deployments.setGeneration(id, generation);
    } catch (error) {
      await files.removeGeneration(id, generation).catch(() => undefined);
      throw error;
    }
  }
}
