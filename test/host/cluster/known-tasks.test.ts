import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KnownTasks } from '../../../source/host/cluster/swarm-orchestrator.ts';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';
import { engineTask } from './cluster-tasks.ts';

/** An engine whose tasks the test changes, and what it was asked for. */
function listing(tasks: readonly EngineTask[]) {
  const asked: string[] = [];
  const engine = { tasks };
  let listed: readonly EngineTask[] = [];
  const known = new KnownTasks(async (which) => {
    asked.push(which);
    const list = engine.tasks.filter(({ desired }) => which === 'all' || desired === 'running');
    const isSame = list.length === listed.length && list.every((task, at) => task === listed[at]);
    return isSame ? listed : (listed = list);
  });
  return { engine, asked, known };
}

const running = engineTask(1, 'running');
const ended = engineTask(0, 'failed', { desired: 'shutdown' });

describe('the tasks of a swarm', () => {
  test('are read as a whole once, and then those that are to run', async () => {
    const { engine, asked, known } = listing([ended, running]);
    expect(await known.read()).toEqual([ended, running]);
    expect(await known.read()).toEqual([ended, running]);
    const ports = { ...running, state: 'starting' };
    engine.tasks = [ended, ports];
    expect(await known.read()).toEqual([ended, ports]);
    expect(asked).toEqual(['all', 'wanted', 'wanted']);
  });

  test('are the same list while the engine has the same', async () => {
    const { engine, known } = listing([ended, running]);
    await known.read();
    const tasks = await known.read();
    expect(await known.read()).toBe(tasks);
    engine.tasks = [ended, { ...running, ports: new Map([[80, 1]]) }];
    expect(await known.read()).toEqual(engine.tasks);
  });

  test('are read as a whole when another one is to run, until the former has ended', async () => {
    const { engine, asked, known } = listing([ended, running]);
    await known.read();
    const next = engineTask(2, 'running');
    engine.tasks = [ended, { ...running, desired: 'shutdown' }, next];
    await known.read();
    await known.read();
    const stopped = { ...running, desired: 'shutdown', state: 'shutdown' };
    engine.tasks = [ended, stopped, next];
    expect(await known.read()).toEqual([ended, stopped, next]);
    await known.read();
    expect(asked).toEqual(['all', 'wanted', 'all', 'all', 'all', 'wanted']);
  });

  test('never lack one that the engine has, nor have a state that it had before', async () => {
    const happening = fc.record({
      slot: fc.constantFrom(1, 2),
      what: fc.constantFrom('crashes', 'starts', 'is replaced', 'stops'),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(happening)), async (polls) => {
        const { engine, known } = listing([1, 2].map((slot) => newTask(slot, 'running')));
        for (const events of polls) {
          for (const { slot, what } of events) engine.tasks = after(engine.tasks, slot, what);
          expect(await known.read()).toEqual(expect.arrayContaining([...engine.tasks]));
        }
      }),
    );
  });
});

let ids = 0;

function newTask(slot: number, desired: string): EngineTask {
  ids += 1;
  return engineTask(ids, desired === 'ready' ? 'ready' : 'running', { slot, desired });
}

/** Returns the tasks after an engine has done something about an instance. */
function after(tasks: readonly EngineTask[], slot: number, what: string): readonly EngineTask[] {
  const change = (task: EngineTask): readonly EngineTask[] => {
    if (task.slot !== slot) return [task];
    if (task.desired === 'ready' && what === 'starts') {
      return [{ ...task, desired: 'running', state: 'running' }];
    }
    if (task.desired === 'shutdown' && task.state === 'running' && what === 'stops') {
      return [{ ...task, state: 'shutdown' }];
    }
    if (task.desired !== 'running') return [task];
    if (what === 'crashes') {
      return [{ ...task, desired: 'shutdown', state: 'failed' }, newTask(slot, 'ready')];
    }
    if (what === 'is replaced') return [{ ...task, desired: 'shutdown' }, newTask(slot, 'running')];
    return [task];
  };
  return tasks.flatMap(change);
}
