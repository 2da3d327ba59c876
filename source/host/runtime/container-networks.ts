import { randomUUID } from 'node:crypto';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineReason, engineStatus } from '../engine/engine-error.ts';
import { createNetwork, inspectNetwork, listNetworks, removeNetwork } from '../engine/networks.ts';
import { whyNameless } from './container-names.ts';
import { labels } from './container-options.ts';
import type { RunFailure, RunRequest } from './runtime.ts';

interface Network {
  readonly name: string;
  /** Settles when it was made, or with why it was not. */
  readonly made: Promise<RunFailure | undefined>;
}

/**
 * One network for each deployment that runs, where the containers of its services find one another
 * by name and those of others do not. An engine that cannot make one can still run containers: on
 * its default network, where they have no names.
 */
export class ContainerNetworks {
  readonly #host: string;
  /** By deployment. */
  readonly #networks = new Map<string, Network>();
  /** Deployments whose owner knows that they have none. */
  readonly #told = new Set<string>();
  /** False while the engine may hold networks of this host that belong to none of these. */
  #isSwept = false;

  /** @param host id of the host, unlike that of any other on the same engine. */
  constructor(host: string) {
    this.#host = host;
  }

  /** A deployment's network, made when there is none yet; or why there is none. */
  async find(
    client: EngineClient,
    deployment: string,
  ): Promise<{ readonly name: string } | RunFailure> {
    let network = this.#networks.get(deployment);
    if (network === undefined) {
      // Told apart from one of the same deployment that could not be removed.
      const name = `hostdeck-${deployment}-${randomUUID().slice(0, 8)}`;
      network = { name, made: this.#make(client, deployment, name) };
      this.#networks.set(deployment, network);
    }
    const failed = await network.made;
    if (failed === undefined) return network;
    // For the next start to try again.
    if (this.#networks.get(deployment) === network) this.#networks.delete(deployment);
    return failed;
  }

  /** Whether someone removed this network, of which the deployment can then have another. */
  async isGone(client: EngineClient, deployment: string, name: string): Promise<boolean> {
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

  /** Says in the log, once for each time the deployment runs, why it has no names. */
  tell({ deployment, onEvent }: Pick<RunRequest, 'deployment' | 'onEvent'>, why: string): void {
    if (this.#told.has(deployment)) return;
    this.#told.add(deployment);
    onEvent(`services do not find one another by name: ${why}`);
  }

  /** Forgets a deployment that no longer runs; true when it had a network, which is to be swept. */
  forget(deployment: string): boolean {
    this.#told.delete(deployment);
    if (!this.#networks.delete(deployment)) return false;
    this.#isSwept = false;
    return true;
  }

  /**
   * Removes the networks of this host that no deployment here has. Never rejects: what is left, as
   * there still is a container on it, is removed by the next one.
   */
  async sweep(client: EngineClient): Promise<void> {
    if (this.#isSwept) return;
    this.#isSwept = true;
    try {
      const found = await listNetworks(client, `${labels.host}=${this.#host}`);
      const known = new Set([...this.#networks.values()].map(({ name }) => name));
      const left = found.filter(({ Name }) => !known.has(Name));
      await Promise.all(left.map(({ Name }) => remove(client, Name)));
    } catch {
      this.#isSwept = false;
    }
  }

  async #make(
    client: EngineClient,
    deployment: string,
    name: string,
  ): Promise<RunFailure | undefined> {
    try {
      const owner = { [labels.host]: this.#host, [labels.deployment]: deployment };
      await createNetwork(client, name, owner);
      const why = await whyNameless(client, name);
      if (why === undefined) return undefined;
      await remove(client, name);
      return { failure: why };
    } catch (error) {
      // It may have been made all the same.
      this.#isSwept = false;
      return { failure: engineReason(error) };
    }
  }
}

async function remove(client: EngineClient, name: string): Promise<void> {
  try {
    await removeNetwork(client, name);
  } catch (error) {
    if (engineStatus(error) !== 404) throw error;
  }
}
