import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { VolumeFolders } from '../../../source/host/volumes/volume-folders.ts';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readLines } from '../support/bodies.ts';
import { nodeService, sdlOf, temporaryHost } from '../support/temporary-host.ts';
import { closeForGood } from './close-for-good.ts';
import { volumeHosts } from './volume-hosts.ts';

const kinds = volumeHosts.filter(({ name }) => name !== 'without isolation');

describe('volumes of a host that is started with other isolation', () => {
  it.each(kinds.flatMap((from) => kinds.map((to) => [from.name, to.name, from, to] as const)))(
    'keep their content, from one %s to one %s',
    async (_from, _to, from, to) => {
      const service = await temporaryHost({ ...from.options, keepClosedMs: 0 });
      onTestFinished(() => service.remove());
      const owner = service.as('0xowner');
      const program = `
        const fs = require('node:fs');
        const folder = process.env.HOSTDECK_VOLUME_DATA;
        fs.appendFileSync(folder + '/runs', 'x');
        console.log('run', fs.readFileSync(folder + '/runs', 'utf8').length);
        setInterval(() => {}, 1000);`;
      const volumes = { data: { mount: '/data', persistent: true } };
      const { id } = await deploy(owner, sdlOf({ web: nodeService(program, { volumes }) }));
      const seen = (line: string) =>
        waitFor(async () => expect(await readLines(owner, id)).toContain(line));
      await seen('run 1');
      await service.again({ ...to.options, keepClosedMs: 0 });
      await seen('run 2');
      await service.again({ ...from.options, keepClosedMs: 0 });
      await seen('run 3');
      await closeForGood(service.dataDir, owner, id);
    },
  );
});

/** Another file system than that of the data folder here, which is no temporary one, as those may be on it. */
const otherFileSystem = '/dev/shm';

describe('volumes on another file system', () => {
  const folders = () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), 'hostdeck-test-'));
    const outside = mkdtempSync(`${otherFileSystem}/hostdeck-test-`);
    onTestFinished(() => {
      for (const each of [dataDir, outside]) rmSync(each, { recursive: true });
    });
    const volume = path.join(dataDir, 'deployments/d/volumes/web/1/data');
    mkdirSync(volume, { recursive: true });
    return { dataDir, outside, volume };
  };

  it('are moved with links, modes and names of any bytes', async () => {
    const { dataDir, outside, volume } = folders();
    writeFileSync(`${volume}/one`, 'content');
    linkSync(`${volume}/one`, `${volume}/two`);
    chmodSync(`${volume}/one`, 0o4751);
    symlinkSync('/etc/passwd', `${volume}/link`);
    writeFileSync(Buffer.from([...Buffer.from(`${volume}/`), 0xff]), '');
    await new VolumeFolders(dataDir, { folder: outside, isUsed: true }).migrate('d');
    const moved = path.join(outside, 'd/web/1/data');
    expect(readdirSync(moved)).toHaveLength(4);
    expect(readlinkSync(`${moved}/link`)).toBe('/etc/passwd');
    expect(lstatSync(`${moved}/one`).mode & 0o7777).toBe(0o4751);
    expect(lstatSync(`${moved}/one`).ino).toBe(lstatSync(`${moved}/two`).ino);
    expect(readdirSync(path.join(dataDir, 'deployments/d'))).toEqual([]);
    expect(readdirSync(outside)).toEqual(['d']);
    await new VolumeFolders(dataDir, { folder: outside, isUsed: false }).migrate('d');
    expect(readFileSync(`${volume}/two`, 'utf8')).toBe('content');
    expect(readdirSync(outside)).toEqual([]);
  });

  it('are moved again after a kill during the copy, and kept after one behind it', async () => {
    const { dataDir, outside, volume } = folders();
    writeFileSync(`${volume}/one`, 'content');
    mkdirSync(path.join(outside, 'd.moving/half'), { recursive: true });
    const used = new VolumeFolders(dataDir, { folder: outside, isUsed: true });
    await used.migrate('d');
    expect(readdirSync(outside)).toEqual(['d']);
    mkdirSync(volume, { recursive: true });
    await used.migrate('d');
    expect(readFileSync(path.join(outside, 'd/web/1/data/one'), 'utf8')).toBe('content');
    expect(existsSync(volume)).toBe(false);
    await used.removeExternal('d');
    expect(readdirSync(outside)).toEqual([]);
  });
});
