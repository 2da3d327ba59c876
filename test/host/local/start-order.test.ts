import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import type {
  InstanceRun,
  LeftRun,
  RunFailure,
  Runtime,
} from '../../../source/host/runtime/runtime.ts';
import { Instance } from '../../../source/host/local/instance.ts';
import { StartOrder } from '../../../source/host/local/local-keeper.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** A runtime without processes that records the starts and ends of services. */
class TalkingRuntime implements Runtime {
  readonly events: string[] = [];
  /** Number of failing starts of each service. */
  readonly #failures: Map<string, number>;

  constructor(failures: Readonly<Record<string, number>>) {
    this.#failures = new Map(Object.entries(failures));
  }

  async start({
    service,
  }: {
    readonly service: ServiceDefinition;
  }): Promise<InstanceRun | RunFailure> {
    const failures = this.#failures.get(service.name) ?? 0;
    this.#failures.set(service.name, failures - 1);
    if (failures > 0) return { failure: 'not yet' };
    this.events.push(`up ${service.name}`);
    const { promise, resolve } = Promise.withResolvers<{ readonly code: number }>();
    return {
      id: randomUUID(),
      port: undefined,
      exited: promise.then(() => undefined),
      ended: promise,
      stop: async () => {
        await new Promise(setImmediate);
        this.events.push(`down ${service.name}`);
        resolve({ code: 0 });
      },
    };
  }

  async release(): Promise<void> {}

  async endOrphans(): Promise<readonly LeftRun[]> {
    this.events.length = 0;
    return [];
  }
}

interface Wanted {
  readonly dependsOn: readonly number[];
  readonly count: number;
  readonly failures: number;
}

/** Services that depend on earlier ones only, so that no dependency is circular. */
const services = fc.array(
  fc.record({
    dependsOn: fc.array(fc.nat(5), { maxLength: 3 }),
    count: fc.integer({ min: 1, max: 2 }),
    failures: fc.constantFrom(0, 0, 1, 2),
  }),
  { minLength: 1, maxLength: 6 },
);

function orderOf(wanted: readonly Wanted[], clock: ManualClock) {
  const runtime = new TalkingRuntime(
    Object.fromEntries(wanted.map(({ failures }, index) => [`s${index}`, failures])),
  );
  const definitions = wanted.map(({ dependsOn, count }, index): ServiceDefinition => {
    const before = dependsOn.filter((to) => to < index).map((to) => `s${to}`);
    return {
      name: `s${index}`,
      command: [],
      args: [],
      env: {},
      expose: [],
      count,
      dependsOn: [...new Set(before)],
      position: { line: 1, column: 1 },
    };
  });
  const order = new StartOrder(
    // Reversed, so that the order of the list does not help.
    definitions.toReversed().map((service) => ({
      service,
      instances: Array.from(
        { length: service.count },
        () =>
          new Instance({
            runtime,
            clock,
            request: {
              deployment: '',
              service,
              instance: 1,
              resources: {},
              tree: { folder: '' },
              onLines: () => undefined,
            },
            onEvent: () => undefined,
            onChange: () => undefined,
            onRun: () => () => undefined,
          }),
      ),
      onEvent: () => undefined,
    })),
  );
  return { order, runtime, definitions };
}

async function settle(clock: ManualClock, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    clock.advance(60_000);
  }
}

it('a service starts after all instances of its dependencies and stops before them', async () => {
  await fc.assert(
    fc.asyncProperty(services, fc.nat(20), async (wanted, rounds) => {
      const clock = new ManualClock();
      const { order, runtime, definitions } = orderOf(wanted, clock);
      order.start('started');
      await settle(clock, rounds);
      await order.stop(0);
      const { events } = runtime;
      for (const { name, dependsOn, count } of definitions) {
        const up = events.indexOf(`up ${name}`);
        const down = events.lastIndexOf(`down ${name}`);
        expect(events.filter((word) => word === `up ${name}`)).toHaveLength(
          events.filter((word) => word === `down ${name}`).length,
        );
        for (const other of up === -1 ? [] : dependsOn) {
          expect(events.lastIndexOf(`up ${other}`)).toBeLessThan(up);
          expect(events.indexOf(`down ${other}`)).toBeGreaterThan(down);
          expect(events.filter((word) => word === `up ${other}`)).toHaveLength(
            definitions.find((each) => each.name === other)?.count ?? 0,
          );
        }
        if (rounds === 20) {
          expect(events.filter((word) => word === `up ${name}`)).toHaveLength(count);
        }
      }
      // Nothing starts after the stop.
      await settle(clock, 3);
      expect(events.filter((word) => word.startsWith('up'))).toHaveLength(
        events.filter((word) => word.startsWith('down')).length,
      );
    }),
    { numRuns: 60 },
  );
});
