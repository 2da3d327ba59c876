import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUp } from '../../../source/host/backup/back-up.ts';
import { defaultMachineFolder } from '../../../source/host/isolation/open-isolation.ts';
import { restoreBackup } from '../../../source/host/backup/restore-backup.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readLines } from '../support/bodies.ts';
import {
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from '../support/temporary-host.ts';
import { containerSdl } from '../runtime/engine.ts';
import { volumeHosts } from '../volumes/volume-hosts.ts';
import { engineVolumesOf } from './test-engine-volumes.ts';

/** A service that prints what it finds in its volume, and fills it and a temporary one. */
const program = `
  const fs = require('node:fs');
  const { HOSTDECK_VOLUME_DATA: data, HOSTDECK_VOLUME_CACHE: cache } = process.env;
  const modeOf = (name) => (fs.statSync(data + '/' + name).mode & 0o777).toString(8);
  console.log('cached', fs.readdirSync(cache).length);
  if (fs.existsSync(data + '/secret')) {
    console.log('found', fs.readFileSync(data + '/secret', 'utf8'), modeOf('secret'), modeOf('tool'),
      modeOf('private'), fs.readFileSync(data + '/private/deep/er', 'utf8'),
      fs.readlinkSync(data + '/link'), fs.readdirSync(data).length);
    fs.appendFileSync(data + '/secret', '!');
  } else {
    fs.mkdirSync(data + '/private/deep', { recursive: true });
    fs.chmodSync(data + '/private', 0o700);
    fs.writeFileSync(data + '/private/deep/er', 'below');
    fs.symlinkSync('/etc/' + 'long/'.repeat(40), data + '/link');
    fs.writeFileSync(data + '/tool', '', { mode: 0o751 });
    fs.chmodSync(data + '/tool', 0o751);
    fs.writeFileSync(cache + '/x', '');
    fs.writeFileSync(data + '/secret', 'precious', { mode: 0o600 });
    console.log('wrote');
  }
  setInterval(() => {}, 1000);`;

const sdl = sdlOf({
  web: nodeService(program, {
    volumes: { data: { mount: '/data', persistent: true }, cache: { mount: '/cache' } },
  }),
});

const found = `found precious 600 751 700 below /etc/${'long/'.repeat(40)} 4`;

describe.each(volumeHosts)('the volumes of services $name', ({ options, isolation }) => {
  async function start(dataDir?: string): Promise<TemporaryHost> {
    const host = await temporaryHost({ ...options, ...(dataDir === undefined ? {} : { dataDir }) });
    onTestFinished(() => host.remove());
    return host;
  }

  const seen = async (host: TemporaryHost, id: string, line: string | RegExp) =>
    await waitFor(async () => {
      const lines = await readLines(host.as('0xa'), id);
      expect(lines).toContainEqual(expect.stringMatching(line));
      return lines;
    });

  async function backUpOf(host: TemporaryHost, hasVolumes: boolean) {
    const folder = temporaryFolder();
    const file = path.join(folder, 'backup');
    const { dataDir } = host;
    const { machineFolder = defaultMachineFolder } = options;
    const summary = await backUp({
      dataDir,
      file,
      version: 'test',
      machineFolder,
      hasVolumes,
      engineVolumesOf,
    });
    const target = path.join(folder, 'restored');
    await restoreBackup(file, target);
    return { summary, target };
  }

  it.each(['while it runs', 'without a host'])(
    'are in a backup that asks for them, %s',
    async (when) => {
      const host = await start();
      const { id } = await deploy(host.as('0xa'), sdl);
      await seen(host, id, isolation);
      await seen(host, id, /^wrote$/);
      if (when === 'without a host') await host.host.close();
      const { summary, target } = await backUpOf(host, true);
      expect(summary).toMatchObject({ skipped: 0, withoutVolumes: 0, withoutEngineVolumes: 0 });
      const copy = await start(target);
      const lines = await seen(copy, id, /^found/);
      expect(lines).toContain(found);
      expect(lines.filter((line) => line.startsWith('cached'))).toEqual(['cached 0', 'cached 0']);
    },
  );

  it('are counted by a backup that does not ask for them', async () => {
    const host = await start();
    const { id } = await deploy(host.as('0xa'), sdl);
    await seen(host, id, /^wrote$/);
    const { summary, target } = await backUpOf(host, false);
    expect(summary).toMatchObject({ skipped: 0, withoutVolumes: 1, withoutEngineVolumes: 0 });
    expect(existsSync(path.join(target, 'deployments', id, 'staged'))).toBe(true);
    expect(existsSync(path.join(target, 'deployments', id, 'volumes'))).toBe(false);
  });
});

it.each([true, false])(
  'volumes of containers are counted without an engine, asked for or not (%s)',
  async (hasVolumes) => {
    const engineEnvironment = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };
    const host = await temporaryHost({ runtime: 'container', engineEnvironment });
    onTestFinished(() => host.remove());
    const volumes = { data: { mount: '/data', persistent: true } };
    await deploy(host.as('0xa'), containerSdl('sleep 100', { volumes }));
    await deploy(host.as('0xa'), containerSdl('sleep 100'));
    const file = path.join(temporaryFolder(), 'backup');
    const options = { dataDir: host.dataDir, file, version: 'test', machineFolder: '/nowhere' };
    expect(await backUp({ ...options, hasVolumes, engineVolumesOf })).toMatchObject(
      hasVolumes
        ? {
            withoutVolumes: 0,
            withoutEngineVolumes: 1,
            engineFailure: expect.stringMatching(/no container engine answers/),
          }
        : { withoutVolumes: 1, withoutEngineVolumes: 0 },
    );
  },
);
