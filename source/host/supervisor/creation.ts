import type { DeploymentRecord } from '../deployment-record.ts';
import type { Deployments } from '../deployments.ts';
import type { Files, SeedFile } from '../files/files.ts';
import type { Billing } from '../money/billing.ts';
import type { HostLimits } from '../server/limits.ts';
import { type AdmissionRules, admitSdl } from './admission.ts';
import type { UnfinishedWork } from './unfinished-work.ts';
import { WalletRoom } from './wallet-room.ts';

export interface CreationParts extends AdmissionRules {
  readonly deployments: Deployments;
  readonly files: Files;
  readonly billing: Billing;
  readonly limits: HostLimits;
}

/** Creates the records and the files of new deployments. */
export class Creation {
  readonly #parts: CreationParts;
  readonly #unfinished: UnfinishedWork;
  readonly #assertServing: () => void;
  readonly #room: WalletRoom;

  /** @param assertServing throws while the host is stopping. */
  constructor(parts: CreationParts, unfinished: UnfinishedWork, assertServing: () => void) {
    this.#parts = parts;
    this.#unfinished = unfinished;
    this.#assertServing = assertServing;
    this.#room = new WalletRoom(parts.deployments, parts.limits);
  }

  /**
   * Returns the record of a new deployment, which is to be started when its phase is running. Throws
   * a 422 with positions for an SDL that can't run, and a 409 when the wallet has no room for it.
   */
  async run(owner: string, sdl: string, seeds: readonly SeedFile[]): Promise<DeploymentRecord> {
    const { deployments, limits } = this.#parts;
    this.#assertServing();
    const definition = await admitSdl({ owner, sdl }, this.#parts, limits);
    this.#assertServing();
    const leave = this.#room.take({ owner, sdl, services: definition.services });
    try {
      const draft = deployments.insert(owner, sdl, definition);
      return await this.#unfinished.run(() => this.#complete(draft, seeds, leave));
    } finally {
      leave();
    }
  }

  /**
   * Creates the files of a new deployment and completes its record; an error removes both.
   *
   * @param leave gives back the room in the wallet, which the record then takes.
   */
  async #complete(
    draft: DeploymentRecord,
    seeds: readonly SeedFile[],
    leave: () => void,
  ): Promise<DeploymentRecord> {
    const { deployments, files, billing } = this.#parts;
    try {
      const names = draft.services.map((service) => service.name);
      await files.create(draft.id, names, seeds);
      // A deployment whose creation was refused must not start with the next host.
      this.#assertServing();
      leave();
      return deployments.complete(draft, billing.canPay(draft) ? 'running' : 'suspended');
    } catch (error) {
      await files.remove(draft.id);
      deployments.remove(draft.id);
      throw error;
    }
  }
}
