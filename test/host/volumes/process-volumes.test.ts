import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { sharedHost } from '../support/shared-host.ts';
import { nodeService, type SdlService, sdlOf } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { closeForGood } from './close-for-good.ts';
import { volumeHosts } from './volume-hosts.ts';

const data = { data: { mount: '/var/lib/data', persistent: true } };

/** Program that counts its runs in a volume, and prints the count. */
const counting = `
  const fs = require('node:fs');
  const folder = process.env.HOSTDECK_VOLUME_DATA;
  fs.appendFileSync(folder + '/runs', 'x');
  console.log('run', fs.readFileSync(folder + '/runs', 'utf8').length, 'at', folder);`;

const staying = 'setInterval(() => {}, 1000);';

const counter = (more: SdlService = {}) =>
  nodeService(`${counting} ${staying}`, { volumes: data, ...more });

describe.each(volumeHosts)('a volume of a process $name', ({ options, isolation, mounts }) => {
  const service = sharedHost({ ...options, keepClosedMs: 0 });
  const owner = service.as('0xowner');
  const stranger = service.as('0xstranger');

  const seen = async (id: string, pattern: RegExp, caller = owner): Promise<string> =>
    await waitFor(async () => {
      const line = (await readLines(caller, id)).find((each) => pattern.test(each));
      if (line === undefined) throw new Error(`no line ${pattern}`);
      return line;
    });
  const close = (id: string, caller = owner) => closeForGood(service.dataDir, caller, id);

  it('outlives crashes, restarts and hosts', async () => {
    const crashing = `${counting} if (fs.statSync(folder + '/runs').size === 1) process.exit(3); ${staying}`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(crashing, { volumes: data }) }));
    await seen(id, isolation);
    await seen(id, /^run 1 at /);
    await seen(id, /^run 2 at /);
    await owner.call('restartDeployment', { id });
    await seen(id, /^run 3 at /);
    await service.again();
    const last = await seen(id, /^run 4 at /);
    if (mounts) expect(last).toBe('run 4 at /var/lib/data');
    else expect(last).toMatch(/\/web\/1\/data$/);
    await close(id);
  });

  it('is not that of another instance or of another service', async () => {
    const sdl = sdlOf({ web: counter({ count: 2 }), api: counter() });
    const { id } = await deploy(owner, sdl);
    await waitFor(async () => {
      const lines = await readLines(owner, id);
      expect(lines.filter((line) => line.startsWith('run 1 at '))).toHaveLength(3);
    });
    expect((await readLines(owner, id)).filter((line) => line.startsWith('run 2'))).toEqual([]);
    await close(id);
  });

  it('is empty at each start unless it is persistent', async () => {
    const program = `
      const fs = require('node:fs');
      const { HOSTDECK_VOLUME_CACHE: cache, HOSTDECK_VOLUME_SHM: shm } = process.env;
      for (const folder of [cache, shm]) {
        console.log('entries', fs.readdirSync(folder).length, folder);
        fs.mkdirSync(folder + '/deep/er', { recursive: true });
        fs.symlinkSync('/etc', folder + '/link');
      }
      console.log('done'); setTimeout(() => process.exit(1), 50);`;
    const volumes = { cache: { mount: '/cache' }, shm: { mount: '/dev/shm', class: 'ram' } };
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
    await waitFor(async () => {
      const lines = await readLines(owner, id);
      expect(lines.filter((line) => line === 'done').length).toBeGreaterThanOrEqual(2);
    });
    const counts = (await readLines(owner, id)).filter((line) => line.startsWith('entries'));
    expect(new Set(counts.map((line) => line.split(' ')[1]))).toEqual(new Set(['0']));
    const isOnDisk = /^volume shm is on the disk, as there is no sandbox$/;
    expect((await readLines(owner, id)).some((line) => isOnDisk.test(line))).toBe(!mounts);
    await close(id);
  });

  it('that is read-only refuses writes, or says that it cannot', async () => {
    const program = `
      const fs = require('node:fs');
      const folder = process.env.HOSTDECK_VOLUME_CONF;
      console.log('entries', fs.readdirSync(folder).length);
      try { fs.writeFileSync(folder + '/a', ''); console.log('wrote'); }
      catch (error) { console.log('refused', error.code); }
      ${staying}`;
    const volumes = { conf: { mount: '/conf', readOnly: true, persistent: true } };
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
    await seen(id, /^entries 0$/);
    const outcome = await seen(id, /^(?:refused|wrote)/);
    if (outcome === 'wrote') await seen(id, /^volume conf is not protected from writing/);
    else expect(outcome).toMatch(mounts ? /EROFS/ : /EACCES/);
    await close(id);
  });

  it('has a variable that the definition cannot set', async () => {
    const env = ['HOSTDECK_VOLUME_DATA=/etc'];
    const { id } = await deploy(owner, sdlOf({ web: counter({ env }) }));
    await seen(id, /^run 1 at \/.*data$/);
    await close(id);
  });

  it('is removed with its deployment, with links, deep folders and names of any bytes', async () => {
    const outside = path.join(service.dataDir, 'untouched');
    const program = `
      const fs = require('node:fs');
      const folder = process.env.HOSTDECK_VOLUME_DATA;
      fs.symlinkSync('/', folder + '/root');
      fs.symlinkSync('..', folder + '/up');
      fs.symlinkSync(${JSON.stringify(outside)}, folder + '/outside');
      fs.writeFileSync(folder + '/new\\nline', 'x');
      fs.writeFileSync(Buffer.from([...Buffer.from(folder + '/'), 0xff, 0xfe]), 'x');
      fs.writeFileSync(folder + '/program', 'x');
      fs.chmodSync(folder + '/program', 0o4755);
      process.chdir(folder);
      // Deeper than the longest path.
      const name = 'deep'.repeat(50);
      for (let depth = 0; depth < 30; depth += 1) { fs.mkdirSync(name); process.chdir(name); }
      process.chdir(folder);
      fs.mkdirSync('locked'); fs.writeFileSync('locked/a', ''); fs.chmodSync('locked', 0);
      fs.chmodSync(folder, 0);
      console.log('filled', folder); ${staying}`;
    const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes: data }) }));
    const folder = (await seen(id, /^filled/)).slice('filled '.length);
    await owner.call('restartDeployment', { id });
    await seen(id, /EEXIST|EACCES/);
    await close(id);
    if (!mounts) expect(existsSync(folder)).toBe(false);
    expect((await readDeployment(owner, id)).state).toBe('closed');
    expect(readFileSync('/etc/passwd', 'utf8')).not.toBe('');
    expect(readdirSync(service.dataDir)).toContain('host.db');
  });

  it('is out of reach for the services of other wallets', async () => {
    const { id } = await deploy(owner, sdlOf({ web: counter() }));
    const at = (await seen(id, /^run 1 at/)).slice('run 1 at '.length);
    const places = [at, path.join(service.dataDir, 'deployments', id, 'volumes', 'web/1/data')];
    const program = `
      for (const folder of ${JSON.stringify(places)}) {
        try { console.log('saw', require('node:fs').readdirSync(folder).join()); }
        catch (error) { console.log('refused', error.code); }
      } ${staying}`;
    const other = await deploy(stranger, sdlOf({ web: nodeService(program) }));
    await waitFor(async () => {
      const lines = await readLines(stranger, other.id);
      expect(lines.filter((line) => /^(?:saw|refused)/.test(line))).toHaveLength(2);
    });
    const lines = await readLines(stranger, other.id);
    const isIsolated = !isolation.test('isolation: none');
    expect(lines.some((line) => line.startsWith('saw'))).toBe(!isIsolated);
    await close(id);
    await close(other.id, stranger);
  });
});
