import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { deploy, errorIn, readLines } from './bodies.ts';
import { sharedHost } from './shared-host.ts';
import { formOf, idle, nodeService, sdlOf } from './temporary-host.ts';
import { waitFor } from '../wait-for.ts';

const service = sharedHost();
const owner = service.as('0xowner');
let outside: string;

beforeAll(async () => {
  outside = path.join(service.dataDir, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret'), 'secret');
});

const staged = (id: string) => path.join(service.dataDir, 'deployments', id, 'staged', 'web');

/** Puts a link in the place of a folder of its own staged tree, and back, without end. */
const swapping = nodeService(
  `const fs = require('fs');
   const staged = '../../../staged/web/';
   fs.mkdirSync(staged + 'folder/deep', { recursive: true });
   console.log('swapping');
   const swap = () => {
     for (let n = 0; n < 200; n += 1) {
       for (const step of [
         () => fs.renameSync(staged + 'folder', staged + 'aside'),
         () => fs.symlinkSync(process.env.OUTSIDE, staged + 'folder'),
         () => fs.unlinkSync(staged + 'folder'),
         () => fs.renameSync(staged + 'aside', staged + 'folder'),
         () => fs.mkdirSync(staged + 'folder', { recursive: true }),
       ]) try { step(); } catch {}
     }
     setImmediate(swap);
   };
   swap();`,
);

describe('a link that a service puts', () => {
  it('into its tree while files are read and written leads nowhere', async () => {
    const { id } = await deploy(
      owner,
      sdlOf({ web: { ...swapping, env: [`OUTSIDE=${outside}`] } }),
    );
    await waitFor(async () => expect(await readLines(owner, id)).toContain('swapping'));
    const place = { id, name: 'web' };
    const statuses = new Set<number>();
    const work = async (worker: number) => {
      for (let round = 0; round < 30; round += 1) {
        const file = `folder/${worker}-${round}`;
        const answers = [
          await owner.call('updateFile', { ...place, path: file, json: { content: 'x' } }),
          await owner.call('getFile', { ...place, path: 'folder/secret' }),
          await owner.call('uploadFiles', { ...place, form: formOf({ 'folder/a': '', b: '' }) }),
          await owner.call('renameFile', {
            ...place,
            json: { oldPath: file, newPath: 'folder/n' },
          }),
          await owner.call('deleteFile', { ...place, path: 'folder/secret' }),
          await owner.call('updateFile', { ...place, path: 'folder/m/n', json: { content: '' } }),
          await owner.call('listFiles', place),
        ];
        for (const { status, body } of answers) {
          statuses.add(status);
          expect(JSON.stringify(body)).not.toMatch(/"content":"secret"|folder\/secret","size"/);
        }
      }
    };
    await Promise.all([work(0), work(1), work(2), work(3)]);
    expect(await readdir(outside)).toEqual(['secret']);
    expect(await readFile(path.join(outside, 'secret'), 'utf8')).toBe('secret');
    // What vanishes under the host's hands is its caller's affair, not the host's.
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    await owner.call('closeDeployment', { id });
  });

  it('in the place of its whole tree is refused', async () => {
    const program = `const fs = require('fs');
      fs.rmSync('../../../staged/web', { recursive: true });
      fs.symlinkSync(process.env.OUTSIDE, '../../../staged/web');
      console.log('put');
      setInterval(() => {}, 1000);`;
    const { id } = await deploy(
      owner,
      sdlOf({ web: { ...nodeService(program), env: [`OUTSIDE=${outside}`] } }),
    );
    await waitFor(async () => expect(await readLines(owner, id)).toContain('put'));
    const file = { id, name: 'web', path: 'secret' };
    expect(errorIn(await owner.call('getFile', file)).status).toBe(404);
    for (const answer of [
      await owner.call('updateFile', { ...file, json: { content: 'x' } }),
      await owner.call('deleteFile', file),
      await owner.call('listFiles', file),
      await owner.call('uploadFiles', { ...file, form: formOf({ a: 'x' }) }),
      await owner.call('renameFile', { ...file, json: { oldPath: 'secret', newPath: 'b' } }),
    ]) {
      expect(errorIn(answer)).toMatchObject({ status: 409, code: 'conflict' });
    }
    expect(await readdir(outside)).toEqual(['secret']);
    await owner.call('closeDeployment', { id });
  });

  it('into its tree is not carried into what a restart runs', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await symlink(outside, path.join(staged(id), 'folder'));
    await symlink(path.join(outside, 'secret'), path.join(staged(id), 'file'));
    await writeFile(path.join(staged(id), 'plain'), 'x');
    expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    const run = path.join(service.dataDir, 'deployments', id, 'runs', '2', 'web');
    expect(await readdir(run)).toEqual(['plain']);
    await owner.call('closeDeployment', { id });
  });
});
