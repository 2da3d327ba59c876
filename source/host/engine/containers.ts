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
import { engineFields, itemsOf, textFieldsOf } from './fields.ts';

/** For making, copying to, starting and ending a container: a busy engine takes its time. */
const changeMs = 60_000;

/** A copy may take as long as its bytes go on moving, but not for ever. */
const copySilenceMs = 120_000;
const copyTotalMs = 3_600_000;

/** Waiting is asked for anew after this: a link that was cut says nothing of an end. */
const waitMs = 60_000;

/** Most warnings of an engine that are passed on. */
const mostWarnings = 5;

/** A container that was made, and what the engine did not do as it was asked. */
export interface CreatedContainer {
  readonly id: string;
  readonly warnings: readonly string[];
}

/** State and limits of a container (`ContainerInspect`). */
export interface InspectedContainer {
  readonly state: ContainerState;
  /** The configuration that the engine applied; an engine may leave anything out. */
  readonly hostConfig: HostConfig;
}

/** Makes a container (`ContainerCreate`). */
export async function createContainer(
  client: EngineClient,
  name: string,
  config: ContainerConfig,
): Promise<CreatedContainer> {
  const query = { name };
  const call = { query, json: config, silenceMs: changeMs };
  const { Id: id, Warnings } = engineFields(
    await client.request('POST', '/containers/create', call),
  );
  if (typeof id !== 'string' || id === '') throw unexpected('ContainerCreate');
  const warnings = itemsOf(Warnings).filter((warning) => typeof warning === 'string');
  return { id, warnings: warnings.slice(0, mostWarnings).map(shorten) };
}

/** Unpacks a tar archive in a folder of a container (`PutContainerArchive`), made or running. */
export async function copyToContainer(
  client: EngineClient,
  id: string,
  folder: string,
  archive: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<void> {
  const query = { path: folder };
  const deadlines = { silenceMs: copySilenceMs, totalMs: copyTotalMs };
  await client.command('PUT', `${pathOf(id)}/archive`, { query, archive, signal, ...deadlines });
}

/** Starts a container (`ContainerStart`). */
export async function startContainer(client: EngineClient, id: string): Promise<void> {
  await client.command('POST', `${pathOf(id)}/start`, { silenceMs: changeMs });
}

/** Ends a container: asks first, and makes it after the grace (`ContainerStop`). */
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
  return itemsOf(await client.request('GET', '/containers/json', { query })).flatMap((item) => {
    const { Id, Labels, State } = engineFields(item);
    if (typeof Id !== 'string') return [];
    return { Id, Labels: textFieldsOf(Labels), State: String(State) };
  });
}

/** Resolves with the state of a container and its limits (`ContainerInspect`). */
export async function inspectContainer(
  client: EngineClient,
  id: string,
): Promise<InspectedContainer> {
  const { State, HostConfig: hostConfig } = engineFields(
    await client.request('GET', `${pathOf(id)}/json`),
  );
  const { Running, ExitCode, OOMKilled } = engineFields(State);
  if (typeof Running !== 'boolean' || typeof ExitCode !== 'number') {
    throw unexpected('ContainerInspect');
  }
  const state = { Running, ExitCode, OOMKilled: OOMKilled === true };
  return { state, hostConfig: engineFields(hostConfig) };
}

/**
 * Resolves with what a container writes from now on, as frames of both streams (`ContainerAttach`).
 * The engine takes the connection over (101), or answers as usual (200), as behind some proxies.
 */
export async function attachContainer(client: EngineClient, id: string): Promise<Readable> {
  const query = { stream: '1', stdout: '1', stderr: '1' };
  return await client.stream('POST', `${pathOf(id)}/attach`, { query, upgrades: true });
}

/**
 * Waits for the end of a container, whatever it was (`ContainerWait`). Never rejects: it also
 * resolves when the engine goes away, so that the state is to be asked for afterwards; and after
 * {@link waitMs}, then with `false`.
 */
export async function waitForEnd(
  client: EngineClient,
  id: string,
  condition: 'next-exit' | 'not-running',
): Promise<boolean> {
  const deadline = new Deadline(waitMs);
  try {
    // The answer may begin at once and end with the container, or begin with that.
    const call = { query: { condition }, silenceMs: waitMs, signal: deadline.signal };
    const body = await client.stream('POST', `${pathOf(id)}/wait`, call);
    for await (const _ of body) {
      // The end alone counts.
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
  return new EngineError(`the container engine answered ${operation} with something else`);
}
