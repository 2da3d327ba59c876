import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Host, startHost } from '../../source/host/server/serve.ts';
import { joinHost } from '../../source/host/join.ts';
import { claimDataFolder } from '../../source/host/records/data-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { deploy, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { isMountable, SmallDisk, smallDiskKinds } from './support/small-disk.ts';
import { type Caller, callerOf, idle, nodeService, sdlOf } from './support/temporary-host.ts';

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

/** Says how long its uploaded file is, and changes it where it may. */
const changing = nodeService(`
  const fs = require('node:fs');
  const length = fs.existsSync('large') ? fs.statSync('large').size : 0;
  let isChanged = false;
  try {
    fs.writeSync(fs.openSync('large', 'r+'), 'changed');
    isChanged = true;
  } catch {}
  console.log('length ' + length + ', changed ' + isChanged);
  setInterval(() => {}, 1e6);`);

/** Stores 6 MiB unless its uploaded file is there, which comes with the first restart. */
const fillingOnce = nodeService(`
  const fs = require('node:fs');
  const stores = !fs.existsSync('large');
  if (stores) fs.writeFileSync('stored', Buffer.alloc(6 * 2 ** 20, 'x'));
  console.log('stored ' + fs.existsSync('stored'));
  setInterval(() => {}, 1e6);`);

async function waitForLine(owner: Caller, id: string, line: string): Promise<void> {
  await waitFor(async () => expect(await readLines(owner, id)).toContain(line));
}

for (const kind of smallDiskKinds) {
  describe.skipIf(!isMountable(kind))(
    `a host on a ${kind} file system that a service fills`,
    () => {
      const started = async (disk: SmallDisk): Promise<Host> => {
        const machineFolder = path.join(disk.path, 'machine');
        await mkdir(machineFolder, { recursive: true });
        const host = await startHost({
          dataDir: path.join(disk.path, 'data'),
          machineFolder,
          port: 0,
          sample: false,
          graceMs: 3000,
          trustWallets: true,
          limits: { minAmount: 0n, minFreeBytes: 8 * 2 ** 20 },
        });
        onTestFinished(() => host.close());
        return host;
      };

      it('closes that service, gets its space back, and is usable, again and again', async () => {
        const disk = SmallDisk.ofTest(kind);
        const host = await started(disk);
        const owner = callerOf('0xowner', () => host);
        const before = disk.freeBytes;
        for (let round = 0; round < rounds; round += 1) {
          const { id } = await deploy(owner, sdlOf({ web: filling }));
          await waitFor(() => expect(disk.isFull()).toBe(true));
          const refused = await owner.call('createDeployment', {
            json: { sdl: sdlOf({ web: idle }) },
          });
          expect(refused.status).toBe(507);
          const closed = await owner.call('closeDeployment', { id });
          expect(closed.status).toBe(200);
          // A process that remained would keep the space of its open file.
          await waitFor(() => expect(disk.freeBytes).toBeGreaterThan(before - 2 ** 20));
          expect((await readDeployment(owner, id)).state).toBe('closed');

          const { id: next } = await deploy(owner, sdlOf({ web: idle }));
          await waitFor(async () =>
            expect((await readDeployment(owner, next)).state).toBe('active'),
          );
          expect((await owner.call('closeDeployment', { id: next })).status).toBe(200);
        }
      });

      it('starts again on the full disk, and closes the service there', async () => {
        const disk = SmallDisk.ofTest(kind);
        const first = await started(disk);
        const before = disk.freeBytes;
        const { id } = await deploy(
          callerOf('0xowner', () => first),
          sdlOf({ web: filling }),
        );
        await waitFor(() => expect(disk.isFull()).toBe(true));
        await first.close();
        disk.fill();
        const host = await started(disk);
        const owner = callerOf('0xowner', () => host);
        expect((await owner.call('closeDeployment', { id })).status).toBe(200);
        disk.empty();
        await waitFor(() => expect(disk.freeBytes).toBeGreaterThan(before - 2 ** 20));
        expect((await readDeployment(owner, id)).state).toBe('closed');
      });

      it('restarts a deployment on its new files, without room for a copy of them', async () => {
        const disk = SmallDisk.ofTest(kind);
        const host = await started(disk);
        const owner = callerOf('0xowner', () => host);
        const { id } = await deploy(owner, sdlOf({ web: changing }));
        await waitForLine(owner, id, 'length 0, changed false');
        const file = { id, name: 'web', path: 'large' };
        const content = 'x'.repeat(65_536);
        const written = await owner.call('updateFile', { ...file, json: { content } });
        expect(written.status).toBe(200);
        disk.fill();
        expect((await owner.call('restartDeployment', { id })).status).toBe(200);
        await waitFor(async () => expect((await readDeployment(owner, id)).state).toBe('active'));
        // A log takes no line on a full disk.
        disk.empty();
        await waitForLine(owner, id, 'length 65536, changed false');
        const events = (await readLines(owner, id)).filter((line) => line.includes('no room'));
        expect(events).toEqual([
          'its files are read-only until the next restart: the disk has no room for a copy of them',
        ]);
        expect((await owner.call('restartDeployment', { id })).status).toBe(200);
        await waitForLine(owner, id, 'length 65536, changed true');
        expect(fieldOf(await owner.call('getFile', file), 'file')).toMatchObject({ content });
      });

      it('restarts the service that fills the disk, without what it stored', async () => {
        const disk = SmallDisk.ofTest(kind);
        const host = await started(disk);
        const owner = callerOf('0xowner', () => host);
        const { id } = await deploy(owner, sdlOf({ web: fillingOnce }));
        const file = { id, name: 'web', path: 'large' };
        await owner.call('updateFile', { ...file, json: { content: 'x'.repeat(65_536) } });
        await waitForLine(owner, id, 'stored true');
        disk.fill();
        const free = disk.freeBytes;
        expect((await owner.call('restartDeployment', { id })).status).toBe(200);
        await waitForLine(owner, id, 'stored false');
        expect(disk.freeBytes).toBeGreaterThan(free + 4 * 2 ** 20);
        const lines = await readLines(owner, id);
        expect(lines.some((line) => line.startsWith('restarted'))).toBe(true);
        expect(lines.some((line) => line.includes('no room'))).toBe(false);
      });

      it('says that the disk is full, and how much it needs, when it starts there first', async () => {
        const disk = SmallDisk.ofTest(kind);
        await mkdir(path.join(disk.path, 'data'), { mode: 0o700 });
        await mkdir(path.join(disk.path, 'machine'));
        disk.fill();
        const failure = await started(disk).catch((error: unknown) => error);
        expect(failure).toMatchObject({
          code: 'full-disk',
          sentence: expect.stringMatching(
            /^The disk of \/.*\/data is full: \d+ KiB are free, and the host needs 8 MiB for its records and logs\.$/,
          ),
          next: expect.stringContaining('Delete other files there'),
        });
        disk.empty();
        await started(disk);
      });

      it('tells a console that the disk is full where it could not even write that', async () => {
        const disk = SmallDisk.ofTest(kind);
        const dataDir = path.join(disk.path, 'data');
        claimDataFolder(dataDir);
        disk.fill();
        const joined = await joinHost({ dataDir, spawn: () => ({ exitCode: 1 }) });
        expect(joined).toMatchObject({ ok: false, error: { code: 'full-disk' } });
      });
    },
  );
}
