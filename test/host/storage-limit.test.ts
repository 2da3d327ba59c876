import { describe, expect, it } from 'vitest';
import { waitFor } from '../support/wait-for.ts';
import { closeForGood } from './volumes/close-for-good.ts';
import { containerSdl, sayWhySkipped, testEngine } from './runtime/engine.ts';
import { deploy, readDeployment, readLines } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { nodeService, sdlOf, type SdlService } from './support/temporary-host.ts';

const sentence =
  'uses more than its 4 MiB of storage (storage.size), so it is stopped; ' +
  'a restart begins with the uploaded files';

const resources = { storage: { size: '4Mi' } };

/** Returns an SDL whose services may each use 4 MiB. */
function limitedSdl(services: Readonly<Record<string, SdlService>>): string {
  const sdl = JSON.parse(sdlOf(services)) as {
    readonly profiles: { readonly compute: Record<string, { resources: unknown }> };
  };
  for (const profile of Object.values(sdl.profiles.compute)) profile.resources = resources;
  return JSON.stringify(sdl);
}

/** A service that keeps a file of this size. */
const storing = (mebibytes: number) =>
  nodeService(`const { writeFileSync } = require('node:fs');
    writeFileSync('stored', Buffer.alloc(${mebibytes} * 2 ** 20, 'x'));
    console.log('stored'); setInterval(() => {}, 1e3)`);

describe('a service with storage.size as a process', () => {
  const service = sharedHost();
  const owner = service.as('0xowner');

  it('is stopped above it with the reason, and its neighbour goes on', async () => {
    const { id } = await deploy(owner, limitedSdl({ web: storing(6), other: storing(3) }));
    const services = await waitFor(async () => {
      const deployment = await readDeployment(owner, id);
      expect(deployment.services).toMatchObject([
        { name: 'web', state: 'failed', running: 0, reason: sentence },
        { name: 'other', state: 'active', running: 1 },
      ]);
      return deployment.services;
    });
    expect(services[1]).not.toHaveProperty('reason');
    const lines = await readLines(owner, id, { service: 'web' });
    expect(lines.slice(-2)).toEqual([sentence, 'stopped']);
  });

  it('starts again at a restart, without what it stored', async () => {
    const once = nodeService(`const { existsSync, writeFileSync } = require('node:fs');
      console.log('finds', existsSync('stored'));
      writeFileSync('stored', Buffer.alloc(6 * 2 ** 20, 'x')); setInterval(() => {}, 1e3)`);
    const { id } = await deploy(owner, limitedSdl({ web: once }));
    for (let round = 1; round <= 2; round += 1) {
      await waitFor(async () => {
        const lines = await readLines(owner, id);
        expect(lines.filter((line) => line === sentence)).toHaveLength(round);
        expect(lines.filter((line) => line === 'finds false')).toHaveLength(round);
      });
      await owner.call('restartDeployment', { id });
    }
  });

  it('with several instances in the same files may use it for each', async () => {
    const { id } = await deploy(owner, limitedSdl({ web: { ...storing(6), count: 2 } }));
    const { id: larger } = await deploy(owner, limitedSdl({ web: { ...storing(9), count: 2 } }));
    await waitFor(async () => {
      const { services } = await readDeployment(owner, larger);
      expect(services).toMatchObject([{ state: 'failed', running: 0 }]);
    });
    expect((await readDeployment(owner, id)).state).toBe('active');
  });
});

const data = { data: { mount: '/data', size: '4Mi', persistent: true } };

/** A service that adds a file of 6 MiB to its volume at the first two starts. */
const adding = nodeService(
  `const { readdirSync, rmSync, writeFileSync } = require('node:fs');
    const folder = process.env.HOSTDECK_VOLUME_DATA;
    const names = readdirSync(folder);
    console.log('finds', names.length);
    if (names.length < 2) writeFileSync(folder + '/' + names.length, Buffer.alloc(6 * 2 ** 20, 'x'));
    else rmSync(folder + '/0');
    setInterval(() => {}, 1e3)`,
  { volumes: data },
);

describe('a service with a volume above its size', () => {
  const service = sharedHost({ keepClosedMs: 0 });
  const owner = service.as('0xowner');

  it('is stopped with the reason, and after a restart only if the volume grows', async () => {
    const reason =
      'uses more than the 4 MiB of its volume data (storage.size), so it is stopped; ' +
      'after a restart it can free space, and is stopped again if the volume grows';
    const { id } = await deploy(
      owner,
      sdlOf({ web: adding, other: nodeService('setInterval(() => {}, 1e3)', { volumes: data }) }),
    );
    for (const round of [1, 2]) {
      await waitFor(async () => {
        const { services } = await readDeployment(owner, id);
        expect(services).toMatchObject([
          { name: 'web', state: 'failed', reason },
          { name: 'other', state: 'active' },
        ]);
        const lines = await readLines(owner, id, { service: 'web' });
        expect(lines.filter((line) => line === reason)).toHaveLength(round);
      });
      await owner.call('restartDeployment', { id });
    }
    await waitFor(async () => {
      expect(await readLines(owner, id, { service: 'web' })).toContain('finds 2');
      expect((await readDeployment(owner, id)).state).toBe('active');
    });
    await closeForGood(service.dataDir, owner, id);
  });

  it('goes on after a restart of the host, and is stopped again only if it grows', async () => {
    const growing = nodeService(
      `const { readdirSync, writeFileSync } = require('node:fs');
        const folder = process.env.HOSTDECK_VOLUME_DATA;
        const count = readdirSync(folder).length;
        console.log('adds', count);
        writeFileSync(folder + '/' + count, Buffer.alloc(6 * 2 ** 20, 'x'));
        setInterval(() => {}, 1e3)`,
      { volumes: data },
    );
    const { id } = await deploy(owner, sdlOf({ web: growing }));
    const stopped = async (times: number) =>
      await waitFor(async () => {
        const lines = await readLines(owner, id, { service: 'web' });
        expect(lines.filter((line) => line.startsWith('uses more than'))).toHaveLength(times);
        return lines.filter((line) => /^adds|^uses/u.test(line)).map((line) => line.slice(0, 6));
      });
    await stopped(1);
    await service.again();
    expect(await stopped(2)).toEqual(['adds 0', 'uses m', 'adds 1', 'uses m']);
    await closeForGood(service.dataDir, owner, id);
  });

  it('that is empty at each start says so', async () => {
    const filling = nodeService(
      `require('node:fs').writeFileSync(process.env.HOSTDECK_VOLUME_CACHE + '/x', Buffer.alloc(6 * 2 ** 20));
      setInterval(() => {}, 1e3)`,
      { volumes: { cache: { mount: '/cache', size: '4Mi' } } },
    );
    const { id } = await deploy(owner, sdlOf({ web: filling }));
    await waitFor(async () => {
      expect((await readDeployment(owner, id)).services).toMatchObject([
        {
          state: 'failed',
          reason: expect.stringMatching(
            /^uses more than the 4 MiB of its volume cache .* a restart empties the volume$/,
          ),
        },
      ]);
    });
    await closeForGood(service.dataDir, owner, id);
  });
});

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

describe.skipIf('missing' in found)('a service with storage.size as a container', () => {
  const service = sharedHost({ runtime: 'container' });
  const owner = service.as('0xowner');

  it('is stopped above it with the reason, and goes on below it', async () => {
    const script = (mebibytes: number) =>
      `trap "exit 0" TERM; dd if=/dev/zero of=/stored bs=1M count=${mebibytes}; while :; do sleep 0.1; done`;
    const { id: small } = await deploy(owner, containerSdl(script(2), { resources }));
    const { id } = await deploy(owner, containerSdl(script(6), { resources }));
    await waitFor(async () => expect((await readDeployment(owner, id)).state).toBe('failed'));
    expect((await readDeployment(owner, id)).services).toMatchObject([{ reason: sentence }]);
    expect(await readLines(owner, id)).toContain(sentence);
    expect((await readDeployment(owner, small)).state).toBe('active');
  });
});
