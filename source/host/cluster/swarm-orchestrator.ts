import type { Readable } from 'node:stream';
import type { EngineClient } from '../engine/engine-client.ts';
import { engineStatus } from '../engine/engine-error.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import { stringFields } from '../engine/fields.ts';
import { KnownList } from '../engine/known-list.ts';
import { listNetworks, removeNetwork } from '../engine/networks.ts';
import {
  createOverlay,
  createService,
  listNodes,
  listServices,
  listTasks,
  readEngineNode,
  readEngineService,
  readEngineTask,
  readTaskOutput,
  removeService,
  updateService,
} from '../engine/swarm.ts';
import type { EngineNode, EngineService, EngineTask, ServiceSpec } from '../engine/swarm-api.ts';
import { findLogin } from '../runtime/registry-logins.ts';
import { termOf } from './claim.ts';
import type { ClusterClaim } from './cluster-claim.ts';
import { clusterLabels } from './cluster-labels.ts';
import { Nodes } from './nodes.ts';
import type { Orchestrator, Snapshot } from './orchestrator.ts';
import { hasEnded } from './instances.ts';

/** A constraint that no node meets: tasks of a parked service end, and their output stays readable. */
const parked = 'node.id==parked';

/** Attempts to mark services of which an earlier host changes some at the same time. */
const maxMarkings = 5;

/** Drives a swarm for one host. */
export class SwarmOrchestrator implements Orchestrator {
  readonly #client: EngineClient;
  readonly #env: EngineEnvironment;
  readonly #host: string;
  readonly #claim: ClusterClaim;
  /** The lists as the engine sent them last, which is mostly what it sends next. */
  readonly #known = {
    services: new KnownList(readEngineService),
    nodes: new KnownList(readEngineNode),
    all: new KnownList(readNumbered),
    wanted: new KnownList(readNumbered),
  };
  readonly #tasks = new KnownTasks((which) =>
    listTasks(this.#client, `${clusterLabels.host}=${this.#host}`, which, this.#known[which]),
  );
  #latest: Snapshot | undefined;
  #listedNodes: readonly EngineNode[] = [];
  #nodes = new Nodes([]);

  /** @param host id of the host, unique on the swarm. */
  constructor(client: EngineClient, env: EngineEnvironment, host: string, claim: ClusterClaim) {
    this.#client = client;
    this.#env = env;
    this.#host = host;
    this.#claim = claim;
  }

  async takeOver(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const services = await this.#listServices();
      const others = services.filter((service) => termOf(service) < this.#claim.term);
      if (others.length === 0) return;
      const results = await Promise.allSettled(
        others.map((service) => this.#update(service, service.spec)),
      );
      // An update of the earlier host may come between.
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined && attempt === maxMarkings) throw failed.reason;
    }
  }

  /**
   * Resolves with the services of the host; rejects when another host has taken them over. Shared, as a
   * host that starts needs the list of all services once for each deployment.
   */
  readonly #listServices = shareCall(async (): Promise<readonly EngineService[]> => {
    const label = `${clusterLabels.host}=${this.#host}`;
    const services = await listServices(this.#client, label, this.#known.services);
    this.#claim.assertOwn(services);
    return services;
  });

  readonly snapshot = shareCall(async (): Promise<Snapshot> => {
    const [services, tasks, nodes] = await Promise.all([
      this.#listServices(),
      this.#tasks.read(),
      this.readNodes(),
    ]);
    const latest = this.#latest;
    const isSame =
      latest?.services === services && latest.tasks === tasks && latest.nodes === nodes;
    return isSame ? latest : (this.#latest = { services, tasks, nodes });
  });

  async readNodes(): Promise<Nodes> {
    const nodes = await listNodes(this.#client, this.#known.nodes);
    if (nodes !== this.#listedNodes) {
      this.#listedNodes = nodes;
      this.#nodes = new Nodes(nodes);
    }
    return this.#nodes;
  }

  async ensureNetwork(name: string, deployment: string): Promise<void> {
    const labels = {
      [clusterLabels.host]: this.#host,
      [clusterLabels.deployment]: deployment,
    };
    const known = await listNetworks(this.#client, `${clusterLabels.deployment}=${deployment}`);
    if (!known.some((network) => network.Name === name)) {
      await this.#claim.assertHeld();
      await createOverlay(this.#client, name, labels);
    }
  }

  async apply(spec: ServiceSpec): Promise<'created' | 'updated' | 'unchanged'> {
    const { credentials } = await findLogin(spec.TaskTemplate.ContainerSpec.Image, this.#env);
    const services = await this.#listServices();
    const existing = services.find(({ name }) => name === spec.Name);
    if (existing === undefined) {
      await this.#claim.assertHeld();
      await createService(this.#client, this.#marked(spec), credentials);
      return 'created';
    }
    if (existing.labels[clusterLabels.plan] === spec.Labels[clusterLabels.plan]) {
      return isParked(existing) ? await this.#update(existing, spec) : 'unchanged';
    }
    return await this.#update(existing, spec, credentials);
  }

  async park({ id }: Pick<EngineService, 'id'>): Promise<void> {
    const services = await this.#listServices();
    const service = services.find((each) => each.id === id);
    if (service === undefined || isParked(service)) return;
    const { TaskTemplate } = service.spec as { readonly TaskTemplate?: object };
    await this.#update(service, {
      ...service.spec,
      TaskTemplate: { ...TaskTemplate, Placement: { Constraints: [parked] } },
      UpdateConfig: { Parallelism: 0, Order: 'stop-first', FailureAction: 'continue' },
    });
  }

  async remove({ id }: Pick<EngineService, 'id'>): Promise<void> {
    await this.#claim.assertHeld();
    await ignoreStatus(404, removeService(this.#client, id));
  }

  async removeNetwork(name: string): Promise<void> {
    await this.#claim.assertHeld();
    await ignoreStatus(404, removeNetwork(this.#client, name));
  }

  async follow(task: string, since: string | undefined, signal: AbortSignal): Promise<Readable> {
    return await readTaskOutput(this.#client, task, since, { isFollowed: true, signal });
  }

  async readRest(task: string, since: string | undefined, signal: AbortSignal): Promise<Readable> {
    return await readTaskOutput(this.#client, task, since, { isFollowed: false, signal });
  }

  /** The version of a listed service makes the engine refuse an update after one of another host. */
  async #update(
    service: EngineService,
    spec: ServiceSpec | EngineService['spec'],
    auth?: Parameters<typeof updateService>[3],
  ): Promise<'updated'> {
    try {
      await updateService(this.#client, service, this.#marked(spec), auth);
    } catch (error) {
      await this.#claim.assertHeld();
      throw error;
    }
    return 'updated';
  }

  #marked(spec: ServiceSpec | EngineService['spec']): object {
    const term = { [clusterLabels.term]: String(this.#claim.term) };
    return { ...spec, Labels: { ...stringFields(spec['Labels']), ...term } };
  }
}

/** Returns a task of a list with its number among the instances of all placements of its service. */
function readNumbered(item: unknown): readonly EngineTask[] {
  return readEngineTask(item).map(numbered);
}

function numbered(task: EngineTask): EngineTask {
  const offset = task.labels[clusterLabels.offset];
  return offset === undefined ? task : { ...task, slot: task.slot + Number(offset) };
}

function isParked({ spec }: EngineService): boolean {
  return JSON.stringify(spec['TaskTemplate']).includes(`"${parked}"`);
}

async function ignoreStatus(status: number, call: Promise<void>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (engineStatus(error) !== status) throw error;
  }
}

/**
 * Returns a function that makes one call for all callers that wait at the same time. Each caller gets the
 * result of a call that began after its own, so that the result has the caller's earlier changes.
 */
export function shareCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const begun = call().finally(() => {
      running = undefined;
    });
    running = begun;
    return begun;
  }

  return () => {
    // The last call has settled, and the one that waits for it is about to begin.
    if (running === undefined) return next ?? begin();
    next ??= running.then(begin, begin);
    return next;
  };
}

/** Lists tasks of the engine: those that it wants to run, or all that it remembers. */
type ListTasks = (which: 'all' | 'wanted') => Promise<readonly EngineTask[]>;

/** State of tasks that are to run. */
const wantedState = 'running';

/**
 * Remembers the ended tasks of an engine, which are most of its tasks: it has several for each instance.
 * All tasks are listed only when others are wanted than before, or until those not wanted have ended. No
 * task is missed: each new one is wanted, or takes the place of one that no longer is.
 */
export class KnownTasks {
  readonly #list: ListTasks;
  #ended: readonly EngineTask[] = [];
  /** Ids of the wanted tasks at the last list of all; undefined until all others have ended. */
  #wanted: string | undefined;
  /** The list of the wanted tasks that was read last, and the result. */
  #latest:
    | { readonly wanted: readonly EngineTask[]; readonly tasks: readonly EngineTask[] }
    | undefined;

  constructor(list: ListTasks) {
    this.#list = list;
  }

  /**
   * Resolves with all tasks, and perhaps with ended ones that the engine has forgotten; with the same list
   * as before when the engine's is the same.
   */
  async read(): Promise<readonly EngineTask[]> {
    if (this.#wanted !== undefined) {
      const wanted = await this.#list('wanted');
      if (wanted === this.#latest?.wanted) return this.#latest.tasks;
      if (idsOf(wanted) === this.#wanted) {
        const tasks = [...this.#ended, ...wanted];
        this.#latest = { wanted, tasks };
        return tasks;
      }
    }
    this.#latest = undefined;
    const all = await this.#list('all');
    const wanted = all.filter(isWanted);
    this.#ended = all.filter((task) => !isWanted(task));
    this.#wanted = this.#ended.every(hasEnded) ? idsOf(wanted) : undefined;
    return all;
  }
}

function isWanted({ desired }: EngineTask): boolean {
  return desired === wantedState;
}

function idsOf(tasks: readonly EngineTask[]): string {
  return tasks
    .map(({ id }) => id)
    .toSorted()
    .join(' ');
}
