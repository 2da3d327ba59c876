import { mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';
import type { FileSnapshots } from '../files/file-snapshots.ts';
import { Folder } from '../files/folder.ts';
import { hasErrorCode } from '../files/missing.ts';
import { packFile, packFolder, type Packer } from '../files/tree-packing.ts';
import { engineVolumePath, engineVolumesFolder } from '../volumes/restored-volumes.ts';
import type { VolumeOwner } from '../volumes/volume-folders.ts';
import { placeOf } from './archive-entries.ts';

/** A volume of a container. */
export interface EngineVolume {
  readonly owner: VolumeOwner;
  readonly name: string;
  /** Its name on the engine. */
  readonly volume: string;
}

/** The engine's volumes of a host. Both calls reject with a reason in a few words. */
export interface EngineVolumeSource {
  list(): Promise<readonly EngineVolume[]>;
  /** Writes a volume to a new file; resolves with the number of entries that the file lacks. */
  save(volume: EngineVolume, image: string, file: string): Promise<number>;
}

interface EngineVolumesParts {
  /** Existing folder for the parts of volumes, on the disk of the data folder. */
  readonly work: string;
  readonly source: EngineVolumeSource;
  readonly snapshots: Pick<FileSnapshots, 'linkPart'>;
  /** Images by service, by id of the deployments that use such volumes. */
  readonly users: ReadonlyMap<string, ReadonlyMap<string, string>>;
  /** Called with the number of entries that the backup lacks. */
  readonly onSkipped: (count: number) => void;
  /** Called with a deployment of which the backup lacks a volume, and the reason in a few words. */
  readonly onMissing: (deployment: string, reason: string) => void;
}

/** Packs what the engine has in volumes of containers, and what waits for its first start. */
export class EngineVolumes {
  readonly #parts: EngineVolumesParts;
  readonly #listed: readonly EngineVolume[];

  private constructor(parts: EngineVolumesParts, listed: readonly EngineVolume[]) {
    this.#parts = parts;
    this.#listed = listed;
  }

  /** Finds all volumes. Without an engine, all deployments that use one are missing. */
  static async find(parts: EngineVolumesParts): Promise<EngineVolumes> {
    const { work, source, snapshots, users, onMissing } = parts;
    for (const id of users.keys()) {
      // First of all: a content that is removed from now on is in a volume that the list has.
      const linked = path.join(work, id);
      await mkdir(linked);
      if (!(await snapshots.linkPart(id, engineVolumesFolder, linked))) await rmdir(linked);
    }
    if (users.size === 0) return new EngineVolumes(parts, []);
    try {
      return new EngineVolumes(parts, await source.list());
    } catch (error) {
      for (const id of users.keys()) onMissing(id, reasonOf(error));
      return new EngineVolumes(parts, []);
    }
  }

  /** Packs the volumes of a deployment, one after the other. */
  async pack(packer: Packer, id: string): Promise<void> {
    const { work, source, users, onSkipped, onMissing } = this.#parts;
    const images = users.get(id);
    if (images === undefined) return;
    const waiting = await this.#packRestored(packer, id);
    await using folder = await Folder.open(work);
    if (!(folder instanceof Folder)) throw new Error(`${work} is not a folder`);
    for (const volume of this.#listed) {
      const name = `deployments/${id}/${engineVolumePath(volume.owner, volume.name)}`;
      const image = images.get(volume.owner.service);
      if (volume.owner.deployment !== id || waiting.has(name) || image === undefined) continue;
      if (placeOf({ name, size: 0 }) === undefined) continue;
      const file = 'volume.tar';
      try {
        onSkipped(await source.save(volume, image, path.join(work, file)));
        await packFile(packer, folder, file, { path: name });
      } catch (error) {
        if (hasErrorCode(error, 'ENOSPC')) throw error;
        onMissing(id, reasonOf(error));
      } finally {
        await rm(path.join(work, file), { force: true });
      }
    }
  }

  /** Packs the contents that wait for a start. Returns their names in the archive. */
  async #packRestored(packer: Packer, id: string): Promise<ReadonlySet<string>> {
    const linked = path.join(this.#parts.work, id);
    await using folder = await Folder.open(linked);
    if (!(folder instanceof Folder)) return new Set();
    const name = `deployments/${id}/${engineVolumesFolder}`;
    await packFolder(packer, folder, name, { kind: 'exact' });
    const files = await readdir(linked, { recursive: true });
    return new Set(files.map((file) => `${name}/${file}`));
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
