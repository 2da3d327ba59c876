import { readdir } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import type { DeploymentPhase, DeploymentRecord } from '../deployment-record.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import { EngineFinder } from '../engine/engine-finder.ts';
import type { EngineEnvironment } from '../engine/engine-place.ts';
import type { EngineService, EngineTask } from '../engine/swarm-api.ts';
import { isSwarmManager } from '../engine/swarm.ts';
import type { Deployments } from '../deployments.ts';
import { startInterval } from '../clock.ts';
import type { HostLogs } from '../logs/logs.ts';
import type { ChargedRuns } from '../money/charged-runs.ts';
import type { Metering } from '../money/metering.ts';
import { StartFailure } from '../start-failure.ts';
import type { Backend, Keeper } from '../supervisor/backend.ts';
import { type ClaimLost, ClusterClaim } from './cluster-claim.ts';
import { ClusterKeeper, type ClusterKeeperOptions } from './cluster-keeper.ts';
import { ImageStore } from './image-store.ts';
import { Nodes } from './nodes.ts';
import type { Orchestrator, Snapshot } from './orchestrator.ts';
import { deploymentOf } from './snapshot-parts.ts';
import { SwarmOrchestrator } from './swarm-orchestrator.ts';
import { leftRuns } from './tasks/task-runs.ts';
import { VolumeRemoval } from './volumes/volume-removal.ts';
import type { VolumeNodes } from './volumes/volume-nodes.ts';
import { TaskReaders } from './tasks/task-readers.ts';

export interface ClusterBackendParts
  extends Pick<ClusterKeeperOptions, 'clock' | 'files' | 'graceMs' | 'host' | 'overcommit'> {
  readonly logs: Pick<HostLogs, 'appendTimed' | 'cursor' | 'cursors' | 'event' | 'forget'>;
  readonly deployments: Pick<
    Deployments,
    'changes' | 'findByNumber' | 'getById' | 'phaseOf' | 'readSdl' | 'rollBack' | 'setApplied'
  >;
  readonly metering: Pick<
    Metering,
    'begin' | 'chargeEnded' | 'leave' | 'moment' | 'prices' | 'recover' | 'together'
  >;
  readonly runs: Pick<ChargedRuns, 'listUnended'>;
  /** Variables that name the engine and the files of registry logins. */
  readonly environment: EngineEnvironment;
  readonly registry: string | undefined;
  readonly volumeNodes: VolumeNodes;
  /** Returns true while the data of a deployment is kept. */
  readonly keepsData: (deployment: string) => boolean;
  /** Id of the data folder. */
  readonly holder: string;
  /** The machine and the data folder, for people. */
  readonly place: string;
  /** Takes the services over from another host. */
  readonly takesOver: boolean;
  readonly onFailure: (error: unknown) => void;
  /** Called once with the reason when another host has taken the services over. */
  readonly onLost: (reason: string) => void;
}

/**
 * Interval of the snapshots; the engine pushes no changes of tasks. Three requests of a snapshot and one for
 * a silent follow make two a second, however many tasks run.
 */
const pollMs = 2000;

/** Time after which the end of the host ends the calls of the engine that are under way. */
const endMs = 5000;

/** Most deployments that a host names as unfinished at its end. */
const maxNamed = 5;

/** The parts that need an engine. */
interface Connected {
  readonly client: EngineClient;
  readonly orchestrator: Orchestrator;
  readonly images: ImageStore;
  readonly readers: TaskReaders;
  readonly volumes: VolumeRemoval;
}

/** Runs deployments on a swarm, which goes on while the host is away. */
export class ClusterBackend implements Backend {
  readonly #parts: ClusterBackendParts;
  readonly #turns = new Turns();
  readonly #keepers = new Map<string, ClusterKeeper>();
  #snapshot: Snapshot = { services: [], tasks: [], nodes: new Nodes([]) };
  /** The same with what unknown deployments have. */
  #whole: Snapshot | undefined;
  #connected: Connected | undefined;
  #stopPolling: () => void = () => undefined;
  #isPolling = false;
  #isSilent = false;
  #isLost = false;
  #hasLeft = false;

  constructor(parts: ClusterBackendParts) {
    this.#parts = parts;
  }

  keep(record: DeploymentRecord): Keeper {
    return this.#keepers.get(record.id) ?? this.#newKeeper(record);
  }

  #newKeeper(record: DeploymentRecord): ClusterKeeper {
    const { deployments, logs, metering } = this.#parts;
    if (this.#connected === undefined) throw new Error('the cluster was not recovered');
    const keeper = new ClusterKeeper({
      ...this.#parts,
      ...this.#connected,
      record,
      awaitTurn: async () => {
        await this.#turns.next();
        metering.prices.prepare(deployments.getById(record.id));
      },
      readSdl: () => deployments.readSdl(record),
      onChange: () => {
        deployments.changes.add(record);
      },
      onEvent: (service, text) => {
        logs.event(record, service, text);
      },
      applied: () => deployments.getById(record.id).appliedGeneration,
      onApplied: (generation) => {
        deployments.setApplied(record.id, generation);
      },
      onRolledBack: (generation, reason) => {
        deployments.rollBack(record.id, generation, reason);
      },
    });
    keeper.observe(this.#snapshot);
    this.#keepers.set(record.id, keeper);
    return keeper;
  }

  async findObstacle(
    { id, services }: DeploymentRecord,
    generation: number,
  ): Promise<string | undefined> {
    const trees = services.map(({ name }) =>
      this.#parts.files.runFolder({ deployment: id, service: name }, generation),
    );
    const names = await Promise.all(trees.map((tree) => readdir(tree)));
    const images = services.flatMap(({ image }) => image ?? []);
    const reason = await this.#connected?.images.findObstacle(images, names.flat().length > 0);
    return reason === undefined ? undefined : `Nothing was restarted: ${reason}.`;
  }

  /** Adopts what runs, and charges what ran meanwhile. Throws a `StartFailure` without a manager. */
  async recover(): Promise<void> {
    const { environment, registry, host, deployments, metering, runs, logs, clock } = this.#parts;
    const client = await new EngineFinder(environment).find();
    if ('failure' in client) throw noManager(client.failure);
    if (!(await isSwarmManager(client))) {
      throw noManager(`the engine on ${client.endpoint.address} isn't a manager of a swarm`);
    }
    const { holder, place, takesOver } = this.#parts;
    const onLost = ({ message }: ClaimLost) => {
      this.#giveUp(message);
    };
    const claim = await ClusterClaim.acquire(
      { client, host, onLost },
      { holder, place },
      takesOver,
    );
    const orchestrator = new SwarmOrchestrator(client, environment, host, claim);
    if (claim.isTaken) await orchestrator.takeOver();
    const found = metering.moment();
    const readers = new TaskReaders({
      clock,
      orchestrator,
      deployments,
      logs,
      metering,
      chargedUntil: found.at,
    });
    this.#connected = {
      client,
      orchestrator,
      readers,
      images: new ImageStore(client, environment, registry),
      volumes: new VolumeRemoval({ ...this.#parts, client, readNodes: () => this.readNodes() }),
    };
    const snapshot = await this.#readSnapshot(orchestrator);
    // A run on a lost node ended before anybody knew.
    const known = snapshot.tasks.filter((task) => !snapshot.nodes.isLost(task));
    metering.recover(leftRuns(runs.listUnended(), known), found);
    this.#endLeft(snapshot);
    void this.#probeRegistry();
    void this.removeVolumes();
    this.#stopPolling = startInterval(clock, pollMs, () => void this.#poll());
  }

  /** Resolves with the nodes of the cluster; with undefined when its manager does not answer. */
  async readNodes(): Promise<Nodes | undefined> {
    return await this.#connected?.orchestrator.readNodes().catch(() => undefined);
  }

  /** Tells of a registry that does not answer: what runs needs none, and restarts do. */
  async #probeRegistry(): Promise<void> {
    const { registry, onFailure } = this.#parts;
    if (registry === undefined) return;
    const reason = await this.#connected?.images.findObstacle([], true);
    if (reason !== undefined) onFailure(new Error(`${reason}; restarts with files are refused`));
  }

  async removeVolumes(): Promise<void> {
    // Nodes that don't answer would hold up the removal of files, and the end of the host.
    void this.#connected?.volumes.sweep();
  }

  /** Ends within some seconds, also when no engine answers, and reports what is left to the next host. */
  async shutDown(): Promise<void> {
    const ends = this.#leave();
    const cancel = this.#parts.clock.schedule(endMs, () => this.#connected?.client.end());
    const left = (await Promise.all(ends)).filter((each) => each !== undefined);
    cancel();
    this.#connected?.client.end();
    if (left.length === 0) return;
    const more = left.length > maxNamed ? ` and ${left.length - maxNamed} more` : '';
    const named = left.slice(0, maxNamed).join(', ');
    this.#parts.onFailure(new Error(`left to the next host on this data folder: ${named}${more}`));
  }

  /** Stops all work. The promises are those of {@link ClusterKeeper.leave}. */
  #leave(): readonly Promise<string | undefined>[] {
    this.#hasLeft = true;
    this.#stopPolling();
    this.#connected?.readers.stop();
    this.#connected?.volumes.stop();
    this.#parts.metering.leave();
    return [...this.#keepers.values()].map((keeper) => keeper.leave());
  }

  /** Lets go of services that are another host's by now, which reads and charges them. */
  #giveUp(reason: string): void {
    if (this.#isLost) return;
    this.#isLost = true;
    void Promise.all(this.#leave());
    this.#parts.onLost(reason);
  }

  /** Ends deployments that an earlier host closed or suspended and did not end, with their last lines. */
  #endLeft({ services }: Snapshot): void {
    const left = services.filter((service) => this.#phaseOf(service) !== 'running');
    for (const id of new Set(left.map(deploymentOf))) {
      void this.keep(this.#parts.deployments.getById(id)).stop();
    }
  }

  /**
   * Resolves with what the swarm has of known deployments. Those of a lost data folder, of which this
   * one is an earlier copy, are left alone.
   */
  async #readSnapshot(orchestrator: Orchestrator): Promise<Snapshot> {
    const whole = await orchestrator.snapshot();
    if (whole === this.#whole) return this.#snapshot;
    this.#whole = whole;
    const isKnown = (one: EngineService | EngineTask) => this.#phaseOf(one) !== undefined;
    const [services, tasks] = [whole.services.filter(isKnown), whole.tasks.filter(isKnown)];
    return (this.#snapshot = { services, tasks, nodes: whole.nodes });
  }

  #phaseOf(one: EngineService | EngineTask): DeploymentPhase | undefined {
    return this.#parts.deployments.phaseOf(deploymentOf(one));
  }

  async #poll(): Promise<void> {
    if (this.#connected === undefined || this.#isPolling || this.#keepers.size === 0) return;
    this.#isPolling = true;
    try {
      const snapshot = await this.#readSnapshot(this.#connected.orchestrator);
      this.#connected.readers.observe(snapshot);
      for (const [id, keeper] of this.#keepers) {
        keeper.observe(snapshot);
        const isClosed = this.#parts.deployments.phaseOf(id) === 'closed';
        if (isClosed && keeper.hasStopped) this.#keepers.delete(id);
      }
      this.#isSilent = false;
    } catch (error) {
      if (!this.#isSilent && !this.#hasLeft) this.#parts.onFailure(error);
      this.#isSilent = true;
    } finally {
      this.#isPolling = false;
    }
  }
}

function noManager(reason: string): StartFailure {
  return new StartFailure(
    'no-cluster',
    `No cluster to run services on: ${reason}.`,
    'Name a manager of a swarm with --engine tcp://HOST:PORT, or run "docker swarm init" there.',
  );
}

/**
 * Turns of deployments whose work on a start of the host would come all at once: one of them goes on at a time,
 * and what else the host has to do comes between.
 */
export class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves after those that came before, each in a turn of the event loop of its own. */
  next(): Promise<void> {
    this.#last = this.#last.then(() => setImmediate());
    return this.#last;
  }
}
