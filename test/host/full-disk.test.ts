import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Host, startHost } from '../../source/host/server/serve.ts';
import { waitFor } from '../support/wait-for.ts';
import { deploy, readDeployment } from './support/bodies.ts';
import { mountableKinds, SmallDisk } from './support/small-disk.ts';
import { callerOf, idle, nodeService, sdlOf } from './support/temporary-host.ts';

const rounds = 5;

/** Writes until the disk is full, and again whenever there is space. */
const filling = nodeService(`
  const fs = require('node:fs');
  const file = fs.openSync('filling', 'a');
  const bytes = Buffer.alloc(65536, 'x');
  setInterval(() => {
    for (let size = bytes.length; size > 0; size >>= 1) {
      try { for (;;) fs.writeSync(file, bytes, 0, size); } catch {}
    }
  }, 5);
  console.log('pid', process.pid);`);

describe.each(mountableKinds())('a host on a %s file system that a service fills', (kind) => {
  it('closes that service, gets its space back, and is usable, again and again', async () => {
    const disk = SmallDisk.ofTest(kind);
    const dataDir = path.join(disk.path, 'data');
    const machineFolder = path.join(disk.path, 'machine');
    await mkdir(machineFolder);
    const host: Host = await startHost({
      dataDir,
      machineFolder,
      port: 0,
      sample: false,
      graceMs: 3000,
      trustWallets: true,
      limits: { minAmount: 0n },
    });
    onTestFinished(() => host.close());
    const owner = callerOf('0xowner', () => host);
    const before = disk.freeBytes;
    for (let round = 0; round < rounds; round += 1) {
      const { id } = await deploy(owner, sdlOf({ web: filling }));
      await waitFor(() => expect(disk.isFull()).toBe(true));
      const closed = await owner.call('closeDeployment', { id });
      expect(closed.status).toBe(200);
      // A process that remained would keep the space of its open file.
      await waitFor(() => expect(disk.freeBytes).toBeGreaterThan(before - 2 ** 20));
      expect((await readDeployment(owner, id)).state).toBe('closed');

      const { id: next } = await deploy(owner, sdlOf({ web: idle }));
      await waitFor(async () => expect((await readDeployment(owner, next)).state).toBe('active'));
      expect((await owner.call('closeDeployment', { id: next })).status).toBe(200);
    }
  });
});
