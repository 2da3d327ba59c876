import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUp } from '../../source/host/backup/back-up.ts';
import { restoreBackup } from '../../source/host/backup/restore-backup.ts';
import { engineVolumesOf } from '../host/backup/test-engine-volumes.ts';
import { deploy, readDeployment } from '../host/support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../host/support/temporary-host.ts';
import { client, close, isMissing, onBed, runningTasks, waitForBed, webSdl } from './bed.ts';
import { findConfig } from '../../source/host/engine/swarm.ts';

const idle = { command: ['node', '-e'], args: ['setInterval(() => undefined, 1000)'] };

describe.skipIf(isMissing)('a restored backup of a running host, on its swarm', () => {
  let first: TemporaryHost;
  let ends: string[];
  beforeAll(async () => {
    ends = [];
    first = await temporaryHost({ ...onBed, onLost: (reason) => ends.push(reason) });
  });
  afterAll(async () => {
    await first.remove();
  });

  test('changes nothing until it takes over, after which the other one can change nothing', async () => {
    const { id } = await deploy(first.as('0xowner'), webSdl(2, idle));
    await waitForBed(async () => {
      expect(await runningTasks(id)).toHaveLength(2);
    });
    const before = (await runningTasks(id)).map((task) => task.id);

    // The host runs meanwhile.
    const dataDir = await mkdtemp(path.join(tmpdir(), 'hostdeck-copy-'));
    const file = path.join(first.dataDir, 'backup');
    await backUp({
      dataDir: first.dataDir,
      file,
      version: 'test',
      machineFolder: '/nowhere',
      engineVolumesOf,
    });
    await restoreBackup(file, dataDir);
    const onCopy = { ...onBed, dataDir };
    await expect(temporaryHost(onCopy)).rejects.toThrow(
      /^Another host runs the services of this data folder on the cluster: \S+ on \S+, since /,
    );

    const second = await temporaryHost({ ...onCopy, takeOver: true });
    const owner = second.as('0xowner');
    await waitForBed(async () => {
      expect((await readDeployment(owner, id)).state).toBe('active');
    });
    expect((await runningTasks(id)).map((task) => task.id)).toEqual(before);

    await waitForBed(() => {
      expect(ends).toEqual(['another host has taken over the services of this one on the cluster']);
    });
    await first.as('0xowner').call('closeDeployment', { id });
    await expect(first.again()).rejects.toThrow('start with --take-over');
    expect((await runningTasks(id)).map((task) => task.id)).toEqual(before);

    await close(owner, id);
    await second.remove();
  });
});

test.skipIf(isMissing)('the name of a config is whole', async () => {
  expect(await findConfig(client, 'hostdeck-')).toBeUndefined();
});
