import type { EngineClient } from '../engine/engine-client.ts';
import { engineFields } from '../engine/fields.ts';
import { readFromPodman } from '../engine/podman.ts';

/**
 * Why an engine does not answer the names of containers on this network, as a few words; undefined
 * where it does, or does not tell. Docker always does. Podman makes such networks without a word
 * also where the program that would answer is missing, and tells of that in its own API only; before
 * 4.7 not everywhere.
 */
export async function whyNameless(
  client: EngineClient,
  network: string,
): Promise<string | undefined> {
  const [inspected, info] = await Promise.all([
    readFromPodman(client, `networks/${encodeURIComponent(network)}/json`),
    readFromPodman(client, 'info'),
  ]);
  if (inspected['dns_enabled'] === false) return "Podman's networks have no dnsname plug-in";
  const backend = engineFields(engineFields(info['host'])['networkBackendInfo']);
  if (backend['backend'] !== 'netavark') return undefined;
  const program = engineFields(backend['dns'])['path'] ?? '';
  return program === '' ? 'Podman has no aardvark-dns' : undefined;
}
