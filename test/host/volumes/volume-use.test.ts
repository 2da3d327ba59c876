import { mkdirSync, symlinkSync, linkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import {
  measureFolder,
  VolumeUse,
  type VolumeUseParts,
} from '../../../source/host/volumes/volume-use.ts';
import { VolumeFolders } from '../../../source/host/volumes/volume-folders.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readDeployment } from '../support/bodies.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { sharedHost } from '../support/shared-host.ts';
import { idle, nodeService, sdlOf } from '../support/temporary-host.ts';
import { closeForGood } from './close-for-good.ts';

const volumes = {
  data: { mount: '/data', persistent: true },
  cache: { mount: '/cache' },
};

function servicesOf(count: number) {
  const parsed = parseSdl(sdlOf({ web: { ...idle, volumes, count } }));
  if (!parsed.ok) throw new Error('the definition is invalid');
  return parsed.definition.services;
}

/** Measures a deployment `d` with an instance count, on a manual clock. */
function measuring(count: number, more: Partial<VolumeUseParts> = {}) {
  const clock = new ManualClock();
  const changed: string[] = [];
  const failures: unknown[] = [];
  const services = servicesOf(count);
  const use = new VolumeUse({
    clock,
    listOpen: () => [{ id: 'd', services }],
    folders: new VolumeFolders(temporaryFolder()),
    measureFolder: async () => await Promise.resolve(1000),
    measureEngine: async () => await Promise.resolve(() => undefined),
    onChange: (id) => changed.push(id),
    onFailure: (error) => failures.push(error),
    ...more,
  });
  return { clock, changed, failures, use, bytes: () => use.bytes('d', 'web', 'data') };
}

describe('the use of volumes', () => {
  it('is the sum over all instances, and changes are reported once', async () => {
    const measured: string[] = [];
    const { use, changed, clock, bytes } = measuring(3, {
      measureFolder: async (folder) => {
        measured.push(folder);
        return await Promise.resolve(1000);
      },
    });
    expect(bytes()).toBeUndefined();
    use.start();
    await waitFor(() => expect(bytes()).toBe(3000));
    expect(use.bytes('d', 'web', 'cache')).toBeUndefined();
    expect(measured.map((folder) => folder.split('/').slice(-5).join('/'))).toEqual(
      [1, 2, 3].map((instance) => `d/volumes/web/${instance}/data`),
    );
    await waitFor(() => {
      clock.advance(10_000);
      expect(measured.length).toBeGreaterThanOrEqual(6);
    });
    await use.stop();
    expect(changed).toEqual(['d']);
  });

  it('keeps its last value while a volume cannot be measured', async () => {
    const results = [1000, undefined, 3000];
    let passes = 0;
    const { use, clock, bytes } = measuring(1, {
      measureFolder: async () => {
        passes += 1;
        return await Promise.resolve(results[passes - 1]);
      },
    });
    use.start();
    await waitFor(() => expect(bytes()).toBe(1000));
    await waitFor(() => {
      clock.advance(10_000);
      expect(passes).toBeGreaterThanOrEqual(2);
    });
    expect([1000, 3000]).toContain(bytes());
    await waitFor(() => {
      clock.advance(10_000);
      expect(bytes()).toBe(3000);
    });
    await use.stop();
  });

  it('is measured for a small share of the time only', async () => {
    let passes = 0;
    const parts = measuring(1, {
      measureFolder: async () => {
        passes += 1;
        // The measurement takes a minute.
        parts.clock.leap(60_000);
        return await Promise.resolve(1);
      },
    });
    parts.use.start();
    await waitFor(() => expect(parts.bytes()).toBe(1));
    await new Promise(setImmediate);
    parts.clock.advance(19 * 60_000);
    await new Promise(setImmediate);
    expect(passes).toBe(1);
    parts.clock.advance(2 * 60_000);
    await waitFor(() => expect(passes).toBe(2));
    await parts.use.stop();
  });

  it('goes on after a failure', async () => {
    let isFailing = true;
    const { use, clock, failures, bytes } = measuring(1, {
      measureFolder: async () => {
        if (isFailing) throw new Error('no descriptor');
        return await Promise.resolve(5);
      },
    });
    use.start();
    await waitFor(() => expect(failures).toHaveLength(1));
    isFailing = false;
    await waitFor(() => {
      clock.advance(10_000);
      expect(bytes()).toBe(5);
    });
    await use.stop();
  });
});

it('the end of a host does not wait for a measurement', async () => {
  let cancelled = 0;
  const { use, failures } = measuring(1, {
    measureFolder: async (_folder, signal) =>
      await new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          cancelled += 1;
          resolve(undefined);
        });
      }),
  });
  use.start();
  await new Promise(setImmediate);
  await use.stop();
  expect(cancelled).toBe(1);
  expect(failures).toEqual([]);
});

describe('the size of a folder', () => {
  it('is unknown when its measurement is cancelled', async () => {
    expect(await measureFolder('/usr', AbortSignal.abort())).toBeUndefined();
  });

  it('counts files with several names once, and follows no link', async () => {
    const outside = temporaryFolder();
    writeFileSync(`${outside}/large`, Buffer.alloc(8_000_000, 1));
    const folder = `${temporaryFolder()}/new\nline`;
    mkdirSync(`${folder}/deep`, { recursive: true });
    writeFileSync(`${folder}/one`, Buffer.alloc(1_000_000, 1));
    linkSync(`${folder}/one`, `${folder}/deep/two`);
    symlinkSync(outside, `${folder}/link`);
    symlinkSync('/', `${folder}/root`);
    const bytes = await measureFolder(folder);
    expect(bytes).toBeGreaterThanOrEqual(1_000_000);
    expect(bytes).toBeLessThan(1_200_000);
  });

  it('is unknown for a missing folder', async () => {
    expect(await measureFolder(`${temporaryFolder()}/missing`)).toBeUndefined();
  });

  it('is not that of the target when the folder is a link', async () => {
    const folder = temporaryFolder();
    mkdirSync(`${folder}/target`);
    writeFileSync(`${folder}/target/large`, Buffer.alloc(8_000_000, 1));
    symlinkSync('target', `${folder}/link`);
    expect(await measureFolder(`${folder}/link`)).toBeLessThan(100_000);
  });
});

describe('a deployment with volumes', () => {
  const service = sharedHost({ keepClosedMs: 0 });
  const owner = service.as('0xowner');

  it('has their use in its record, and in lists', async () => {
    const program = `require('node:fs').writeFileSync(
      process.env.HOSTDECK_VOLUME_DATA + '/file', Buffer.alloc(2_000_000, 1));
      setInterval(() => {}, 1000);`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
    const usedNow = async () => (await readDeployment(owner, id)).services[0]?.volumes?.[0]?.used;
    await waitFor(async () => expect(await usedNow()).toBeGreaterThanOrEqual(2_000_000));
    const { body } = await owner.call('listDeployments');
    expect(body).toMatchObject({
      deployments: [
        {
          services: [
            {
              volumes: [
                {
                  name: 'data',
                  mount: '/data',
                  readOnly: false,
                  kind: 'persistent',
                  size: 2 ** 30,
                  used: await usedNow(),
                },
                { name: 'cache', mount: '/cache', kind: 'temporary' },
              ],
            },
          ],
        },
      ],
    });
    await closeForGood(service.dataDir, owner, id);
  });
});
