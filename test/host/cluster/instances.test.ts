import { describe, expect, test } from 'vitest';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { instancesOf } from '../../../source/host/cluster/instances.ts';
import { serviceWaves } from '../../../source/host/cluster/service-waves.ts';
import { leftRuns, runId } from '../../../source/host/cluster/task-runs.ts';
import type { EngineTask } from '../../../source/host/engine/swarm-api.ts';

function task(second: number, state: string, change: Partial<EngineTask> = {}): EngineTask {
  const at = new Date(Date.UTC(2026, 2, 1) + second * 1000).toISOString();
  return {
    id: `task${second}`,
    service: 's',
    node: 'n',
    slot: 1,
    createdAt: at,
    state,
    desired: 'running',
    at,
    error: undefined,
    exitCode: undefined,
    ports: new Map(),
    labels: {},
    ...change,
  };
}

const stateOf = (...tasks: readonly EngineTask[]) =>
  instancesOf(tasks, 1, () => 0).map(({ state }) => state)[0];

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
    expect(instancesOf([ended, running], 2, (instance) => instance)).toMatchObject([
      { port: 32_768, exitCode: 3, startedAt: Date.parse(running.at), restarts: 1 },
      { state: 'starting', port: undefined, exitCode: null, restarts: 2 },
    ]);
  });
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
