import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { createRestartTimes, withRestartTimes } from '../../source/disk/restart-times.ts';
import { startForeign } from '../servers/foreign.ts';

function stateFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-restarts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('the last restarts of each deployment are kept, by service', async () => {
  const folder = stateFolder();
  const times = createRestartTimes(folder, 'here');
  expect(times.read('a')).toEqual([]);
  for (let at = 1; at <= 7; at += 1) await times.add('a', at);
  await times.add('b', 9);
  const again = createRestartTimes(folder, 'here');
  expect(again.read('a')).toEqual([3, 4, 5, 6, 7]);
  expect(again.read('b')).toEqual([9]);
  expect(createRestartTimes(folder, 'there').read('a')).toEqual([]);
});

test('deployments that were restarted long ago make room', async () => {
  const times = createRestartTimes(stateFolder(), 'here');
  for (let number = 0; number <= 200; number += 1) await times.add(`id ${number}`, number);
  expect(times.read('id 0')).toEqual([]);
  expect(times.read('id 1')).toEqual([1]);
});

test('a client writes down the restarts that the service accepts', async () => {
  const foreign = await startForeign();
  const times = createRestartTimes(stateFolder(), 'here');
  const { baseUrl, token, sample } = foreign;
  const client = withRestartTimes(createClient({ baseUrl, token }), times, () => 1000);
  onTestFinished(async () => {
    await client.close();
    await foreign.close();
  });
  expect((await client.deployments.restart(sample)).ok).toBe(true);
  expect(times.read(sample)).toHaveLength(1);
  foreign.failNext(1, { status: 409 });
  expect((await client.deployments.restart(sample)).ok).toBe(false);
  expect(times.read(sample)).toHaveLength(1);
});
