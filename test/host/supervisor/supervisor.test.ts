import { describe, expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { ChangeCounter } from '../../../source/host/deployments.ts';
import type { DeploymentRecord } from '../../../source/host/deployment-record.ts';
import type { Backend, Keeper } from '../../../source/host/supervisor/backend.ts';
import { serviceStatus } from '../../../source/host/supervisor/service-status.ts';
import { Supervisor, type SupervisorOptions } from '../../../source/host/supervisor/supervisor.ts';

/** A keeper that only notes what it is told; its one instance is active. */
class NotingKeeper implements Keeper {
  readonly orders: string[] = [];
  readonly #record: DeploymentRecord;

  constructor(record: DeploymentRecord) {
    this.#record = record;
  }

  async run(generation: number): Promise<void> {
    this.orders.push(`run ${generation}`);
  }

  async stop(): Promise<void> {
    this.orders.push('stop');
  }

  state() {
    return 'active' as const;
  }

  services() {
    const { exitCode, failure, port } = { exitCode: null, failure: undefined, port: 4000 };
    const instance = {
      state: 'active',
      startedAt: 0,
      restarts: 0,
      exitCode,
      port,
      failure,
    } as const;
    return this.#record.services.map((service) => serviceStatus(service, [instance]));
  }
}

/** A supervisor of one deployment, on a backend without instances. */
function supervisorOf(phase: DeploymentRecord['phase'], { refused = false, owes = false } = {}) {
  const partial = { name: 'web', count: 1, env: {}, dependsOn: [] };
  const services = [partial as unknown as ServiceDefinition];
  let record: DeploymentRecord = {
    number: 1,
    id: 'id-1',
    name: 'site',
    owner: 'wallet',
    services,
    warnings: [],
    phase,
    price: 0n,
    createdAt: 0,
    restartedAt: undefined,
    closedAt: undefined,
    removedAt: undefined,
    generation: 3,
    appliedGeneration: undefined,
    rollback: undefined,
  };
  const changes = new ChangeCounter();
  const keepers: NotingKeeper[] = [];
  const events: string[] = [];
  const backend: Backend = {
    keep(kept) {
      const keeper = new NotingKeeper(kept);
      keepers.push(keeper);
      return keeper;
    },
    findObstacle: async () => undefined,
    removeVolumes: async () => undefined,
    recover: async () => undefined,
    shutDown: async (left) => {
      events.push(`shut down ${[...left].length}`);
    },
  };
  const supervisor = new Supervisor({
    backend,
    deployments: {
      changes,
      listOpen: () => [record],
      getById: () => record,
      setPhase: (_id: string, next: DeploymentRecord['phase']) => {
        record = { ...record, phase: next };
        changes.add(record);
      },
    },
    metering: { owes: () => owes, stopCharging: (_id: string, change: () => void) => change() },
    logs: { event: (_record: unknown, _service: string, text: string) => events.push(text) },
    runtime: {
      checkService: () => (refused ? { sentence: 'No engine.', expected: 'an engine' } : undefined),
    },
    trust: { refusal: () => undefined },
  } as unknown as SupervisorOptions);
  const orders = () => keepers.flatMap((keeper) => keeper.orders);
  const summary = () => {
    const { state, services: listed } = supervisor.summarise(record);
    return { state, services: listed.map((service) => service.state) };
  };
  return { supervisor, changes, events, orders, summary };
}

describe('a supervisor and its backend', () => {
  test('runs a deployment on the generation of its record', () => {
    const { supervisor, orders, summary } = supervisorOf('running');
    supervisor.resumeAll();
    expect(orders()).toEqual(['run 3']);
    expect(summary()).toEqual({ state: 'active', services: ['active'] });
  });

  test('never hands a refused deployment to its keeper, and counts it as failed', () => {
    const { supervisor, changes, events, orders, summary } = supervisorOf('running', {
      refused: true,
    });
    const before = changes.deploymentCount('id-1');
    supervisor.resumeAll();
    expect(orders()).toEqual([]);
    expect(summary()).toEqual({ state: 'failed', services: ['failed'] });
    expect(changes.deploymentCount('id-1')).toBe(before + 1);
    expect(events).toEqual(['cannot start: No engine.']);
  });

  test('leaves a suspended deployment alone until it resumes', () => {
    const { supervisor, orders, summary } = supervisorOf('suspended');
    supervisor.resumeAll();
    expect(orders()).toEqual([]);
    expect(summary()).toEqual({ state: 'suspended', services: ['suspended'] });
    supervisor.resume('id-1');
    expect(orders()).toEqual(['run 3']);
    supervisor.suspend('id-1');
    expect(orders()).toEqual(['run 3', 'stop']);
  });

  test('suspends what owes an amount instead of running it', () => {
    const { supervisor, orders, summary } = supervisorOf('running', { owes: true });
    supervisor.resumeAll();
    // An earlier host may have left it running elsewhere.
    expect(orders()).toEqual(['stop']);
    expect(summary().state).toBe('suspended');
  });

  test('leaves it to the backend whether keepers stop with the host', async () => {
    const { supervisor, events, orders } = supervisorOf('running');
    supervisor.resumeAll();
    await supervisor.shutDown();
    expect(events).toEqual(['shut down 1']);
    expect(orders()).toEqual(['run 3']);
  });
});
