import { expect, test } from 'vitest';
import { clusterLabels } from '../../../source/host/cluster/cluster-labels.ts';
import { Crashes } from '../../../source/host/cluster/observed-deployment.ts';
import { engineTask } from './cluster-tasks.ts';

const labels = { [clusterLabels.service]: 'web', [clusterLabels.generation]: '3' };
const crashed = (run: number) => engineTask(1, 'failed', { labels, id: `task-${run}` });

test('each crash counts once, though the engine remembers only the last few', () => {
  const crashes = new Crashes();
  for (let run = 1; run <= 1000; run += 1) {
    const remembered = [1, 2, 3, 4].map((back) => crashed(run - back));
    crashes.add([...remembered, crashed(run)]);
    // A snapshot that comes late has an earlier state.
    crashes.add(remembered);
  }
  expect(crashes.count('web', 1, 3)).toBe(1004);
  expect(crashes.count('web', 1, 4)).toBe(0);
});

test('crashes of an engine that remembers hundreds count once, too', () => {
  const crashes = new Crashes();
  const all = Array.from({ length: 500 }, (_, run) => crashed(run));
  for (let time = 0; time < 3; time += 1) crashes.add(all);
  expect(crashes.count('web', 1, 3)).toBe(500);
});
