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
import { refusesProcessLimit } from './container-limits.ts';
import {
  type ContainerParts,
  containerName,
  containerOptions,
  treeFolder,
} from './container-options.ts';
import type { RunRequest } from './runtime.ts';
import { archiveTree } from './tree-archive.ts';

/** A container that has started. */
export interface StartedContainer {
  readonly id: string;
  /** Its output, requested before its start so that nothing is missed. */
  readonly output: Readable;
  /** Settles as `waitForEnd` does, asked for before its start. */
  readonly exit: Promise<boolean>;
  /** Warnings of the engine when it made the container. */
  readonly warnings: readonly string[];
  /** The engine's reason to refuse a limit of processes, so that there is none. */
  readonly refusal?: string | undefined;
}

/**
 * Makes a container, copies the tree into it and starts it; without a limit of processes where the
 * engine has none. Rejects where the engine fails, having removed the container if it can.
 */
export async function startInstance(
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
    // A container that is left is swept before the next start.
    await removeContainer(client, id).catch(() => undefined);
    throw error;
  }
}

/** To the root, where the folder is an entry: a link that an image has in its place is replaced. */
async function copyTree(client: EngineClient, id: string, request: RunRequest): Promise<void> {
  const archive = archiveTree(request.tree.folder, treeFolder.slice(1));
  try {
    await copyToContainer(client, id, '/', archive, request.unwanted);
  } catch (error) {
    throw new Error(`its files cannot be copied: ${engineReason(error)}`, { cause: error });
  }
}
