import { createHash } from 'node:crypto';
import type { VolumeDefinition } from '../../../contract/sdl/definition.ts';
import type { ServiceMount } from '../../engine/swarm-api.ts';
import { clusterLabels } from '../cluster-labels.ts';
import { partName, type ServicePart } from '../service-parts.ts';

/** A part of a service, and what makes the names of its volumes unique on the cluster. */
interface MountingPart extends ServicePart {
  /** Id of the host. */
  readonly host: string;
  /** Id of the deployment. */
  readonly deployment: string;
}

/** Mode of a folder in memory that every user of the image may write. */
const writableByAll = 0o1777;

/** Returns the mounts of the instances of a service. Each instance has volumes of its own. */
export function mountsOf(planned: MountingPart): readonly ServiceMount[] {
  return (planned.service.volumes ?? []).map((volume) => mountOf(planned, volume));
}

function mountOf(planned: MountingPart, volume: VolumeDefinition): ServiceMount {
  const { mount, kind, readOnly, size } = volume;
  const target = { Target: mount, ReadOnly: readOnly };
  if (kind === 'persistent') return { Type: 'volume', ...target, ...named(planned, volume) };
  // An unnamed volume ends with its task.
  if (kind === 'temporary' && !readOnly) return { Type: 'volume', ...target };
  const limit = size === undefined ? {} : { SizeBytes: size };
  return { Type: 'tmpfs', ...target, TmpfsOptions: { ...limit, Mode: writableByAll } };
}

/** Returns what names a volume; the engine fills in the number of the replica. */
function named(
  planned: MountingPart,
  { name }: VolumeDefinition,
): Pick<ServiceMount, 'Source' | 'VolumeOptions'> {
  const { host, deployment, service } = planned;
  const digest = createHash('sha256')
    .update(JSON.stringify([host, deployment, partName(planned), name]))
    .digest('hex');
  return {
    Source: `hostdeck-${deployment}-${digest.slice(0, 16)}-{{.Task.Slot}}`,
    VolumeOptions: {
      Labels: {
        [clusterLabels.host]: host,
        [clusterLabels.deployment]: deployment,
        [clusterLabels.service]: service.name,
        [clusterLabels.volume]: name,
      },
    },
  };
}
