import type { Readable } from 'node:stream';
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
import { refusesProcessLimit } from './missing-limits.ts';
import {
  type ContainerParts,
  containerName,
  containerOptions,
  treeFolder,
} from './container-options.ts';
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
}

/**
 * Creates a container, copies the tree into it and starts it; without a process limit when the
 * engine refuses it. When the engine fails, removes the container if possible and rejects.
 */
export async function startContainerRun(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<StartedContainer> {
  try {
    return await start(client, request, parts);
  } catch (error) {
    const refusal = engineReason(error);
    if (!refusesProcessLimit(refusal)) throw error;
    const started = await start(client, request, { ...parts, limitsProcesses: false });
    return { ...started, refusal };
  }
}

async function start(
  client: EngineClient,
  request: RunRequest,
  parts: ContainerParts,
): Promise<StartedContainer> {
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
  const archive = archiveTree(request.tree.folder, treeFolder.slice(1));
  try {
    await copyToContainer(client, id, '/', archive, request.cancelSignal);
  } catch (error) {
    throw new Error(`can't copy its files: ${engineReason(error)}`, { cause: error });
  }
}
