import { volumeVariable } from '../../contract/sdl/volume-variable.ts';
import { allowReading } from '../isolation/folder-access.ts';
import type { Isolation } from '../isolation/isolation.ts';
import { refuseVolumes, type SandboxVolume } from '../isolation/sandbox-volumes.ts';
import { createVolume, placePath } from '../volumes/volume-place.ts';
import type { RunFailure, RunRequest, RunVolume } from './runtime.ts';

/** The volumes of a run that is about to start as a process. */
export interface ProcessVolumes {
  readonly volumes: readonly SandboxVolume[];
  /** Variables with the path of each volume as the service sees it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Properties of the definition that this machine can't provide, for the log. */
  readonly notes: readonly string[];
}

/** Creates the folders of a run's volumes, with the access that the service has to them. */
export async function prepareVolumes(
  { volumes = [] }: Pick<RunRequest, 'volumes'>,
  isolation: Isolation,
  user: number | undefined,
): Promise<ProcessVolumes | RunFailure> {
  const prepared: SandboxVolume[] = [];
  const notes: string[] = [];
  for (const volume of volumes) {
    const { name, mount, readOnly, kind, size } = volume;
    if (kind === 'memory' && isolation.hasSandbox) {
      const isLimited = isolation.limitsMemoryVolumes;
      if (!isLimited && size !== undefined)
        notes.push(`volume ${name} has no limit: bubblewrap is older than 0.7`);
      prepared.push({ mount, readOnly, bytes: isLimited ? size : undefined });
      continue;
    }
    if (kind === 'memory') notes.push(`volume ${name} is on the disk, as there is no sandbox`);
    const failure = await prepareFolder(volume, isolation, user);
    if (failure !== undefined) return failure;
    if (readOnly && !isolation.hasSandbox && !isolation.protectsFiles) {
      notes.push(`volume ${name} is not protected from writing, as there is no sandbox`);
    }
    prepared.push({ mount, readOnly, folder: placePath(volume.place) });
  }
  const refused = isolation.hasSandbox ? refuseVolumes(prepared) : undefined;
  if (refused !== undefined) return refused;
  const paths = volumes.map(({ name, mount, place }) => [
    volumeVariable(name),
    isolation.hasSandbox ? mount : placePath(place),
  ]);
  return {
    volumes: prepared,
    variables: Object.fromEntries(paths) as Readonly<Record<string, string>>,
    notes,
  };
}

async function prepareFolder(
  { name, place, kind, readOnly }: RunVolume,
  isolation: Isolation,
  user: number | undefined,
): Promise<RunFailure | undefined> {
  const folder = placePath(place);
  try {
    if (!(await createVolume(place, kind === 'persistent'))) {
      return {
        failure: `volume ${name}: its folder was replaced by a file or a link; move the folder back`,
      };
    }
    if (readOnly) await allowReading(folder, user);
    else await isolation.changeOwner(folder, user);
    return undefined;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return { failure: `volume ${name}: the host can't create its folder${code}` };
  }
}
