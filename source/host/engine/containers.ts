import type { Readable } from 'node:stream';
import { Deadline } from './deadline.ts';
import type {
  ContainerConfig,
  ContainerState,
  ContainerSummary,
  HostConfig,
} from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError, shorten } from './engine-error.ts';
import { objectFields, arrayItems, stringFields } from './fields.ts';

/** Deadline of creating, starting, stopping and removing a container; a busy engine is slow. */
const changeMs = 60_000;

/** Deadlines of a copy: without progress, and in total. */
const copySilenceMs = 120_000;
const copyTotalMs = 3_600_000;

/** Duration of one wait request; a broken connection would never report the container's end. */
const waitMs = 60_000;

/** Most warnings of an engine that are passed on to the log. */
const maxWarnings = 5;

/** A new container, with the engine's warnings about options that it did not apply. */
export interface CreatedContainer {
  readonly id: string;
  readonly warnings: readonly string[];
}

/** State and limits of a container (`ContainerInspect`). */
export interface InspectedContainer {
  readonly state: ContainerState;
  /** The configuration that the engine applied; any field may be missing. */
  readonly hostConfig: HostConfig;
}

/** Creates a container (`ContainerCreate`). */
export async function createContainer(
  client: EngineClient,
  name: string,
  config: ContainerConfig,
): Promise<CreatedContainer> {
  const query = { name };
  const call = { query, json: config, silenceMs: changeMs };
  const { Id: id, Warnings } = objectFields(
    await client.request('POST', '/containers/create', call),
  );
  if (typeof id !== 'string' || id === '') throw unexpected('ContainerCreate');
  const warnings = arrayItems(Warnings).filter((warning) => typeof warning === 'string');
  return { id, warnings: warnings.slice(0, maxWarnings).map(shorten) };
}

/**
 * Unpacks a tar archive in a folder of a container, running or not (`PutContainerArchive`).
 *
 * @param options.ownedByUser true for the user of the container as the owner of all entries, in place
 * of the owners in the archive.
 */
export async function copyToContainer(
  client: EngineClient,
  id: string,
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  options: { readonly signal: AbortSignal; readonly ownedByUser?: boolean },
): Promise<void> {
  const { signal, ownedByUser = false } = options;
  const query = { path: folder, ...(ownedByUser ? { copyUIDGID: '1' } : {}) };
  const deadlines = { silenceMs: copySilenceMs, totalMs: copyTotalMs };
  await client.command('PUT', `${pathOf(id)}/archive`, { query, archive, signal, ...deadlines });
}

/**
 * Yields a folder of a container as a tar archive (`ContainerArchive`), with its volumes, also when
 * the container does not run. Rejects when the engine is silent for too long.
 */
export async function* copyFromContainer(
  client: EngineClient,
  id: string,
  folder: string,
): AsyncGenerator<Uint8Array> {
  const deadline = new Deadline(copySilenceMs, copyTotalMs);
  try {
    const call = { query: { path: folder }, silenceMs: copySilenceMs, signal: deadline.signal };
    const body = await client.stream('GET', `${pathOf(id)}/archive`, call);
    for await (const chunk of body as AsyncIterable<Buffer>) {
      deadline.renew();
      yield chunk;
    }
  } finally {
    deadline.end();
  }
}

/** Starts a container (`ContainerStart`). */
export async function startContainer(client: EngineClient, id: string): Promise<void> {
  await client.command('POST', `${pathOf(id)}/start`, { silenceMs: changeMs });
}

/** Stops a container: SIGTERM first, SIGKILL after the grace period (`ContainerStop`). */
export async function stopContainer(
  client: EngineClient,
  id: string,
  graceMs: number,
): Promise<void> {
  const query = { t: String(Math.ceil(graceMs / 1000)) };
  await client.command('POST', `${pathOf(id)}/stop`, { query, silenceMs: graceMs + changeMs });
}

/** Removes a container and its anonymous volumes, running or not (`ContainerDelete`). */
export async function removeContainer(client: EngineClient, id: string): Promise<void> {
  const query = { force: '1', v: '1' };
  await client.command('DELETE', pathOf(id), { query, silenceMs: changeMs });
}

/** Resolves with the containers that have a label, running or not (`ContainerList`). */
export async function listContainers(
  client: EngineClient,
  label: string,
): Promise<readonly ContainerSummary[]> {
  const query = { all: '1', filters: JSON.stringify({ label: [label] }) };
  return arrayItems(await client.request('GET', '/containers/json', { query })).flatMap((item) => {
    const { Id, Labels, State } = objectFields(item);
    if (typeof Id !== 'string') return [];
    return { Id, Labels: stringFields(Labels), State: String(State) };
  });
}

/** Resolves with the state of a container and its limits (`ContainerInspect`). */
export async function inspectContainer(
  client: EngineClient,
  id: string,
): Promise<InspectedContainer> {
  const { State, HostConfig: hostConfig } = objectFields(
    await client.request('GET', `${pathOf(id)}/json`),
  );
  const { Running, ExitCode, OOMKilled, FinishedAt } = objectFields(State);
  if (typeof Running !== 'boolean' || typeof ExitCode !== 'number') {
    throw unexpected('ContainerInspect');
  }
  const state = {
    Running,
    ExitCode,
    OOMKilled: OOMKilled === true,
    FinishedAt: String(FinishedAt),
  };
  return { state, hostConfig: objectFields(hostConfig) };
}

/**
 * Resolves with the bytes of the files that a container has created or changed (`SizeRw` of
 * `ContainerInspect`), which the engine counts; undefined when it doesn't.
 */
export async function measureContainer(
  client: EngineClient,
  id: string,
): Promise<number | undefined> {
  const call = { query: { size: '1' }, silenceMs: changeMs };
  const { SizeRw } = objectFields(await client.request('GET', `${pathOf(id)}/json`, call));
  return typeof SizeRw === 'number' ? SizeRw : undefined;
}

/**
 * Resolves with the container's output from now on, as frames of both streams (`ContainerAttach`).
 * The engine upgrades the connection (101), or answers normally (200), for example behind a proxy.
 */
export async function attachContainer(client: EngineClient, id: string): Promise<Readable> {
  const query = { stream: '1', stdout: '1', stderr: '1' };
  return await client.stream('POST', `${pathOf(id)}/attach`, { query, upgrades: true });
}

/**
 * Waits for the end of a container (`ContainerWait`). Never rejects: also resolves when the engine
 * goes away, so the caller must inspect the container. Resolves with false after {@link waitMs}.
 */
export async function waitForEnd(
  client: EngineClient,
  id: string,
  condition: 'next-exit' | 'not-running',
): Promise<boolean> {
  const deadline = new Deadline(waitMs);
  try {
    // An engine may answer at once and end the body with the container, or answer only then.
    const call = { query: { condition }, silenceMs: waitMs, signal: deadline.signal };
    const body = await client.stream('POST', `${pathOf(id)}/wait`, call);
    for await (const _ of body) {
      // Only the end of the body matters.
    }
    return true;
  } catch {
    return !deadline.signal.aborted;
  } finally {
    deadline.end();
  }
}

function pathOf(id: string): string {
  return `/containers/${encodeURIComponent(id)}`;
}

function unexpected(operation: string): EngineError {
  return new EngineError(`the container engine's answer to ${operation} is not valid`);
}
