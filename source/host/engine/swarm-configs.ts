import type { EngineClient } from './engine-client.ts';
import { arrayItems, objectFields, stringFields } from './fields.ts';

/** A config of a swarm: a small object whose changes are atomic. */
export interface EngineConfig {
  readonly id: string;
  /** Number that an update must name, and that each change increments. */
  readonly version: number;
  readonly labels: Readonly<Record<string, string>>;
  /** The whole specification, as an update must repeat it. */
  readonly spec: Readonly<Record<string, unknown>>;
}

/** Deadline of a change; a manager waits for the others of its swarm. */
const changeMs = 30_000;

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
