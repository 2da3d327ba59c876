import { existsSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { nodeService } from '../support/temporary-host.ts';
import type { RunningHost } from './running-host.ts';
import { filesCalled, machineRuns, snapshotOf } from './folders.ts';
import { close, deployService, linesWith } from './hostile-services.ts';

/** Names of the service's files and of the victim's, so that following a link would remove one. */
const names = Array.from({ length: 20 }, (_, index) => String(index));

export function testTrees(running: () => RunningHost): void {
  /** A folder of the host's user that no service may touch. */
  let victim: string;
  let before: readonly string[];

  beforeAll(() => {
    const { host } = running();
    for (const name of names) host.write(`victim/${name}`, 0o644);
    victim = path.join(host.folder, 'victim');
    before = snapshotOf(victim);
  });

  it('cannot make the host follow links, or block it with its files', async () => {
    const { host } = running();
    const { owner, dataDir } = host;
    const mark = `mark-${host.pid}`;
    const script = `
      ln -s ${dataDir}/local-token token; ln -s ${dataDir} data; ln -s ${victim} victim
      ln -s ../../../../../.. up; ln -s . loop; ln -s loop/loop loop2; ln -s /dev/zero zero
      mkfifo fifo; mkdir -p closed/inside; : > closed/inside/file; chmod 0 closed/inside closed
      printf 'x' > "$(printf 'a\\033[2J\\nb')"; ln -s token "$(printf 'c\\nd')"
      folder=deep; for i in $(seq 300); do folder=$folder/deep; done; mkdir -p $folder
      : > ${mark}; echo made; exec sleep 120`;
    const id = await deployService(owner, { command: ['/bin/sh', '-c', script] });
    await linesWith(owner, id, 'made');
    const marks = () => [...filesCalled(mark, dataDir), ...filesCalled(mark, machineRuns)];
    const [first = ''] = marks();
    expect(first).not.toBe('');
    const listed = await owner.call('listFiles', { id, name: 'web' });
    expect(listed.body).toMatchObject({ files: [] });
    for (const file of [
      'token',
      'data/local-token',
      'up/local-token',
      'zero',
      'fifo',
      'victim/0',
    ]) {
      const { status } = await owner.call('getFile', { id, name: 'web', path: file });
      expect([file, status]).toEqual([file, 404]);
      await owner.call('deleteFile', { id, name: 'web', path: file });
    }
    const json = { content: 'changed' };
    for (const file of ['victim/0', 'data/hostile']) {
      await owner.call('updateFile', { id, name: 'web', path: file, json });
    }
    expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    await linesWith(owner, id, 'made', 2);
    await waitFor(() => expect(existsSync(path.dirname(first))).toBe(false));
    await close(owner, id);
    expect(existsSync(path.join(dataDir, 'hostile'))).toBe(false);
    expect(snapshotOf(victim)).toEqual(before);
  });

  it('wins no race of links against operations of the host', async () => {
    const { host } = running();
    const { owner, dataDir } = host;
    const program = `
      const fs = require('node:fs');
      const race = () => {
        for (;;) try {
          fs.mkdirSync('a'); for (let i = 0; i < 20; i += 1) fs.writeFileSync('a/' + i, '');
          fs.renameSync('a', 'b'); fs.symlinkSync(${JSON.stringify(victim)}, 'a');
          fs.rmSync('b', { recursive: true }); fs.unlinkSync('a');
        } catch (error) {
          try { fs.rmSync('a', { recursive: true, force: true }); fs.rmSync('b', { recursive: true, force: true }) } catch {}
          if (error.code === 'ENOENT' && !fs.existsSync('.')) process.exit();
        }
      };
      process.on('SIGTERM', () => {});
      console.log('racing'); race();`;
    const id = await deployService(owner, nodeService(program));
    for (const restart of [1, 2]) {
      await linesWith(owner, id, 'racing', restart);
      await owner.call('updateFile', {
        id,
        name: 'web',
        path: 'a/0',
        json: { content: `${restart}` },
      });
      expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    }
    await linesWith(owner, id, 'racing', 3);
    await close(owner, id);
    expect(snapshotOf(victim)).toEqual(before);
    expect(existsSync(dataDir)).toBe(true);
  });
}
