import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  ClusterBackend,
  type ClusterBackendParts,
} from '../../../source/host/cluster/cluster-backend.ts';
import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import type { DeploymentRecord } from '../../../source/host/deployment-record.ts';
import { outputText, type TimedLine } from '../../../source/host/logs/run.ts';
import { startSwarmEngine, type SwarmEngine } from '../../servers/swarm-engine.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { ManualClock } from '../support/manual-clock.ts';

const deployments = Array.from({ length: 200 }, (_, index) => `deployment-${index}`);
const services = ['web', 'api', 'db'];

/** A host on an engine that runs 600 tasks, and a clock that the tests advance. */
class LargeCluster {
  readonly clock = new ManualClock();
  /** Lines that were stored, by task. */
  readonly lines = new Map<string, string[]>();
  readonly engine: SwarmEngine;
  readonly backend: ClusterBackend;

  private constructor(engine: SwarmEngine, socketPath: string) {
    this.engine = engine;
    for (const deployment of deployments) {
      for (const service of services)
        engine.answer('POST services', '', 'create', planned(deployment, service));
    }
    this.backend = new ClusterBackend({
      clock: this.clock,
      environment: { DOCKER_HOST: `unix://${socketPath}` },
      host: 'host',
      holder: 'folder',
      place: 'here',
      deployments: {
        phaseOf: () => 'running',
        getById: recordOf,
        changes: { add: () => undefined },
      },
      logs: {
        cursor: () => undefined,
        cursors: new Map(),
        forget: () => undefined,
        appendTimed: (
          _record: unknown,
          _service: string,
          stream: string,
          lines: readonly TimedLine[],
          { source }: { readonly source: string },
        ) => {
          if (stream === 'system') return;
          const [task = ''] = source.split('/');
          const texts = lines.map(({ line }) =>
            typeof line === 'string' ? line : outputText(line),
          );
          this.lines.set(task, [...(this.lines.get(task) ?? []), ...texts]);
        },
      },
      metering: {
        together: (work: () => void) => {
          work();
        },
        begin: () => () => undefined,
        moment: () => ({ at: 0 }),
        recover: () => undefined,
        leave: () => undefined,
      },
      runs: { listUnended: () => [] },
      volumeNodes: { list: () => [] },
      keepsData: () => true,
      onFailure: (error: unknown) => {
        throw error;
      },
      onLost: () => undefined,
    } as unknown as ClusterBackendParts);
  }

  static async start(folder: string): Promise<LargeCluster> {
    const socketPath = path.join(folder, 'engine.sock');
    const cluster = new LargeCluster(await startSwarmEngine(socketPath), socketPath);
    await cluster.backend.recover();
    for (const deployment of deployments) cluster.backend.keep(recordOf(deployment));
    return cluster;
  }

  /** Lets seconds pass, in each of which the engine answers all that it is asked. */
  async pass(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      this.clock.advance(1000);
      await this.#answered();
    }
  }

  /** Resolves when host and engine have nothing more to say to each other. */
  async #answered(): Promise<void> {
    const { requests } = this.engine;
    for (let quiet = 0, known = requests.length; quiet < quietTurns; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (requests.length !== known) quiet = 0;
      known = requests.length;
    }
  }
}

/** Turns of the event loop in which an answer of this process arrives, and more. */
const quietTurns = 25;

function recordOf(id: string): DeploymentRecord {
  const defined = services.map((name) => ({ name, count: 1 }));
  return { id, number: 1, services: defined } as unknown as DeploymentRecord;
}

function planned(deployment: string, service: string) {
  const labels = {
    [clusterLabels.host]: 'host',
    [clusterLabels.deployment]: deployment,
    [clusterLabels.service]: service,
    [clusterLabels.generation]: '1',
  };
  return {
    Name: `${deployment}-${service}`,
    Labels: labels,
    TaskTemplate: { ContainerSpec: { Labels: labels } },
    Mode: { Replicated: { Replicas: 1 } },
  };
}

describe('200 deployments of three services', () => {
  const folder = temporaryFolder('file');
  let cluster: LargeCluster;
  beforeAll(async () => {
    cluster = await LargeCluster.start(folder);
    await cluster.pass(60);
  });
  afterAll(async () => {
    await cluster.backend.shutDown();
    await cluster.engine.close();
  });

  const openFollows = () => [...cluster.engine.follows.values()].filter(({ size }) => size > 0);

  test('cost the engine two requests a second, and one follow a task', async () => {
    expect(openFollows()).toHaveLength(600);
    const { requests } = cluster.engine;
    const begin = requests.length;
    await cluster.pass(60);
    const asked = requests.slice(begin);
    expect(asked.filter((request) => request.includes('/logs'))).not.toEqual([]);
    expect(asked.length).toBeLessThanOrEqual(120);
    expect(openFollows()).toHaveLength(600);
  });

  test('lose no line of a node that was cut off for a moment', async () => {
    const tasks = cluster.engine.tasksOn('node2');
    const at = (second: number) => `2030-01-01T00:0${second}:00.000000000Z`;
    for (const task of tasks) cluster.engine.write(task, at(1), 'before');
    cluster.engine.reconnect('node2');
    for (const task of tasks) cluster.engine.write(task, at(2), 'meanwhile');
    await cluster.pass(20);
    for (const task of tasks) cluster.engine.write(task, at(3), 'later');
    await cluster.pass(1);
    expect(tasks.length).toBeGreaterThan(250);
    for (const task of tasks) {
      expect(cluster.lines.get(task)).toEqual(['before', 'meanwhile', 'later']);
    }
  });
});
