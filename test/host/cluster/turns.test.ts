import { expect, test } from 'vitest';
import { Turns } from '../../../source/host/cluster/cluster-backend.ts';

test('deployments have their turns in order, with other work between', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const others = async () => {
    for (let turn = 0; turn < 4; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push('other');
    }
  };
  const deployments = ['one', 'two', 'three'].map(async (name) => {
    await turns.next();
    seen.push(name);
  });
  await Promise.all([others(), ...deployments]);
  expect(seen.filter((name) => name !== 'other')).toEqual(['one', 'two', 'three']);
  expect(seen.slice(seen.indexOf('one'), seen.indexOf('three'))).toContain('other');
});
