import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason } from '../engine/engine-error.ts';
import type { EngineFinder } from '../engine/engine-finder.ts';
import type { ContainerVolumes, OwnedVolume } from './container-volumes.ts';
import type { VolumeCopies } from './volume-copies.ts';

/** Gives a backup the volumes of a host's containers. Rejects with a reason in a few words. */
export class VolumeSource {
  readonly #finder: EngineFinder;
  readonly #volumes: ContainerVolumes;
  readonly #copies: VolumeCopies;

  constructor(finder: EngineFinder, volumes: ContainerVolumes, copies: VolumeCopies) {
    this.#finder = finder;
    this.#volumes = volumes;
    this.#copies = copies;
  }

  async list(): Promise<readonly OwnedVolume[]> {
    return await this.#withEngine((client) => this.#volumes.list(client));
  }

  /**
   * Writes the content of a volume to a new file, as a tar archive. Resolves with the number of
   * entries that it lacks.
   *
   * @param image an image that the engine has.
   */
  async save({ volume }: OwnedVolume, image: string, file: string): Promise<number> {
    return await this.#withEngine((client) => this.#copies.save(client, { volume, image }, file));
  }

  async #withEngine<T>(work: (client: EngineClient) => Promise<T>): Promise<T> {
    const client = await this.#finder.find();
    if ('failure' in client) throw new Error(client.failure);
    try {
      return await work(client);
    } catch (error) {
      throw new Error(engineReason(error), { cause: error });
    }
  }
}
