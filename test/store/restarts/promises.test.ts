import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Result } from '../../../source/client/http/errors.ts';
import type { ChangedFile, PendingRestart } from '../../../source/store/restarts/journal.ts';
import { unappliedChanges } from '../../../source/store/restarts/state.ts';
import { createRestarts, type RestartsStore } from '../../../source/store/restarts/restarts.ts';
import { createTestClock, settled, type TestClock } from '../../support/clock.ts';
import { done } from '../requests.ts';
import { lost, refused } from './restarts-fixture.ts';

const delay = 3500;

/** The model of a deployment that the restarts are checked against. */
interface Truth {
  /** Elapsed time at the last change. */
  changedAt: number;
  /** Files changed since the last sent restart. */
  waiting: Set<string>;
  /** Files in the restart in flight. */
  sent: Set<string>;
  answer: ((result: Result<void>) => void) | undefined;
  operations: ((...files: readonly ChangedFile[]) => void)[];
  cancelled: boolean;
  askedFor: boolean;
}

interface World {
  readonly clock: TestClock;
  readonly restarts: RestartsStore;
  readonly truths: ReadonlyMap<string, Truth>;
  journal: readonly PendingRestart[];
  readonly passed: number;
  held: boolean;
  /** Broken promises of sent restarts. */
  readonly broken: string[];
}

const ids = ['a', '__proto__'];

function createWorld(): World {
  const clock = createTestClock();
  const truths = new Map(
    ids.map((id) => [
      id,
      {
        changedAt: Number.NEGATIVE_INFINITY,
        waiting: new Set<string>(),
        sent: new Set<string>(),
        answer: undefined,
        operations: [],
        cancelled: false,
        askedFor: false,
      } satisfies Truth as Truth,
    ]),
  );
  const startedAt = { wall: clock.now(), shift: 0 };
  const restarts = createRestarts({
    clock,
    delay,
    client: { restart: (id) => sendRestart(world, id) },
    journal: {
      write(entries) {
        world.journal = entries;
      },
    },
  });
  const world: World = {
    clock: {
      ...clock,
      set(now) {
        startedAt.shift += now - clock.now();
        clock.set(now);
      },
    },
    restarts,
    truths,
    journal: [],
    held: false,
    broken: [],
    // Also called while the clock advances within a step of the test.
    get passed() {
      return clock.now() - startedAt.wall - startedAt.shift;
    },
  };
  return world;
}

/** The service's side, which checks every promise about sending. */
function sendRestart(world: World, id: string): Promise<Result<void>> {
  const truth = truthOf(world, id);
  if (truth.answer !== undefined) world.broken.push('a second one at a time');
  if (!truth.askedFor) {
    if (truth.waiting.size === 0) world.broken.push('without a change');
    if (world.passed - truth.changedAt < delay) world.broken.push('early');
    if (truth.operations.length > 0) world.broken.push('during a file operation');
    if (truth.cancelled) world.broken.push('though cancelled');
    if (world.held) world.broken.push('while the person decides');
  }
  truth.sent = truth.waiting;
  truth.waiting = new Set();
  truth.cancelled = false;
  const { promise, resolve } = Promise.withResolvers<Result<void>>();
  truth.answer = resolve;
  return promise;
}

function truthOf(world: World, id: string): Truth {
  const truth = world.truths.get(id);
  if (truth === undefined) throw new Error(`no deployment ${id}`);
  return truth;
}

function note(world: World, id: string, path: string): ChangedFile {
  const truth = truthOf(world, id);
  truth.changedAt = world.passed;
  truth.waiting.add(path);
  truth.cancelled = false;
  return { service: 'web', path };
}

type Step = (world: World) => Promise<void> | void;

const id = fc.constantFrom('a', ...ids);
const path = fc.constantFrom('x', 'y', 'z');

function step<T>(of: fc.Arbitrary<T>, act: (world: World, value: T) => Promise<void> | void) {
  return of.map(
    (value): Step =>
      (world) =>
        act(world, value),
  );
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  step(fc.tuple(id, path), (world, [on, file]) => {
    const changed = note(world, on, file);
    world.restarts.filesChanged(on, changed);
  }),
  step(id, (world, on) => {
    truthOf(world, on).operations.push(world.restarts.operation(on));
  }),
  step(fc.tuple(id, fc.option(path, { nil: undefined })), (world, [on, file]) => {
    const ended = truthOf(world, on).operations.pop();
    if (ended === undefined) return;
    if (file === undefined) ended();
    else ended(note(world, on, file));
  }),
  step(fc.integer({ min: 1, max: 6000 }), (world, time) => world.clock.advance(time)),
  step(fc.integer({ min: 1, max: 6000 }), (world, time) => world.clock.advance(time)),
  step(fc.constantFrom(-1e7, -3000, 3000, 1e7), ({ clock }, jump) => clock.set(clock.now() + jump)),
  step(id, (world, on) => {
    const truth = truthOf(world, on);
    const isFree = truth.answer === undefined;
    truth.askedFor = true;
    expect(world.restarts.restart(on)).toBe(isFree);
    truth.askedFor = false;
  }),
  step(id, (world, on) => {
    const truth = truthOf(world, on);
    if (truth.answer === undefined || truth.waiting.size > 0) truth.cancelled = true;
    world.restarts.cancel(on);
  }),
  step(fc.boolean(), (world, held) => {
    world.held = held;
    world.restarts.setPaused(held);
  }),
  step(fc.tuple(id, fc.constantFrom(done, refused, lost)), (world, [on, result]) =>
    answer(world, on, result),
  ),
);

async function answer(world: World, on: string, result: Result<void>): Promise<void> {
  const truth = truthOf(world, on);
  if (truth.answer === undefined) return;
  if (!result.ok) for (const file of truth.sent) truth.waiting.add(file);
  // A change during the restart starts its countdown now.
  if (truth.waiting.size > 0) truth.changedAt = world.passed;
  truth.sent = new Set();
  const { answer: resolve } = truth;
  truth.answer = undefined;
  resolve(result);
  await settled();
}

/** Checks that no restart was sent too early, and that all unapplied changes are in the state and the journal. */
function expectPromisesKept(world: World): void {
  expect(world.broken).toEqual([]);
  for (const [on, truth] of world.truths) {
    const due = [...new Set([...truth.waiting, ...truth.sent])].sort();
    const restart = world.restarts.state.getState().get(on);
    const known = restart === undefined ? undefined : unappliedChanges(restart);
    expect((known?.files ?? []).map((file) => file.path).sort()).toEqual(due);
    const entry = world.journal.find(({ deploymentId }) => deploymentId === on);
    expect((entry?.files ?? []).map((file) => file.path).sort()).toEqual(due);
  }
}

it('keeps every promise after any sequence of events', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 10, maxLength: 40, size: 'max' }),
      async (all) => {
        const world = createWorld();
        for (const act of all) {
          await act(world);
          expectPromisesKept(world);
        }
        // After all operations have ended, every countdown sends its restart.
        world.held = false;
        world.restarts.setPaused(false);
        for (const truth of world.truths.values()) {
          for (const ended of truth.operations.splice(0)) ended();
        }
        for (const on of [...ids, ...ids]) {
          await answer(world, on, done);
          await world.clock.advance(delay + 2000);
        }
        for (const on of ids) await answer(world, on, done);
        expectPromisesKept(world);
        for (const restart of world.restarts.state.getState().values()) {
          expect(['failed', 'unknown', 'unapplied']).toContain(restart.kind);
        }
      },
    ),
    { numRuns: 200 },
  );
});
