import { readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploy, readLines } from '../support/bodies.ts';
import { sharedHost } from '../support/shared-host.ts';
import { nodeService, type SdlService, sdlOf } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { closeForGood } from './close-for-good.ts';
import { bare, volumeHosts } from './volume-hosts.ts';

const staying = 'setInterval(() => {}, 1000);';

describe.each(volumeHosts.filter(({ mounts }) => mounts))('a volume $name', ({ options }) => {
  const service = sharedHost({ ...options, keepClosedMs: 0 });
  const owner = service.as('0xowner');

  const run = async (program: string, volumes: SdlService['volumes'], pattern: RegExp) => {
    const sdl = sdlOf({ web: nodeService(`${program} ${staying}`, { volumes: volumes ?? {} }) });
    const { id } = await deploy(owner, sdl);
    const found = await waitFor(async () => {
      const line = (await readLines(owner, id)).find((each) => pattern.test(each));
      if (line === undefined) throw new Error(`no line ${pattern}`);
      return line;
    });
    await closeForGood(service.dataDir, owner, id);
    return found;
  };

  it('in memory has the size of its definition', async () => {
    const program = `const { bsize, blocks } = require('node:fs').statfsSync('/dev/shm');
      console.log('bytes', bsize * blocks);`;
    const volumes = { shm: { mount: '/dev/shm', class: 'ram', size: '8Mi' } };
    expect(await run(program, volumes, /^bytes/)).toBe(`bytes ${8 * 2 ** 20}`);
  });

  it('can be mounted in folders that the sandbox has, and in new ones', async () => {
    const mounts = ['/tmp/a/b', '/var/tmp/c', '/run/d', '/dev/shm/e', '/srv/me', '/a b/ü'];
    const volumes = Object.fromEntries(
      mounts.map((mount, index) => [`v${index}`, { mount, persistent: index % 2 === 0 }]),
    );
    const program = `
      const fs = require('node:fs');
      const mounts = ${JSON.stringify(mounts)};
      for (const mount of mounts) fs.writeFileSync(mount + '/file', 'x');
      console.log('wrote', mounts.length);`;
    expect(await run(program, volumes, /^wrote/)).toBe(`wrote ${mounts.length}`);
  });

  it('that would hide the programs of the machine is refused at the start', async () => {
    const volumes = { data: { mount: path.dirname(process.execPath) } };
    expect(await run('', volumes, /^cannot start/)).toBe(
      `cannot start: can't mount a volume at ${volumes.data.mount}, as ${volumes.data.mount} has programs; mount it elsewhere`,
    );
  });
});

describe(`a volume ${bare.name}`, () => {
  const service = sharedHost({ ...bare.options, keepClosedMs: 0 });
  const owner = service.as('0xowner');

  it('is not followed elsewhere when a service replaces its folder by a link', async () => {
    const elsewhere = path.join(service.dataDir, 'elsewhere');
    const program = `
      const fs = require('node:fs');
      const folder = process.env.HOSTDECK_VOLUME_DATA;
      fs.mkdirSync(${JSON.stringify(elsewhere)}, { recursive: true });
      fs.writeFileSync(${JSON.stringify(path.join(elsewhere, 'kept'))}, 'x');
      fs.rmSync(folder, { recursive: true });
      fs.symlinkSync(${JSON.stringify(elsewhere)}, folder);
      process.exit(0);`;
    const volumes = { data: { mount: '/data', persistent: true } };
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
    await waitFor(async () => {
      expect(await readLines(owner, id)).toContain(
        'cannot start: volume data: its folder was replaced by a file or a link; move the folder back',
      );
    });
    await closeForGood(service.dataDir, owner, id);
    expect(readdirSync(elsewhere)).toEqual(['kept']);
  });

  it('keeps its service from starting when a file is at the place of a folder above it', async () => {
    const volumes = { data: { mount: '/data', persistent: true } };
    const program = `
      const path = require('node:path');
      const parent = path.dirname(process.env.HOSTDECK_VOLUME_DATA);
      require('node:fs').rmSync(parent, { recursive: true });
      require('node:fs').writeFileSync(parent, '');
      process.exit(0);`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
    await waitFor(async () => {
      const lines = await readLines(owner, id);
      expect(lines.some((line) => line.startsWith('cannot start: volume data: its'))).toBe(true);
    });
    await closeForGood(service.dataDir, owner, id);
  });
});
