import type { Deployments } from '../deployments.ts';
import type { Files, Promotion } from '../files/files.ts';
import { Mutex } from '../records/mutex.ts';
import { conflict } from '../refusal.ts';
import { type StartRules, findStartRefusals } from './start-refusals.ts';
import type { Backend, Keeper } from './backend.ts';
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

  /**
   * Resolves when the files are copied and the generation is recorded. Throws a 409.
   *
   * @param keeper keeps the deployment; paused where a full disk has no room for two generations.
   */
  async run(id: string, keeper: Pick<Keeper, 'pause' | 'run'>): Promise<Promotion> {
    let lock = this.#locks.get(id);
    if (lock === undefined) this.#locks.set(id, (lock = new Mutex()));
    return await lock.run(() => this.#unfinished.run(() => this.#renew(id, keeper)));
  }

  /** Forgets a closed deployment. */
  forget(id: string): void {
    this.#locks.delete(id);
  }

  async #renew(id: string, keeper: Pick<Keeper, 'pause' | 'run'>): Promise<Promotion> {
    const { backend, deployments, files } = this.#parts;
    this.#assertWanted(id);
    const before = deployments.getById(id);
    const [refusal] = findStartRefusals(this.#parts, before);
    if (refusal !== undefined) throw conflict(refusal.sentence);
    const generation = deployments.nextGeneration(id);
    let isRecorded = false;
    const record = () => {
      this.#assertWanted(id);
      deployments.setGeneration(id, generation);
      isRecorded = true;
    };
    const makeRoom = async () => {
      // First, so that a host that is killed meanwhile makes the generation at its next start.
      record();
      await keeper.pause?.();
    };
    try {
      const promotion = await files.promote(id, generation, {
        linked: before.services.flatMap(({ name, image }) => (image === undefined ? [] : name)),
        makeRoom: keeper.pause === undefined ? undefined : makeRoom,
      });
      const obstacle = await backend.findObstacle(before, generation);
      if (obstacle !== undefined) throw conflict(obstacle);
      if (isRecorded) this.#assertWanted(id);
      else record();
      return promotion;
    } catch (error) {
      if (!isRecorded) await files.removeGeneration(id, generation).catch(() => undefined);
      else if (deployments.getById(id).phase === 'running') void keeper.run(generation);
      throw error;
    }
  }

  /** Throws when the deployment was closed or suspended, and while the host is stopping. */
  #assertWanted(id: string): void {
    this.#parts.deployments.assertRunning(id);
    this.#assertServing();
  }
}
