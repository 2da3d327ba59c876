import { createHash } from 'node:crypto';
import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { ContainerConfig, HostConfig } from '../engine/engine-api.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import {
  createEngineVolume,
  listEngineVolumes,
  readVolumeSizes,
  removeEngineVolume,
} from '../engine/engine-volumes.ts';
import { labels } from './container-labels.ts';
import type { RestoredVolumes } from '../volumes/restored-volumes.ts';
import type { VolumeOwner } from '../volumes/volume-folders.ts';
import type { EngineVolumeSizes } from '../volumes/volume-use.ts';
import type { RunFailure, RunRequest } from './runtime.ts';
import type { VolumeCopies } from './volume-copies.ts';

/** The part of a request that identifies an instance and its volumes. */
type VolumeRequest = Pick<RunRequest, 'deployment' | 'service' | 'instance' | 'volumes'>;

/** The part of a request that the first start of an instance needs for its volumes. */
type CreationRequest = VolumeRequest & Pick<RunRequest, 'onEvent' | 'cancelSignal'>;

export interface ContainerVolumesParts {
  /** Id of the host, unique on the engine. */
  readonly host: string;
  /** Returns true while the data of a deployment is kept. */
  readonly isKept: (deployment: string) => boolean;
  readonly copies: VolumeCopies;
  /** Contents of volumes that a backup has brought; none by default. */
  readonly restored?: Pick<RestoredVolumes, 'find' | 'remove'> | undefined;
}

/** A volume of this host on the engine. */
export interface OwnedVolume {
  readonly owner: VolumeOwner;
  readonly name: string;
  /** Its name on the engine. */
  readonly volume: string;
}

/**
 * Manages the volumes of containers that outlive them. Each has the host's labels, and exists until
 * the host no longer keeps the data of its deployment.
 */
export class ContainerVolumes {
  readonly #host: string;
  readonly #isKept: (deployment: string) => boolean;
  readonly #parts: ContainerVolumesParts;
  /** False while the engine may have volumes of deployments whose data is not kept. */
  #isSwept = false;

  constructor(parts: ContainerVolumesParts) {
    this.#host = parts.host;
    this.#isKept = parts.isKept;
    this.#parts = parts;
  }

  /** Creates the volumes of an instance that do not exist yet, and fills those of a backup. */
  async create(client: EngineClient, request: CreationRequest): Promise<RunFailure | undefined> {
    for (const { name, kind } of request.volumes ?? []) {
      if (kind !== 'persistent') continue;
      const volume = engineVolumeName(this.#host, ownerOf(request), name);
      try {
        const found = await createEngineVolume(client, volume, {
          [labels.host]: this.#host,
          [labels.deployment]: request.deployment,
          [labels.service]: request.service.name,
          [labels.instance]: String(request.instance),
          [labels.volume]: name,
        });
        if (found[labels.host] !== this.#host) {
          return { failure: `volume ${name}: the engine has another one named ${volume}` };
        }
      } catch (error) {
        return { failure: `can't create volume ${name}: ${engineReason(error)}` };
      }
      const failure = await this.#fill(client, request, name, volume);
      if (failure !== undefined) return failure;
    }
    return undefined;
  }

  /**
   * Fills a volume with what a backup had of it. A fill that was interrupted is repeated by the next
   * start, as no service has used the volume.
   */
  async #fill(
    client: EngineClient,
    request: CreationRequest,
    name: string,
    volume: string,
  ): Promise<RunFailure | undefined> {
    const { copies, restored } = this.#parts;
    const content = restored?.find(ownerOf(request), name);
    if (content === undefined) return undefined;
    const { service, onEvent, cancelSignal } = request;
    try {
      const target = { volume, image: service.image ?? '' };
      await copies.restore(client, target, content, cancelSignal);
      await restored?.remove(content);
    } catch (error) {
      if (cancelSignal.aborted) return { failure: 'cancelled' };
      return { failure: `can't restore volume ${name}: ${engineReason(error)}` };
    }
    onEvent(`volume ${name} has the content of the backup`);
    return undefined;
  }

  /** Removes the volumes of a deployment whose data is not kept. Never rejects. */
  async remove(client: EngineClient, deployment: string): Promise<void> {
    await this.#removeAll(client, `${labels.deployment}=${deployment}`);
  }

  /** Removes all volumes of this host of deployments whose data is not kept. Never rejects. */
  async sweep(client: EngineClient): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    await this.#removeAll(client, `${labels.host}=${this.#host}`);
  }

  /**
   * Resolves with the volumes of this host. Leaves out what has its labels and another name: anyone
   * with access to the engine can make such a volume.
   */
  async list(client: EngineClient): Promise<readonly OwnedVolume[]> {
    const found = await listEngineVolumes(client, `${labels.host}=${this.#host}`);
    return found.flatMap(({ Name, Labels }) => {
      const owner = {
        deployment: Labels[labels.deployment] ?? '',
        service: Labels[labels.service] ?? '',
        instance: Number(Labels[labels.instance]),
      };
      const name = Labels[labels.volume] ?? '';
      const isOwn = Name === engineVolumeName(this.#host, owner, name);
      return isOwn ? [{ owner, name, volume: Name }] : [];
    });
  }

  /** Resolves with the sizes of all volumes that the engine reports. Never rejects. */
  async measure(client: EngineClient, signal: AbortSignal): Promise<EngineVolumeSizes> {
    const sizes = await readVolumeSizes(client, signal).catch(() => new Map<string, number>());
    return (owner, name) => sizes.get(engineVolumeName(this.#host, owner, name));
  }

  /** Repeats the next sweep, as a removal could not be done. */
  expectLeft(): void {
    this.#isSwept = false;
  }

  async #removeAll(client: EngineClient, label: string): Promise<void> {
    try {
      for (const { Name, Labels } of await listEngineVolumes(client, label)) {
        const deployment = Labels[labels.deployment];
        const isOwn = Labels[labels.host] === this.#host && deployment !== undefined;
        if (isOwn && !this.#isKept(deployment)) await this.#remove(client, Name);
      }
    } catch {
      this.#isSwept = false;
    }
  }

  async #remove(client: EngineClient, name: string): Promise<void> {
    try {
      await removeEngineVolume(client, name);
    } catch (error) {
      // A container that remains is removed by the sweep of containers, before the next start.
      if (engineStatus(error) !== 404) this.#isSwept = false;
    }
  }
}

/** Returns true when an engine may have volumes of these services. */
export function hasEngineVolumes(services: readonly ServiceDefinition[]): boolean {
  return services.some(
    ({ image, volumes = [] }) =>
      image !== undefined && volumes.some(({ kind }) => kind === 'persistent'),
  );
}

/**
 * Returns the name of a volume on the engine. The hash makes it unique, as the dashes between the
 * readable parts may be parts of names too, and as a copied data folder has the same deployments.
 */
export function engineVolumeName(
  host: string,
  { deployment, service, instance }: VolumeOwner,
  name: string,
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([host, deployment, service, instance, name]))
    .digest('hex');
  return `hostdeck-${deployment}-${service}-${instance}-${name}-${hash.slice(0, 12)}`;
}

function ownerOf({ deployment, service, instance }: VolumeRequest): VolumeOwner {
  return { deployment, service: service.name, instance };
}

/** The fields of `ContainerCreate` that mount the volumes of an instance. */
interface VolumeOptions {
  readonly config: Pick<ContainerConfig, 'Volumes'>;
  readonly hostConfig: Pick<HostConfig, 'Binds' | 'Tmpfs' | 'ShmSize'>;
}

/** Shared memory, which engines mount in each container with a size of its own. */
const sharedMemory = '/dev/shm';

/** Returns the options that mount the volumes of an instance. */
export function volumeOptions(host: string, request: VolumeRequest): VolumeOptions {
  const binds: string[] = [];
  const tmpfs: [string, string][] = [];
  const anonymous: [string, Readonly<Record<string, never>>][] = [];
  let shmSize: number | undefined;
  for (const { name, mount, kind, readOnly, size } of request.volumes ?? []) {
    const limit = size === undefined ? '' : `,size=${size}`;
    if (kind === 'persistent') {
      const source = engineVolumeName(host, ownerOf(request), name);
      binds.push(`${source}:${mount}${readOnly ? ':ro' : ''}`);
    } else if (readOnly) tmpfs.push([mount, `ro${limit}`]);
    else if (kind === 'temporary') anonymous.push([mount, {}]);
    else if (mount === sharedMemory && size !== undefined) shmSize = size;
    else tmpfs.push([mount, `exec,mode=1777${limit}`]);
  }
  return {
    config: anonymous.length === 0 ? {} : { Volumes: Object.fromEntries(anonymous) },
    hostConfig: {
      ...(binds.length === 0 ? {} : { Binds: binds }),
      ...(tmpfs.length === 0 ? {} : { Tmpfs: Object.fromEntries(tmpfs) }),
      ...(shmSize === undefined ? {} : { ShmSize: shmSize }),
    },
  };
}
