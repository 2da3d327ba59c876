import type { HostClock } from '../../clock.ts';
import type { EngineClient } from '../../engine/engine-client.ts';
import { engineReason } from '../../engine/engine-error.ts';
import type { EngineEndpoint } from '../../engine/engine-place.ts';
import { listEngineVolumes, removeEngineVolume } from '../../engine/engine-volumes.ts';
import { readNodeId } from '../../engine/swarm.ts';
import { clusterLabels } from '../cluster-labels.ts';
import type { Nodes } from '../nodes.ts';
import type { VolumeNode, VolumeNodes } from './volume-nodes.ts';
import { lazyPart } from '../../../system/lazy-part.ts';

const engineClient = lazyPart(() => import('../../engine/engine-client.ts'));

export interface VolumeRemovalParts {
  /** The manager. */
  readonly client: EngineClient;
  /** Id of the host, unique on the cluster. */
  readonly host: string;
  readonly volumeNodes: Pick<VolumeNodes, 'forget' | 'list'>;
  readonly readNodes: () => Promise<Nodes | undefined>;
  /** Returns true while the data of a deployment is kept. */
  readonly keepsData: (deployment: string) => boolean;
  readonly clock: Pick<HostClock, 'schedule'>;
  readonly onFailure: (error: unknown) => void;
}

/** Pauses before another attempt; the engine detaches a volume some time after the end of its service. */
const firstRetryMs = 2000;
const maxRetryMs = 600_000;

/** Failed attempts before a person is told. */
const silentAttempts = 4;

/**
 * Removes the volumes of deployments whose data is not kept. A manager removes none of other nodes, so
 * the engine of each is asked, at the port of the manager's; what can't be removed now is later.
 */
export class VolumeRemoval {
  readonly #parts: VolumeRemovalParts;
  #failures = 0;
  /** The engine of another node that is asked. */
  #other: EngineClient | undefined;
  #cancelRetry: () => void = () => undefined;
  #hasStopped = false;

  constructor(parts: VolumeRemovalParts) {
    this.#parts = parts;
  }

  /** Never rejects. */
  async sweep(): Promise<void> {
    if (this.#hasStopped) return;
    this.#cancelRetry();
    const { volumeNodes, keepsData, readNodes, clock } = this.#parts;
    const over = volumeNodes.list().filter(({ deployment }) => !keepsData(deployment));
    if (over.length === 0) return;
    const nodes = await readNodes();
    const left = nodes === undefined ? over : await this.#removeAll(over, nodes);
    this.#failures = left.length === 0 ? 0 : this.#failures + 1;
    if (left.length === 0 || this.#hasStopped) return;
    const pause = Math.min(maxRetryMs, firstRetryMs * 2 ** (this.#failures - 1));
    // Another sweep may have ended meanwhile, and have scheduled its own.
    this.#cancelRetry();
    this.#cancelRetry = clock.schedule(pause, () => void this.sweep());
  }

  /** Attempts nothing more; the next host does. */
  stop(): void {
    this.#hasStopped = true;
    this.#cancelRetry();
    this.#other?.end();
  }

  /** Resolves with those that are left. */
  async #removeAll(over: readonly VolumeNode[], nodes: Nodes): Promise<readonly VolumeNode[]> {
    const left: VolumeNode[] = [];
    for (const each of over) {
      try {
        // The volumes of a node that left are out of reach for good.
        if (nodes.has(each.node)) await this.#remove(each, nodes);
        this.#parts.volumeNodes.forget(each);
      } catch (error) {
        left.push(each);
        if (this.#hasStopped) break;
        if (this.#failures === silentAttempts) this.#report(each, nodes, error);
      }
    }
    return left;
  }

  #report({ deployment, node }: VolumeNode, nodes: Nodes, error: unknown): void {
    const place = nodes.placeOf({ node });
    const reason = engineReason(error);
    this.#parts.onFailure(
      new Error(
        `Can't remove the volumes of deployment ${deployment} on node ${place?.node} ` +
          `(${place?.address}): ${reason}. The host tries again from time to time.`,
        { cause: error },
      ),
    );
  }

  async #remove({ deployment, node }: VolumeNode, nodes: Nodes): Promise<void> {
    const client = await this.#connect(node, nodes);
    const label = `${clusterLabels.deployment}=${deployment}`;
    for (const { Name, Labels } of await listEngineVolumes(client, label)) {
      if (Labels[clusterLabels.host] === this.#parts.host) await removeEngineVolume(client, Name);
    }
  }

  async #connect(node: string, nodes: Nodes): Promise<EngineClient> {
    const { client } = this.#parts;
    if ((await readNodeId(client)) === node) return client;
    const { EngineClient: Client } = await engineClient();
    const engine = await Client.connect(
      endpointAt(client.endpoint, nodes.placeOf({ node })?.address ?? ''),
    );
    this.#other = engine;
    if (this.#hasStopped) engine.end();
    if ((await readNodeId(engine)) !== node) throw new Error('another engine has its address');
    return engine;
  }
}

/** Returns the endpoint of the same port and certificates at another address. */
function endpointAt(endpoint: EngineEndpoint, address: string): EngineEndpoint {
  if (!('origin' in endpoint)) throw new Error(`${endpoint.address} reaches no other node`);
  const host = address.includes(':') ? `[${address}]` : address;
  const { protocol, port } = new URL(endpoint.origin);
  const origin = `${protocol}//${host}${port === '' ? '' : `:${port}`}`;
  return { ...endpoint, address: `tcp://${host}:${port}`, origin };
}
