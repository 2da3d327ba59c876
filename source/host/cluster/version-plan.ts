import type { ServiceDefinition } from '../../contract/sdl/definition.ts';
import type { DeploymentRecord } from '../deployment-record.ts';
import type { EngineService } from '../engine/swarm-api.ts';
import type { Files } from '../files/files.ts';
import type { ImageStore, StoredImage } from './image-store.ts';
import {
  generationOf,
  type PlannedService,
  storedImageOf,
  versionBefore,
  type VersionBefore,
} from './plan.ts';
import type { ServicePart } from './service-parts.ts';
import type { VolumeNodes } from './volumes/volume-nodes.ts';

/** A generation of a deployment, and what its plans need. */
export interface VersionParts {
  readonly record: DeploymentRecord;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly graceMs: number;
  readonly overcommit: number;
  readonly images: Pick<ImageStore, 'store'>;
  readonly files: Pick<Files, 'runFolder'>;
  readonly volumeNodes: Pick<VolumeNodes, 'find' | 'list' | 'set'>;
  /** Logs an event of a service, a few words. */
  readonly onEvent: (service: string, text: string) => void;
}

/** Returns the plan of a part of a service for a generation. */
export function planVersion(
  { host, record, graceMs, overcommit }: VersionParts,
  part: ServicePart,
  { generation, reference, hasFiles }: VersionBefore,
): PlannedService {
  return {
    ...part,
    host,
    deployment: record.id,
    number: record.number,
    image: reference,
    hasFiles,
    generation,
    graceMs,
    overcommit,
  };
}

/** Returns what a service had at a generation, by the service that has it or came after it. */
export function findVersion(
  present: EngineService | undefined,
  generation: number,
): VersionBefore | undefined {
  if (present === undefined) return undefined;
  if (generationOf(present) === generation) return { generation, ...storedImageOf(present) };
  const before = versionBefore(present);
  return before?.generation === generation ? before : undefined;
}

/** Puts the files of a generation into an image. */
export async function storeVersion(
  { record, images, files, onEvent }: VersionParts,
  { name, image = '' }: ServiceDefinition,
  generation: number,
  signal: AbortSignal,
): Promise<VersionBefore> {
  const stored: StoredImage = await images.store({
    image,
    tree: files.runFolder({ deployment: record.id, service: name }, generation),
    onEvent: (text) => {
      onEvent(name, text);
    },
    signal,
  });
  return { generation, ...stored };
}
