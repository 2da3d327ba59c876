import type { Network } from './engine-api.ts';
import type { EngineClient } from './engine-client.ts';
import { objectFields, arrayItems, stringFields } from './fields.ts';

/** Creates a network with the engine's default driver (`NetworkCreate`). */
export async function createNetwork(
  client: EngineClient,
  name: string,
  labels: Readonly<Record<string, string>>,
): Promise<void> {
  const json = { Name: name, Labels: labels };
  await client.command('POST', '/networks/create', { json });
}

/** Resolves when the network exists; rejects with a 404 when it doesn't (`NetworkInspect`). */
export async function inspectNetwork(client: EngineClient, name: string): Promise<void> {
  await client.command('GET', pathOf(name));
}

/**
 * Removes a network that has no container (`NetworkDelete`). The network is addressed by name: by
 * id, Podman 4.3 also removes a network in use.
 */
export async function removeNetwork(client: EngineClient, name: string): Promise<void> {
  await client.command('DELETE', pathOf(name));
}

/** Resolves with the networks that have a label (`NetworkList`). */
export async function listNetworks(
  client: EngineClient,
  label: string,
): Promise<readonly Network[]> {
  const query = { filters: JSON.stringify({ label: [label] }) };
  return arrayItems(await client.request('GET', '/networks', { query })).flatMap((item) => {
    const { Id, Name, Labels } = objectFields(item);
    if (typeof Name !== 'string') return [];
    return { Id: String(Id), Name, Labels: stringFields(Labels) };
  });
}

function pathOf(name: string): string {
  return `/networks/${encodeURIComponent(name)}`;
}
