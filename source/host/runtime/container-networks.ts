import { randomUUID } from 'node:crypto';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import { objectFields } from '../engine/fields.ts';
import { createNetwork, inspectNetwork, listNetworks, removeNetwork } from '../engine/networks.ts';
import { labels } from './container-labels.ts';
import type { RunFailure, RunRequest } from './runtime.ts';

interface Network {
  readonly name: string;
  /** Resolves with undefined once the network exists, or with the failure. */
  readonly created: Promise<RunFailure | undefined>;
}

/**
 * Manages one network for each running deployment, on which the containers of its services resolve
 * one another's names, and no other containers do. An engine that can't create a network still runs
 * containers on its default one, without names.
 */
export class ContainerNetworks {
  readonly #host: string;
  /** By deployment. */
  readonly #networks = new Map<string, Network>();
  /** Deployments that have logged why they run without names. */
  readonly #logged = new Set<string>();
  /** False while the engine may have networks of this host that no deployment uses. */
  #isSwept = false;

  /** @param host id of the host, unique on the engine. */
  constructor(host: string) {
    this.#host = host;
  }

  /** Resolves with a deployment's network, created on first use; or with the failure. */
  async find(
    client: EngineClient,
    deployment: string,
  ): Promise<{ readonly name: string } | RunFailure> {
    let network = this.#networks.get(deployment);
    if (network === undefined) {
      // An older network of the deployment may still exist, so each name is new.
      const name = `hostdeck-${deployment}-${randomUUID().slice(0, 8)}`;
      network = { name, created: this.#create(client, deployment, name) };
      this.#networks.set(deployment, network);
    }
    const failure = await network.created;
    if (failure === undefined) return network;
    // The next start tries again.
    if (this.#networks.get(deployment) === network) this.#networks.delete(deployment);
    return failure;
  }

  /** Resolves with true when this network was removed, so that the deployment needs a new one. */
  async isRemoved(client: EngineClient, deployment: string, name: string): Promise<boolean> {
    const network = this.#networks.get(deployment);
    if (network?.name !== name) return true;
    try {
      await inspectNetwork(client, name);
      return false;
    } catch (error) {
      if (engineStatus(error) !== 404) return false;
    }
    if (this.#networks.get(deployment) === network) this.#networks.delete(deployment);
    return true;
  }

  /** Logs, once for each time the deployment runs, why its services have no names. */
  logMissingNames(
    { deployment, onEvent }: Pick<RunRequest, 'deployment' | 'onEvent'>,
    why: string,
  ): void {
    if (this.#logged.has(deployment)) return;
    this.#logged.add(deployment);
    onEvent(`services can't resolve one another's names: ${why}`);
  }

  /** Forgets a deployment that has stopped. Returns true when a sweep must remove its network. */
  forget(deployment: string): boolean {
    this.#logged.delete(deployment);
    if (!this.#networks.delete(deployment)) return false;
    this.#isSwept = false;
    return true;
  }

  /**
   * Removes the networks of this host that no deployment uses. Never rejects: a network that still
   * has a container is left to the next sweep.
   */
  async sweep(client: EngineClient): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    try {
      const networks = await listNetworks(client, `${labels.host}=${this.#host}`);
      const used = new Set([...this.#networks.values()].map(({ name }) => name));
      const unused = networks.filter(({ Name }) => !used.has(Name));
      await Promise.all(unused.map(({ Name }) => remove(client, Name)));
    } catch {
      this.#isSwept = false;
    }
  }

  async #create(
    client: EngineClient,
    deployment: string,
    name: string,
  ): Promise<RunFailure | undefined> {
    try {
      const owner = { [labels.host]: this.#host, [labels.deployment]: deployment };
      await createNetwork(client, name, owner);
      const failure = await findNameFailure(client, name);
      if (failure === undefined) return undefined;
      await remove(client, name);
      return { failure };
    } catch (error) {
      // The network may exist all the same.
      this.#isSwept = false;
      return { failure: engineReason(error) };
    }
  }
}

/**
 * Resolves with the reason, in a few words, why the engine doesn't resolve container names on this
 * network; undefined when it does, or doesn't report it. Docker always does. Podman silently
 * creates such networks without its DNS program, and reports that only in its own API, before 4.7
 * not on every system.
 */
async function findNameFailure(client: EngineClient, network: string): Promise<string | undefined> {
  const [inspected, info] = await Promise.all([
    requestPodman(client, `networks/${encodeURIComponent(network)}/json`),
    requestPodman(client, 'info'),
  ]);
  if (inspected['dns_enabled'] === false) return "Podman's networks have no dnsname plug-in";
  const backend = objectFields(objectFields(info['host'])['networkBackendInfo']);
  if (backend['backend'] !== 'netavark') return undefined;
  const program = objectFields(backend['dns'])['path'] ?? '';
  return program === '' ? 'Podman has no aardvark-dns' : undefined;
}

async function remove(client: EngineClient, name: string): Promise<void> {
  try {
    await removeNetwork(client, name);
  } catch (error) {
    if (engineStatus(error) !== 404) throw error;
  }
}

/**
 * Reads a path of Podman's own API (libpod v4.0.0). Resolves with the fields of the answer; with
 * none when the call fails, as on any other engine.
 */
async function requestPodman(
  client: EngineClient,
  path: string,
): Promise<Readonly<Record<string, unknown>>> {
  try {
    return objectFields(await client.request('GET', `/v4.0.0/libpod/${path}`));
  } catch {
    return {};
  }
}
