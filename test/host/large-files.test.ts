import { mkdir, open, readFile, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routePath } from '../../source/contract/routes.ts';
import { forEachConcurrently } from '../../source/host/files/disk.ts';
import { deploy, fieldOf } from './support/bodies.ts';
import { HostFolder, serving } from './support/host-folder.ts';
import { type Caller, idle, sdlOf } from './support/temporary-host.ts';

const mebibyte = 2 ** 20;
const files = 12_000;

let folder: HostFolder;
let owner: Caller;
let baseUrl: string;
let pid: number;
let id: string;
let staged: string;

beforeAll(async () => {
  folder = await HostFolder.make();
  pid = folder.run(serving).pid ?? 0;
  owner = await folder.caller();
  ({ baseUrl } = await folder.hello());
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
  staged = path.join(folder.dataDir, 'deployments', id, 'staged', 'web');
});

afterAll(() => folder.remove());

/** Returns the host's current and peak memory in MiB. */
async function memory(): Promise<{ readonly now: number; readonly most: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1');
  const kilobytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]);
  return { now: kilobytes('VmRSS') / 1024, most: kilobytes('VmHWM') / 1024 };
}

async function raw(file: string) {
  const url = new URL(routePath('getFile', { id, name: 'web', path: file }), baseUrl);
  return await request(url, {
    headers: { authorization: `Bearer ${owner.token}`, accept: 'application/octet-stream' },
  });
}

describe.runIf(process.platform === 'linux')('the host', { timeout: 120_000 }, () => {
  it('sends a file of 160 MiB in little memory', async () => {
    const size = 160 * mebibyte;
    await writeFile(path.join(staged, 'sparse.img'), '');
    await truncate(path.join(staged, 'sparse.img'), size);
    const before = await memory();
    const { statusCode, headers, body } = await raw('sparse.img');
    let received = 0;
    for await (const piece of body) received += (piece as Buffer).length;
    expect({ statusCode, length: headers['content-length'], received }).toEqual({
      statusCode: 200,
      length: String(size),
      received: size,
    });
    expect((await memory()).most - before.now).toBeLessThan(96);
  });

  it('aborts the response when a file is truncated while it is sent', async () => {
    const size = 64 * mebibyte;
    const file = path.join(staged, 'shortened.img');
    await writeFile(file, '');
    await truncate(file, size);
    const { body } = await raw('shortened.img');
    const reading = (async () => {
      for await (const piece of body)
        if ((piece as Buffer).length > 0) await truncate(file, mebibyte);
    })();
    await expect(reading).rejects.toThrow();
    await owner.call('deleteFile', { id, name: 'web', path: 'shortened.img' });
  });

  it(`lists ${files} files in little memory`, async () => {
    await owner.call('deleteFile', { id, name: 'web', path: 'sparse.img' });
    const names = Array.from(
      { length: files },
      (_, index) => `folder-${index % 100}/file-${index}`,
    );
    for (let index = 0; index < 100; index += 1) await mkdir(path.join(staged, `folder-${index}`));
    await forEachConcurrently(names, async (name) => {
      await (await open(path.join(staged, name), 'w')).close();
    });
    const before = await memory();
    const answer = await owner.call('listFiles', { id, name: 'web' });
    const listed = (fieldOf(answer, 'files') as readonly { readonly path: string }[]).map(
      (file) => file.path,
    );
    expect(listed).toEqual(names.sort());
    const grown = (await memory()).most - before.now;
    expect(grown).toBeLessThan(96);
  });
});
