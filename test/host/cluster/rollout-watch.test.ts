import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RolloutWatch } from '../../../source/host/cluster/rollout-watch.ts';
import { taskOf } from './web-tasks.ts';

const failed = (...ids: readonly string[]) => ids.map((id) => taskOf(id, 'failed'));

describe('a new version of a service', () => {
  test('runs once all instances have run for some time without an end', () => {
    const watch = new RolloutWatch(2, 0);
    const first = taskOf('1', 'running');
    const both = [first, taskOf('2', 'running', { slot: 2 })];
    expect(watch.judge([first], 'updating', 1000)).toBe('waiting');
    expect(watch.judge(both, 'updating', 3000)).toBe('waiting');
    // An instance that was replaced counts from its start.
    const other = [first, taskOf('3', 'running', { slot: 2 })];
    expect(watch.judge(other, undefined, 5000)).toBe('waiting');
    expect(watch.judge(other, undefined, 7000)).toBe('waiting');
    expect(watch.judge(other, 'completed', 7500)).toBe('steady');
  });

  test('waits for the engine, which may have instances to replace', () => {
    const watch = new RolloutWatch(1, 0);
    const running = [taskOf('1', 'running')];
    expect(watch.judge(running, 'updating', 0)).toBe('waiting');
    expect(watch.judge(running, 'updating', 60_000)).toBe('waiting');
    expect(watch.judge(running, 'completed', 61_000)).toBe('steady');
  });

  test('may end twice, for what it needs may come later, but not three times', () => {
    const watch = new RolloutWatch(1, 0);
    expect(watch.judge(failed('1', '2'), undefined, 4000)).toBe('waiting');
    expect(watch.judge(failed('1', '2', '3'), undefined, 8000)).toEqual({
      failure: 'exited 1 after each of 3 starts',
    });
  });

  test('fails at once where the engine has stopped to replace the version before', () => {
    const watch = new RolloutWatch(3, 0);
    expect(watch.judge(failed('1'), 'paused', 2000)).toEqual({ failure: 'exited 1' });
  });

  test('fails with the words of the engine when no node takes it for two minutes', () => {
    const error = 'no suitable node (insufficient resources on 2 nodes)';
    const pending = [taskOf('1', 'pending', { error, desired: 'running' })];
    const watch = new RolloutWatch(1, 0);
    expect(watch.judge(pending, undefined, 119_000)).toBe('waiting');
    expect(watch.judge(pending, undefined, 120_500)).toEqual({
      failure: `does not run after 121 s: ${error}`,
    });
    const trial = new RolloutWatch(1, 0, true);
    expect(trial.judge(pending, undefined, 120_500)).toEqual({
      failure: `got no node in 121 s for the one more instance that a restart needs: ${error}`,
    });
  });

  test('has longer while a node pulls its image', () => {
    const watch = new RolloutWatch(1, 0);
    expect(watch.judge([taskOf('1', 'preparing')], undefined, 300_000)).toBe('waiting');
    expect(watch.judge([taskOf('1', 'preparing')], undefined, 600_000)).toMatchObject({
      failure: 'does not run after 600 s: preparing',
    });
  });

  test('always comes to an end, and never runs with fewer instances than wanted', () => {
    const state = fc.constantFrom('pending', 'preparing', 'starting', 'running', 'failed');
    const update = fc.constantFrom('updating', 'completed', undefined);
    const step = fc.record({ states: fc.array(state, { maxLength: 3 }), update });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const watch = new RolloutWatch(2, 0);
        let now = 0;
        for (const { states, update: progress } of steps) {
          now += 1500;
          const tasks = states.map((each, index) =>
            taskOf(String(index), each, { slot: index + 1 }),
          );
          if (watch.judge(tasks, progress, now) === 'steady') {
            expect(states.filter((each) => each === 'running').length).toBeGreaterThanOrEqual(2);
          }
        }
        expect(watch.judge([], 'updating', now + 600_000)).toHaveProperty('failure');
      }),
    );
  });
});
