import type { Readable } from 'node:stream';
import { serviceFolder } from '../../contract/sdl/mount-path.ts';
import {
  attachContainer,
  copyToContainer,
  createContainer,
  removeContainer,
  startContainer,
  waitForEnd,
} from '../engine/containers.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason } from '../engine/engine-error.ts';
import { refusesProcessLimit, refusesStorageLimit } from './missing-limits.ts';
import { type ContainerParts, containerName, containerOptions } from './container-options.ts';
import type { RunRequest } from './runtime.ts';
import { archiveTree } from '../files/tree-archive.ts';

/** A container that has started. */
export interface StartedContainer {
  readonly id: string;
  /** The output, attached before the start so that no line is missed. */
  readonly output: Readable;
  /** The result of `waitForEnd`, requested before the start. */
  readonly exit: Promise<boolean>;
  /** Warnings that the engine gave when it created the container. */
  readonly warnings: readonly string[];
  /** The engine's reason for refusing the process limit; the container then runs without it. */
  readonly refusal?: string | undefined;
  /** False where the engine can't limit the storage of a container. */
  readonly limitsStorage: boolean;
}

/**
 * Creates a container, copies the tree into it and starts it; without the limits of processes and of
 * storage that the engine refuses. When the engine fails, removes the container if possible and
 * rejects.
 */
export async function startContainerRun(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<StartedContainer> {
  let { limitsProcesses = true, limitsStorage = true } = parts;
  let refusal: string | undefined;
  for (;;) {
    try {
      const started = await start(client, request, { ...parts, limitsProcesses, limitsStorage });
      return { ...started, refusal, limitsStorage };
    } catch (error) {
      const reason = engineReason(error);
      if (limitsStorage && refusesStorageLimit(reason)) limitsStorage = false;
      else if (limitsProcesses && refusesProcessLimit(reason)) {
        limitsProcesses = false;
        refusal = reason;
      } else throw error;
    }
  }
}

async function start(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<Omit<StartedContainer, 'limitsStorage'>> {
  const options = containerOptions(request, parts);
  const name = containerName(request, parts.run);
  const { id, warnings } = await createContainer(client, name, options);
  let output: Readable | undefined;
  try {
    if (parts.hasFiles) await copyTree(client, id, request);
    output = await attachContainer(client, id);
    const exit = waitForEnd(client, id, 'next-exit');
    await startContainer(client, id);
    return { id, output, exit, warnings };
  } catch (error) {
    output?.destroy();
    // A container that remains is removed by the sweep before the next start.
    await removeContainer(client, id).catch(() => undefined);
    throw error;
  }
}

/**
 * Unpacks at the root with the folder as an entry, which replaces a link that an image has there.
 */
async function copyTree(client: EngineClient, id: string, request: RunRequest): Promise<void> {
  const mounts = (request.volumes ?? []).map(({ mount }) => mount.slice(1));
  const archive = archiveTree(request.tree.folder, serviceFolder.slice(1), new Set(mounts));
  try {
    await copyToContainer(client, id, '/', archive, { signal: request.cancelSignal });
  } catch (error) {
    throw new Error(`can't copy its files: ${engineReason(error)}`, { cause: error });
  }
}
