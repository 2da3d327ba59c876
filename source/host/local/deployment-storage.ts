import type { ServiceDefinition, VolumeDefinition } from '../../contract/sdl/definition.ts';
import type { Files } from '../files/files.ts';
import { measureTree } from '../files/tree-walk.ts';
import { ownStorage } from '../volumes/own-storage.ts';
import type { VolumeFolders } from '../volumes/volume-folders.ts';
import { placePath } from '../volumes/volume-place.ts';
import type { VolumeUse } from '../volumes/volume-use.ts';
import type { ExceededVolumes } from './exceeded-volumes.ts';
import type { Instance } from './instance.ts';
import type { StorageMeter } from './storage-meter.ts';

export interface DeploymentStorageParts {
  /** Id of the deployment. */
  readonly deployment: string;
  readonly files: Pick<Files, 'runFolder'>;
  readonly volumes: Pick<VolumeFolders, 'place'>;
  readonly volumeUse: Pick<VolumeUse, 'bytes'>;
  readonly exceeded: Pick<ExceededVolumes, 'has' | 'set'>;
  readonly meter: Pick<StorageMeter, 'watch'>;
}

/** A service in the generation of files that runs. */
export interface MeteredService {
  readonly service: ServiceDefinition;
  readonly generation: number;
  readonly instances: readonly Instance[];
  /** Bytes of storage of each instance with its volumes; undefined for no limit. */
  readonly storage: number | undefined;
}

/** Watches the storage of the services of a deployment: their own, and each of their volumes. */
export class DeploymentStorage {
  readonly #parts: DeploymentStorageParts;
  /** Limits of the volumes that outlive generations, by service and name. */
  readonly #kept = new Map<string, VolumeLimit>();

  constructor(parts: DeploymentStorageParts) {
    this.#parts = parts;
  }

  /**
   * Calls `onExcess` once when the service uses more than it may. Measures until the returned
   * function is called.
   */
  watch(metered: MeteredService, onExcess: (sentence: string) => void): () => void {
    const { deployment, files, meter } = this.#parts;
    const { service, generation, instances } = metered;
    const limit = ownStorage(metered.storage, service.volumes);
    const tree = files.runFolder({ deployment, service: service.name }, generation);
    const volumes = (service.volumes ?? []).flatMap(
      (volume) => this.#volumeLimit(service, volume, tree) ?? [],
    );
    if (limit === undefined && volumes.length === 0) return () => undefined;
    const findExcess = async () => {
      const own =
        limit === undefined
          ? undefined
          : await findStorageExcess({ service, limit, instances, folders: [tree] });
      if (own !== undefined) return own;
      for (const volume of volumes) {
        const excess = await volume.findExcess();
        if (excess !== undefined) return excess;
      }
      return undefined;
    };
    return meter.watch({ findExcess, onExcess });
  }

  /** Lets services with a full volume start again. Call it while none runs. */
  async acceptUse(): Promise<void> {
    for (const limit of this.#kept.values()) await limit.acceptUse();
  }

  /**
   * Lets services start whose volumes an earlier host found above their sizes. Call it before the first start:
   * what they write from then on counts as growth.
   */
  async acceptEarlier(services: readonly ServiceDefinition[], generation: number): Promise<void> {
    const { deployment, exceeded, files } = this.#parts;
    for (const service of services) {
      const tree = files.runFolder({ deployment, service: service.name }, generation);
      for (const volume of service.volumes ?? []) {
        const wasExceeded = exceeded.has(deployment, keyOf(service, volume));
        if (wasExceeded) await this.#volumeLimit(service, volume, tree)?.acceptUse();
      }
    }
  }

  /** Returns undefined for a volume without a size, and for one that the host can't measure. */
  #volumeLimit(
    service: ServiceDefinition,
    volume: VolumeDefinition,
    tree: string,
  ): VolumeLimit | undefined {
    if (volume.size === undefined) return undefined;
    const bytes = volume.size * service.count;
    const measure = this.#measurement(service, volume, tree);
    // An engine measures persistent volumes only.
    if (volume.kind !== 'persistent') {
      return service.image === undefined ? new VolumeLimit({ volume, bytes, measure }) : undefined;
    }
    const key = keyOf(service, volume);
    let limit = this.#kept.get(key);
    if (limit === undefined) {
      const { deployment, exceeded } = this.#parts;
      limit = new VolumeLimit({
        volume,
        bytes,
        measure,
        wasExceeded: exceeded.has(deployment, key),
        onExceeded: (isExceeded) => {
          exceeded.set(deployment, key, isExceeded);
        },
      });
      this.#kept.set(key, limit);
    }
    return limit;
  }

  #measurement(
    { name: service, image, count }: ServiceDefinition,
    volume: VolumeDefinition,
    tree: string,
  ) {
    const { deployment, volumes, volumeUse } = this.#parts;
    return async (most: number): Promise<number | undefined> => {
      if (image !== undefined) return volumeUse.bytes(deployment, service, volume.name);
      let used = 0;
      for (let instance = 1; instance <= count && used <= most; instance += 1) {
        const place = volumes.place({ deployment, service, instance }, volume, tree);
        used += await measureTree(placePath(place), most - used);
      }
      return used;
    };
  }
}

function keyOf({ name: service }: ServiceDefinition, { name }: VolumeDefinition): string {
  return `${service}/${name}`;
}

export interface VolumeLimitParts {
  readonly volume: Pick<VolumeDefinition, 'name' | 'kind'>;
  /** Bytes that the volume may have in all instances together. */
  readonly bytes: number;
  /**
   * Resolves with the bytes that it has, or with any number above `most` if it has more; undefined
   * when they are unknown.
   */
  readonly measure: (most: number) => Promise<number | undefined>;
  /** True when an earlier host found the volume above its size. */
  readonly wasExceeded?: boolean;
  /** Called when the volume is found above its size, and when it is within it again. */
  readonly onExceeded?: (isExceeded: boolean) => void;
}

/** The limit of one volume of a service. */
export class VolumeLimit {
  readonly #parts: VolumeLimitParts;
  #allowed: number;
  #isExceeded: boolean;
  /** True until an exceeded volume may have what it has. */
  #isAccepting: boolean;

  constructor(parts: VolumeLimitParts) {
    this.#parts = parts;
    this.#allowed = parts.bytes;
    this.#isExceeded = this.#isAccepting = parts.wasExceeded === true;
  }

  /** Resolves with a sentence when the volume has more than it may; undefined otherwise. */
  async findExcess(): Promise<string | undefined> {
    if (this.#isAccepting) {
      await this.acceptUse();
      return undefined;
    }
    const { volume, bytes, measure } = this.#parts;
    const used = await measure(this.#allowed);
    if (used === undefined || used <= this.#allowed) return undefined;
    this.#mark(true);
    const next =
      volume.kind === 'persistent'
        ? 'after a restart it can free space, and is stopped again if the volume grows'
        : 'a restart empties the volume';
    return (
      `uses more than the ${formatLimit(bytes)} of its volume ${volume.name} (storage.size), ` +
      `so it is stopped; ${next}`
    );
  }

  /**
   * Allows what an exceeded volume has: a service that were stopped at each start could never free
   * space in a volume that outlives it. Call it while the service doesn't run.
   */
  async acceptUse(): Promise<void> {
    if (!this.#isExceeded) return;
    const { bytes, measure } = this.#parts;
    const used = await measure(Number.POSITIVE_INFINITY);
    this.#isAccepting = used === undefined;
    if (used === undefined) return;
    this.#allowed = Math.max(bytes, used);
    this.#mark(used > bytes);
  }

  #mark(isExceeded: boolean): void {
    if (this.#isExceeded === isExceeded) return;
    this.#isExceeded = isExceeded;
    this.#parts.onExceeded?.(isExceeded);
  }
}

/** A service with a limit of the storage of each instance outside of its volumes. */
interface LimitedService {
  readonly service: ServiceDefinition;
  /** Bytes. */
  readonly limit: number;
  readonly instances: readonly Instance[];
  /** Folders that all instances of the service write to as processes. */
  readonly folders: readonly string[];
}

const mebibyte = 2 ** 20;

/**
 * Resolves with a sentence when a service uses more storage than its definition allows; undefined
 * while it doesn't, or when nothing is known. Containers have storage of their own; processes share
 * their folders, and so the limits of all of them.
 */
async function findStorageExcess({
  service,
  limit,
  instances,
  folders,
}: LimitedService): Promise<string | undefined> {
  const own: number[] = [];
  for (const instance of instances) {
    const bytes = await instance.measureStorage();
    if (bytes !== undefined) own.push(bytes);
  }
  if (own.length > 0) return describeExcess(Math.max(...own), limit);
  const shared = limit * service.count;
  let used = 0;
  for (const folder of folders) {
    if (used <= shared) used += await measureTree(folder, shared - used);
  }
  return describeExcess(used, shared);
}

function describeExcess(used: number, limit: number): string | undefined {
  if (used <= limit) return undefined;
  return (
    `uses more than its ${formatLimit(limit)} of storage (storage.size), so it is stopped; ` +
    'a restart begins with the uploaded files'
  );
}

/** Formats a limit of storage for a person. */
function formatLimit(bytes: number): string {
  return bytes < mebibyte ? `${bytes} bytes` : `${Math.floor((bytes / mebibyte) * 10) / 10} MiB`;
}
