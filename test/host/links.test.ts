import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deploy, errorIn } from './support/bodies.ts';
import { runsOf } from './support/run-folders.ts';
import { sharedHost } from './support/shared-host.ts';
import { formOf, idle, sdlOf } from './support/temporary-host.ts';

const service = sharedHost();
const owner = service.as('0xowner');
let outside: string;

beforeAll(async () => {
  outside = path.join(service.dataDir, 'outside');
  await mkdir(outside);
  await writeFile(path.join(outside, 'secret'), 'secret');
});

const staged = (id: string) => path.join(service.dataDir, 'deployments', id, 'staged', 'web');

/** Program that keeps replacing a folder of a staged tree with a link, and back. */
const swapping = `const fs = require('fs');
   const staged = process.env.STAGED + '/';
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
   swap();`;

/**
 * Runs a program on the staged tree of a deployment, as a service without isolation could, until
 * the test ends. Resolves after its first output.
 */
async function meddle(program: string, id: string, said: string): Promise<void> {
  const env = { ...process.env, STAGED: staged(id), OUTSIDE: outside };
  const child = spawn(process.execPath, ['-e', program], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(async () => {
    child.kill('SIGKILL');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  expect(line.toString().trim()).toBe(said);
}

describe('a link that another program creates', () => {
  it('in the tree during reads and writes is never followed', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await meddle(swapping, id, 'swapping');
    const place = { id, name: 'web' };
    const statuses = new Set<number>();
    const work = async (worker: number) => {
      for (let round = 0; round < 12; round += 1) {
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
    // Files that vanish during a request are not internal errors of the host.
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
    await owner.call('closeDeployment', { id });
  });

  it('in place of the whole tree is refused', async () => {
    const program = `const fs = require('fs');
      fs.rmSync(process.env.STAGED, { recursive: true });
      fs.symlinkSync(process.env.OUTSIDE, process.env.STAGED);
      console.log('put');`;
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await meddle(program, id, 'put');
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

  it('in the tree is not copied into a new generation', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await symlink(outside, path.join(staged(id), 'folder'));
    await symlink(path.join(outside, 'secret'), path.join(staged(id), 'file'));
    await writeFile(path.join(staged(id), 'plain'), 'x');
    expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    const run = path.join(runsOf(service.dataDir, id), '2', 'web');
    expect(await readdir(run)).toEqual(['plain']);
    await owner.call('closeDeployment', { id });
  });
});
