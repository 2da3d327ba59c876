import { describe, expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { clusterServiceStatus } from '../../../source/host/cluster/cluster-keeper.ts';
import { instancesOf } from '../../../source/host/cluster/instances.ts';
import { Nodes } from '../../../source/host/cluster/nodes.ts';
import { serviceWaves } from '../../../source/host/cluster/service-waves.ts';
import { leftRuns, runId } from '../../../source/host/cluster/tasks/task-runs.ts';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';
import { engineNode, engineTask as task, twoNodes } from './cluster-tasks.ts';

const nodes = twoNodes();
const stateOf = (...tasks: readonly EngineTask[]) =>
  instancesOf(tasks, nodes, 1, () => 0).map(({ state }) => state)[0];

describe('an instance on a cluster', () => {
  test('is active while a task of its replica runs, also beside one that is to replace it', () => {
    expect(stateOf(task(1, 'running'))).toBe('active');
    expect(stateOf(task(1, 'running'), task(2, 'preparing'))).toBe('active');
  });

  test('is starting at first, restarting after an end, and failed after three in a row', () => {
    expect(stateOf()).toBe('starting');
    expect(stateOf(task(1, 'pending'))).toBe('starting');
    expect(stateOf(task(1, 'failed'), task(2, 'ready'))).toBe('restarting');
    const crashes = [1, 2, 3].map((second) => task(second, 'failed'));
    expect(stateOf(...crashes, task(4, 'ready'))).toBe('failed');
    expect(stateOf(task(0, 'failed'), task(1, 'shutdown'), ...crashes.slice(1))).toBe('restarting');
  });

  test('has the port and the start of its present task, and the exit code of its last one', () => {
    const running = task(5, 'running', { ports: new Map([[8080, 32_768]]) });
    const ended = task(1, 'failed', { exitCode: 3 });
    expect(instancesOf([ended, running], nodes, 2, (instance) => instance)).toMatchObject([
      { port: 32_768, exitCode: 3, startedAt: Date.parse(running.at), restarts: 1 },
      { state: 'starting', port: undefined, exitCode: null, restarts: 2 },
    ]);
  });

  test('has the reason of the engine while it does not run', () => {
    const reasonOf = (...tasks: readonly EngineTask[]) =>
      instancesOf(tasks, nodes, 1, () => 0)[0]?.reason;
    const error = 'no suitable node (insufficient resources on 2 nodes)';
    const pending = task(5, 'pending', { node: '', error });
    expect(reasonOf(pending)).toBe(error);
    expect(reasonOf(task(1, 'failed', { error: 'task: non-zero exit (1)' }), pending)).toBe(error);
    expect(reasonOf(task(1, 'running'), pending)).toBeUndefined();
    expect(reasonOf(task(1, 'failed', { error: 'task: non-zero exit (1)' }))).toBeUndefined();
    expect(reasonOf(task(1, 'rejected', { error: 'No such image: \n nowhere' }))).toBe(
      'No such image: nowhere',
    );
  });

  describe('whose node answers no more', () => {
    const oneDown = twoNodes('1');
    // The engine goes on to call it running, and wants it shut down once another is to replace it.
    const lost = task(1, 'running', { desired: 'shutdown', ports: new Map([[80, 30_000]]) });
    const on2 = (second: number, state: string) => task(second, state, { node: '2' });
    const instanceAmong = (...tasks: readonly EngineTask[]) =>
      instancesOf(tasks, oneDown, 1, () => 0)[0];

    test('is lost, not stopped, until another task runs in its place', () => {
      const place = { node: 'bed', address: '10.0.0.1' };
      const gone = { state: 'node lost', port: undefined, startedAt: undefined, place };
      expect(instanceAmong(lost)).toMatchObject(gone);
      expect(instanceAmong(lost, on2(2, 'preparing'))).toMatchObject(gone);
      expect(instanceAmong(lost, task(2, 'pending', { node: '' }))).toMatchObject(gone);
      expect(instanceAmong(lost, on2(2, 'running'))).toMatchObject({
        state: 'active',
        place: { address: '10.0.0.2' },
      });
    });

    test('names the lost node while it runs on another one, even when nobody saw it lost', () => {
      const replacing = 'replaces the one lost with node bed (10.0.0.1)';
      const first = on2(2, 'running');
      expect(instanceAmong(lost, first)?.reason).toBe(replacing);
      expect(instancesOf([lost, first], new Nodes([engineNode('2')]), 1, () => 0)[0]?.reason).toBe(
        'replaces the one lost with its node',
      );
      expect(instancesOf([lost, first], nodes, 1, () => 0)[0]?.reason).toBeUndefined();
      expect(instanceAmong(lost, on2(2, 'shutdown'), on2(3, 'running'))?.reason).toBeUndefined();
    });

    test('is lost with a node that was removed from the swarm, not with one that is unknown', () => {
      const state = (...known: ConstructorParameters<typeof Nodes>[0]) =>
        instancesOf([lost], new Nodes(known), 1, () => 0)[0]?.state;
      expect(state(engineNode('2'))).toBe('node lost');
      expect(state(engineNode('1', 'unknown'))).toBe('active');
    });

    test('is no longer lost when a later task has ended, and none when it had ended before', () => {
      expect(instanceAmong(lost, on2(2, 'failed'), on2(3, 'ready'))?.state).toBe('restarting');
      expect(instanceAmong(task(1, 'failed'), on2(2, 'ready'))?.state).toBe('restarting');
    });
  });
});

test('a service tells where each instance runs, and where callers reach it', () => {
  const ports = new Map([
    [8080, 30_001],
    [9090, 30_002],
  ]);
  const tasks = [
    task(1, 'running', { ports }),
    task(2, 'running', { slot: 2, node: '2' }),
    task(3, 'pending', { slot: 3, node: '' }),
  ];
  const web = { name: 'web', count: 3 } as unknown as ServiceDefinition;
  const status = clusterServiceStatus(
    web,
    instancesOf(tasks, nodes, 3, (slot) => slot - 1),
  );
  const place = { node: 'bed', address: '10.0.0.1' };
  expect(status).toMatchObject({ state: 'starting', running: 2, ports: [30_001] });
  expect(status.endpoints).toEqual([
    { instance: 1, ...place, port: 30_001, target: 8080 },
    { instance: 1, ...place, port: 30_002, target: 9090 },
  ]);
  expect(status.instanceStates).toEqual([
    { instance: 1, state: 'active', ...place, startedAt: tasks[0]?.at, restarts: 0 },
    {
      instance: 2,
      state: 'active',
      node: 'bed',
      address: '10.0.0.2',
      startedAt: tasks[1]?.at,
      restarts: 1,
    },
    { instance: 3, state: 'starting', startedAt: undefined, restarts: 2 },
  ]);
  expect(clusterServiceStatus(web, [])).toMatchObject({ endpoints: [], instanceStates: [] });
});

test('services start after those that they depend on', () => {
  const service = (name: string, ...dependsOn: readonly string[]) =>
    ({ name, dependsOn }) as unknown as ServiceDefinition;
  const waves = serviceWaves([
    service('web', 'api', 'cache'),
    service('api', 'db'),
    service('cache'),
    service('db'),
  ]);
  expect(waves.map((wave) => wave.map(({ name }) => name))).toEqual([
    ['cache', 'db'],
    ['api'],
    ['web'],
  ]);
});

test('runs of an earlier host go on while their tasks run, and end with those that ended', () => {
  const tasks = [task(1, 'running'), task(2, 'failed'), task(3, 'ready')];
  const runs = [...tasks.map(({ id }) => ({ id: runId(id) })), { id: runId('gone') }];
  expect(leftRuns(runs, tasks)).toEqual([
    { id: runs[0]?.id },
    { id: runs[1]?.id, endedAt: Date.parse(task(2, 'failed').at) },
  ]);
});
