import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import type { DeploymentRecord } from '../../../source/host/deployment-record.ts';
import type {
  InstanceRun,
  LeftRun,
  RunEnd,
  RunFailure,
  Runtime,
} from '../../../source/host/runtime/runtime.ts';
import { LocalKeeper, type LocalKeeperOptions } from '../../../source/host/local/local-keeper.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A runtime without processes, whose runs end on request. */
class FickleRuntime implements Runtime {
  canStart = true;
  readonly #ends = new Set<(end: RunEnd) => void>();
  #ports = 4000;

  async start(): Promise<InstanceRun | RunFailure> {
    await tick();
    if (!this.canStart) return { failure: 'not now' };
    const { promise, resolve } = Promise.withResolvers<RunEnd>();
    this.#ends.add(resolve);
    const stop = async () => {
      await tick();
      resolve({ signal: 'SIGTERM' });
    };
    const exited = promise.then(() => undefined);
    return { id: randomUUID(), port: (this.#ports += 1), exited, ended: promise, stop };
  }

  endAll(code: number): void {
    for (const end of this.#ends) end({ code });
    this.#ends.clear();
  }

  async release(): Promise<void> {}

  async endOrphans(): Promise<readonly LeftRun[]> {
    return [];
  }
}

const tick = () => new Promise((resolve) => setImmediate(resolve));

function service(name: string, count: number, dependsOn: readonly string[]): ServiceDefinition {
  const rest: Partial<ServiceDefinition> = { env: {} };
  return Object.assign(rest, { name, count, dependsOn }) as ServiceDefinition;
}

const actions = [
  'run 1',
  'run 2',
  'pause',
  'stop',
  'end',
  'crash',
  'refuse',
  'allow',
  'wait',
] as const;

/** Returns a keeper whose only service has one instance, and the events of its log. */
function keeperOfOne() {
  const events: string[] = [];
  const record: Partial<DeploymentRecord> = { id: 'id', services: [service('web', 1, [])] };
  const event = (_record: unknown, _service: string, text: string) => void events.push(text);
  const keeper = new LocalKeeper({
    record,
    readSdl: () => '',
    runtime: new FickleRuntime(),
    clock: new ManualClock(),
    files: { runFolder: () => '' },
    logs: { event, append: () => undefined },
    graceMs: 1,
    onChange: () => undefined,
    onRun: () => () => undefined,
  } as unknown as LocalKeeperOptions);
  return { keeper, events };
}

it('is restarting from a pause until the next generation runs', async () => {
  const { keeper, events } = keeperOfOne();
  await keeper.run(1);
  await vi.waitFor(() => expect(keeper.state()).toBe('active'));
  await keeper.pause();
  expect(keeper.state()).toBe('restarting');
  await keeper.run(2);
  await vi.waitFor(() => expect(keeper.state()).toBe('active'));
  expect(events).toEqual(['started, port 4001', 'stopped', 'restarted, port 4002']);
  await keeper.pause();
  await keeper.stop();
  expect(keeper.state()).toBe('starting');
});

it('counts every change of the visible state', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...actions), { maxLength: 12 }), async (steps) => {
      const clock = new ManualClock();
      const runtime = new FickleRuntime();
      let changes = 0;
      const record: Partial<DeploymentRecord> = {
        id: 'id',
        services: [service('web', 2, []), service('worker', 1, ['web'])],
      };
      const quiet = { event: () => undefined, append: () => undefined };
      const supervised = new LocalKeeper({
        record,
        readSdl: () => '',
        runtime,
        clock,
        files: { runFolder: () => '' },
        logs: quiet,
        graceMs: 1,
        onChange: () => {
          changes += 1;
        },
        onRun: () => () => undefined,
      } as unknown as LocalKeeperOptions);
      const seen = new Map<number, string>();
      const look = () => {
        const text = JSON.stringify([supervised.state(), supervised.services()]);
        expect(text).toBe(seen.get(changes) ?? text);
        seen.set(changes, text);
      };
      for (const step of steps) {
        look();
        if (step === 'run 1') void supervised.run(1);
        else if (step === 'run 2') void supervised.run(2);
        else if (step === 'pause') void supervised.pause();
        else if (step === 'stop') void supervised.stop();
        else if (step === 'end') runtime.endAll(0);
        else if (step === 'crash') runtime.endAll(1);
        else if (step === 'wait') clock.advance(60_000);
        else runtime.canStart = step === 'allow';
        look();
        for (let turn = 0; turn < 3; turn += 1) {
          await tick();
          look();
        }
      }
      const stopped = supervised.stop();
      runtime.endAll(0);
      await stopped;
      look();
    }),
    { numRuns: 60 },
  );
});
