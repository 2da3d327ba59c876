import type { Readable } from 'node:stream';
import type { AuthConfig } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { EngineError } from './engine-error.ts';
import { arrayItems, objectFields, stringFields } from './fields.ts';
import { authHeader } from './images.ts';
import { KnownList } from './known-list.ts';
import type { EngineNode, EngineService, EngineTask } from './swarm-api.ts';

/** Largest list of services or tasks: an engine takes up to 4 kB for a task, and remembers those that ended. */
const maxListBytes = 128 * 2 ** 20;

/** Deadline of a change; a manager waits for the others of its swarm. */
const changeMs = 30_000;

/** Resolves with true when the engine is a manager of a swarm (`SystemInfo`). */
export async function isSwarmManager(client: EngineClient): Promise<boolean> {
  const { Swarm } = objectFields(await client.request('GET', '/info'));
  return objectFields(Swarm)['ControlAvailable'] === true;
}

/** Resolves with the id of the engine's own node; with undefined outside of a swarm (`SystemInfo`). */
export async function readNodeId(client: EngineClient): Promise<string | undefined> {
  const { Swarm } = objectFields(await client.request('GET', '/info'));
  const id = objectFields(Swarm)['NodeID'];
  return typeof id === 'string' && id !== '' ? id : undefined;
}

/** Creates a service (`ServiceCreate`). The login is for the registry of its image. */
export async function createService(
  client: EngineClient,
  spec: object,
  auth?: AuthConfig,
): Promise<void> {
  const call = { json: spec, headers: authHeader(auth), silenceMs: changeMs };
  await client.command('POST', '/services/create', call);
}

/** Replaces the specification of a service of this version (`ServiceUpdate`). */
export async function updateService(
  client: EngineClient,
  { id, version }: Pick<EngineService, 'id' | 'version'>,
  spec: object,
  auth?: AuthConfig,
): Promise<void> {
  const query = { version: String(version) };
  const call = { query, json: spec, headers: authHeader(auth), silenceMs: changeMs };
  await client.command('POST', `/services/${encodeURIComponent(id)}/update`, call);
}

/** Removes a service and its tasks (`ServiceDelete`). */
export async function removeService(client: EngineClient, id: string): Promise<void> {
  await client.command('DELETE', `/services/${encodeURIComponent(id)}`, { silenceMs: changeMs });
}

/** Resolves with the services that have a label (`ServiceList`). */
export async function listServices(
  client: EngineClient,
  label: string,
  known = new KnownList(readEngineService),
): Promise<readonly EngineService[]> {
  const query = { filters: JSON.stringify({ label: [label] }) };
  const call = { query, maxBytes: maxListBytes };
  return await known.read(await client.bytes('GET', '/services', call));
}

/** Returns a service of a list; none for an invalid item. */
export function readEngineService(item: unknown): readonly EngineService[] {
  const { ID: id, Version, Spec, UpdateStatus } = objectFields(item);
  const spec = objectFields(Spec);
  const version = objectFields(Version)['Index'];
  if (typeof id !== 'string' || typeof version !== 'number') return [];
  const { State } = objectFields(UpdateStatus);
  const update = typeof State === 'string' ? State : undefined;
  const labels = stringFields(spec['Labels']);
  return [{ id, name: String(spec['Name']), version, labels, spec, update }];
}

/**
 * Resolves with the tasks of a swarm whose containers have a label (`TaskList`).
 *
 * @param which `wanted` for those that are to run; the others have ended, or are to end or to start later.
 */
export async function listTasks(
  client: EngineClient,
  label: string,
  which: 'all' | 'wanted' = 'all',
  known = new KnownList(readEngineTask),
): Promise<readonly EngineTask[]> {
  const wanted = which === 'all' ? {} : { 'desired-state': ['running'] };
  const query = { filters: JSON.stringify({ label: [label], ...wanted }) };
  const call = { query, maxBytes: maxListBytes };
  return await known.read(await client.bytes('GET', '/tasks', call));
}

/** Returns a task of a list; none for an invalid item. */
export function readEngineTask(item: unknown): readonly EngineTask[] {
  const {
    ID: id,
    ServiceID,
    NodeID,
    Slot,
    CreatedAt,
    DesiredState,
    Status,
    Spec,
  } = objectFields(item);
  if (typeof id !== 'string') return [];
  const { State, Timestamp, Err, ContainerStatus, PortStatus } = objectFields(Status);
  const exitCode = objectFields(ContainerStatus)['ExitCode'];
  return [
    {
      id,
      service: String(ServiceID),
      node: typeof NodeID === 'string' ? NodeID : '',
      slot: Number(Slot),
      createdAt: String(CreatedAt),
      state: String(State),
      desired: String(DesiredState),
      at: String(Timestamp),
      error: typeof Err === 'string' && Err !== '' ? Err : undefined,
      exitCode: typeof exitCode === 'number' ? exitCode : undefined,
      ports: publishedPorts(PortStatus),
      labels: stringFields(objectFields(objectFields(Spec)['ContainerSpec'])['Labels']),
    },
  ];
}

/** Resolves with the nodes of a swarm (`NodeList`). */
export async function listNodes(
  client: EngineClient,
  known = new KnownList(readEngineNode),
): Promise<readonly EngineNode[]> {
  return await known.read(await client.bytes('GET', '/nodes'));
}

/** Returns a node of a list; none for an invalid item. */
export function readEngineNode(item: unknown): readonly EngineNode[] {
  const { ID: id, Version, Description, Spec, Status } = objectFields(item);
  if (typeof id !== 'string') return [];
  const { State, Addr } = objectFields(Status);
  const hostname = String(objectFields(Description)['Hostname']);
  const { Labels, Availability } = objectFields(Spec);
  const isActive = Availability === 'active';
  const labels = stringFields(Labels);
  const index = objectFields(Version)['Index'];
  const version = typeof index === 'number' ? index : 0;
  return [{ id, version, hostname, address: String(Addr), state: String(State), isActive, labels }];
}

/** Creates an overlay that the services of all nodes share (`NetworkCreate`). */
export async function createOverlay(
  client: EngineClient,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const json = { Name: name, Labels: labels, Driver: 'overlay', CheckDuplicate: true };
  await client.command('POST', '/networks/create', { json, silenceMs: changeMs });
}

/**
 * Resolves with the output of a task as frames whose lines begin with the time of the engine
 * (`TaskLogs`): with what it has so far, or also with what follows until the signal is aborted.
 *
 * @param since seconds since the epoch with a fraction, inclusive.
 */
export async function readTaskOutput(
  client: EngineClient,
  task: string,
  since: string | undefined,
  { isFollowed, signal }: { readonly isFollowed: boolean; readonly signal: AbortSignal },
): Promise<Readable> {
  const query = { follow: isFollowed ? '1' : '0', stdout: '1', stderr: '1', timestamps: '1' };
  return await client.stream('GET', `/tasks/${encodeURIComponent(task)}/logs`, {
    query: since === undefined ? query : { ...query, since },
    signal,
  });
}

/** Resolves with the digest of an image in its registry, which the engine asks (`DistributionInspect`). */
export async function findDigest(
  client: EngineClient,
  image: string,
  auth?: AuthConfig,
  silenceMs = changeMs,
): Promise<string> {
  const path = `/distribution/${image.split('/').map(encodeURIComponent).join('/')}/json`;
  const call = { headers: authHeader(auth), silenceMs };
  const { Descriptor } = objectFields(await client.request('GET', path, call));
  const { digest } = objectFields(Descriptor);
  if (typeof digest === 'string') return digest;
  throw new EngineError("the container engine's answer to DistributionInspect is not valid");
}

/**
 * Returns the published ports of a task by its own ports. Docker lists the ports of IPv4 before those of
 * IPv6, which may be others; nodes have IPv4 addresses.
 */
export function publishedPorts(status: unknown): ReadonlyMap<number, number> {
  const ports = new Map<number, number>();
  for (const item of arrayItems(objectFields(status)['Ports'])) {
    const { TargetPort, PublishedPort } = objectFields(item);
    const target = Number(TargetPort);
    if (typeof PublishedPort === 'number' && !ports.has(target)) ports.set(target, PublishedPort);
  }
  return ports;
}

/** A config of a swarm: a small object whose changes are atomic. */
interface EngineConfig {
  readonly id: string;
  /** Number that an update must name, and that each change increments. */
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The whole specification, as an update must repeat it. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Resolves with the config of a name; undefined when there is none (`ConfigList`). */
export async function findConfig(
  client: EngineClient,
  name: string,
): Promise<EngineConfig | undefined> {
  // The filter takes beginnings of names.
  const query = { filters: JSON.stringify({ name: [name] }) };
  for (const item of arrayItems(await client.request('GET', '/configs', { query }))) {
    const { ID: id, Version, Spec } = objectFields(item);
    const spec = objectFields(Spec);
    const version = objectFields(Version)['Index'];
    if (typeof id !== 'string' || typeof version !== 'number' || spec['Name'] !== name) continue;
    return { id, version, labels: stringFields(spec['Labels']), spec };
  }
  return undefined;
}

/** Creates a config (`ConfigCreate`); one with the name of another is refused with a 409. */
export async function createConfig(
  client: EngineClient,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  // The engine wants at least one byte of data.
  const json = { Name: name, Labels: labels, Data: Buffer.from(name).toString('base64') };
  await client.command('POST', '/configs/create', { json, silenceMs: changeMs });
}

/** Replaces the labels of a config of this version (`ConfigUpdate`). */
export async function updateConfig(
  client: EngineClient,
  { id, version, spec }: EngineConfig,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const query = { version: String(version) };
  const json = { ...spec, Labels: labels };
  const path = `/configs/${encodeURIComponent(id)}/update`;
  await client.command('POST', path, { query, json, silenceMs: changeMs });
}
