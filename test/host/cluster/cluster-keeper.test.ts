import { describe, expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import {
  ClusterKeeper,
  type ClusterKeeperOptions,
} from '../../../source/host/cluster/cluster-keeper.ts';
import { generationOf, isTrial } from '../../../source/host/cluster/plan.ts';
import type { DeploymentRecord } from '../../../source/host/deployment-record.ts';
import type { EngineService, ServiceSpec } from '../../../source/host/engine/swarm-api.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { PretendedSwarm } from './pretended-swarm.ts';

const service = {
  name: 'web',
  image: 'nginx',
  command: [],
  args: [],
  env: {},
  expose: [],
  count: 2,
  dependsOn: [],
  position: { line: 1, column: 1 },
} satisfies ServiceDefinition;

const never = new Promise<void>(() => undefined);

/** The part of a data folder that is about the deployment. */
interface KeptRecord {
  generation: number;
  applied?: number | undefined;
}

/** A host with one deployment on a pretended swarm. */
function hostOn(swarm: PretendedSwarm, clock: ManualClock, record: KeptRecord) {
  const events: string[] = [];
  const rollbacks: string[] = [];
  const keeper = new ClusterKeeper({
    record: { id: 'uuid-1', number: 1, services: [service] } as unknown as DeploymentRecord,
    readSdl: () => 'deployment: { web: { here: { profile: web, count: 2 } } }',
    orchestrator: {
      apply: async (spec: ServiceSpec) => swarm.apply(spec),
      ensureNetwork: async () => undefined,
      park: async (one: EngineService) => {
        swarm.park(one);
      },
      remove: async (one: EngineService) => {
        swarm.remove(one);
      },
      removeNetwork: async () => undefined,
      snapshot: async () => swarm.snapshot(),
    },
    images: { store: async () => ({ reference: 'nginx@sha256:1', hasFiles: true }) },
    readers: { finish: async () => undefined },
    files: { runFolder: () => '/nowhere' },
    clock,
    host: '0123456789abcdef',
    graceMs: 1000,
    overcommit: 1,
    awaitTurn: async () => undefined,
    onChange: () => undefined,
    onEvent: (_service: string, text: string) => events.push(text),
    applied: () => record.applied,
    onApplied: (generation: number | undefined) => {
      record.applied = generation;
    },
    onRolledBack: (generation: number, reason: string) => {
      record.generation = generation;
      rollbacks.push(`${generation}: ${reason}`);
    },
  } as unknown as ClusterKeeperOptions);
  /** Lets the time pass until all is done. */
  const settle = async (done: Promise<void>, seconds = 1000) => {
    const ended = new AbortController();
    const { signal } = ended;
    void done.finally(() => {
      ended.abort();
    });
    for (let second = 0; !signal.aborted && second < seconds; second += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      swarm.step();
      clock.advance(1000);
      keeper.observe(swarm.snapshot());
    }
    await new Promise((resolve) => setImmediate(resolve));
  };
  /** Returns the generations of the running instances. */
  const versions = () =>
    swarm.tasks.filter(({ state }) => state === 'running').map((task) => generationOf(task));
  return { keeper, events, rollbacks, settle, versions };
}

async function runningHost() {
  const swarm = new PretendedSwarm();
  const clock = new ManualClock();
  const record: KeptRecord = { generation: 1 };
  const host = hostOn(swarm, clock, record);
  await host.settle(host.keeper.run(1));
  await host.settle(never, 3);
  swarm.fewest = Number.POSITIVE_INFINITY;
  return { swarm, clock, record, ...host };
}

describe('a restart on a cluster', () => {
  test('replaces the version before once one more instance has run on the new one', async () => {
    const { keeper, swarm, record, rollbacks, settle, versions } = await runningHost();
    await settle(keeper.run(2));
    expect(versions()).toEqual([2, 2]);
    expect([...swarm.services.values()].filter(isTrial)).toEqual([]);
    expect({ applied: record.applied, rollbacks, state: keeper.state() }).toEqual({
      applied: 2,
      rollbacks: [],
      state: 'active',
    });
  });

  test.each([
    ['exits', 'web exited 1 after each of 3 starts'],
    ['pending', 'web got no node in 120 s for the one more instance that a restart needs'],
  ] as const)('touches no instance when the new version %s', async (behaviour, reason) => {
    const { keeper, swarm, record, rollbacks, events, settle, versions } = await runningHost();
    swarm.behaviours.set(2, behaviour);
    const before = swarm.tasks;
    const restarted = keeper.run(2);
    expect(keeper.state()).toBe('restarting');
    await settle(restarted);
    expect(swarm.fewest).toBe(2);
    expect(swarm.tasks).toEqual(before);
    expect(versions()).toEqual([1, 1]);
    expect(rollbacks).toEqual([`1: ${reason}`]);
    expect(events).toContain(`restart undone, the version before runs: ${reason}`);
    expect({ applied: record.applied, state: keeper.state() }).toEqual({
      applied: 1,
      state: 'active',
    });
  });

  test.each([
    ['runs', 2],
    ['fails in the second instance', 1],
  ] as const)(
    'is over when no replaced instance runs any more, where the new version %s',
    async (behaviour, last) => {
      const { keeper, swarm, settle, versions } = await runningHost();
      swarm.behaviours.set(2, behaviour);
      swarm.stopSeconds = 20;
      void keeper.run(2);
      const running = new Map<string, Set<number>>();
      for (let second = 0; second < 60; second += 1) {
        await settle(never, 1);
        const seen = running.get(keeper.state()) ?? new Set();
        running.set(keeper.state(), new Set([...seen, ...versions()]));
      }
      expect([...running.keys()]).toEqual(['restarting', 'active']);
      expect([...(running.get('active') ?? [])]).toEqual([last]);
    },
  );

  test('is over without an instance that the engine can not end', async () => {
    const { keeper, swarm, settle, versions } = await runningHost();
    swarm.stopSeconds = Number.POSITIVE_INFINITY;
    await settle(keeper.run(2), 100);
    expect(versions().filter((version) => version === 1)).toHaveLength(2);
    expect(keeper.state()).toBe('active');
  });

  test('goes back when a later instance fails, whose version stops at the first failure', async () => {
    const { keeper, swarm, rollbacks, settle, versions } = await runningHost();
    swarm.behaviours.set(2, 'fails in the second instance');
    await settle(keeper.run(2));
    expect(swarm.fewest).toBe(1);
    expect(versions()).toEqual([1, 1]);
    expect(rollbacks).toEqual(['1: web exited 1']);
  });

  test('is finished or undone by the next host after a kill at any moment', async () => {
    for (let seconds = 0; seconds < 20; seconds += 1) {
      for (const behaviour of ['runs', 'exits'] as const) {
        const { keeper, swarm, clock, record, settle } = await runningHost();
        swarm.behaviours.set(2, behaviour);
        record.generation = 2;
        void keeper.run(2);
        await settle(never, seconds);
        void keeper.leave();
        const next = hostOn(swarm, clock, record);
        next.keeper.observe(swarm.snapshot());
        await next.settle(next.keeper.run(record.generation));
        await next.settle(never, 5);
        expect(next.versions()).toEqual(behaviour === 'runs' ? [2, 2] : [1, 1]);
        expect([...swarm.services.values()].filter(isTrial)).toEqual([]);
      }
    }
  });

  test('has nothing to go back to when nothing runs', async () => {
    const swarm = new PretendedSwarm();
    swarm.behaviours.set(1, 'exits');
    swarm.behaviours.set(2, 'exits');
    const host = hostOn(swarm, new ManualClock(), { generation: 1 });
    await host.settle(host.keeper.run(1));
    await host.settle(never, 3);
    await host.settle(host.keeper.run(2));
    await host.settle(never, 5);
    expect(host.rollbacks).toEqual([]);
    expect(host.keeper.state()).toBe('failed');
  });
});
