import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deploy, errorIn, fieldOf } from './support/bodies.ts';
import { HostFolder, serving } from './support/host-folder.ts';
import { type Caller, type CallOptions, idle, sdlOf } from './support/temporary-host.ts';

/** True when this process can read files without read permission, as root usually can. */
const asAnyone =
  process.getuid?.() === 0 ? ['setpriv', '--bounding-set=-dac_override,-dac_read_search'] : [];

let folder: HostFolder;
let owner: Caller;
let id: string;

beforeAll(async () => {
  folder = await HostFolder.make();
  folder.run(serving, { through: asAnyone });
  owner = await folder.caller();
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
  for (const file of ['file', 'folder/file', 'other']) {
    await call('updateFile', { path: file, json: { content: 'text' } });
  }
});

afterAll(() => folder.remove());

const call = (operation: Parameters<Caller['call']>[0], options: CallOptions = {}) =>
  owner.call(operation, { id, name: 'web', ...options });

/** Removes the read permission of a path in the staged tree during `work`. */
async function withUnreadable(file: string, work: () => Promise<void>): Promise<void> {
  const target = path.join(folder.dataDir, 'deployments', id, 'staged', 'web', file);
  await chmod(target, 0);
  try {
    await work();
  } finally {
    await chmod(target, 0o755);
  }
}

const raw = { accept: 'application/octet-stream' };

describe.runIf(process.platform === 'linux')('where a service removed a read permission', () => {
  it.each<[string, Parameters<Caller['call']>[0], CallOptions]>([
    ['file', 'getFile', { path: 'file' }],
    ['file', 'getFile', { path: 'file', headers: raw }],
    ['file', 'restartDeployment', {}],
    ['folder', 'getFile', { path: 'folder/file' }],
    ['folder', 'listFiles', {}],
    ['folder', 'deleteFile', { path: 'folder/file' }],
    ['folder', 'updateFile', { path: 'folder/file', json: { content: 'text' } }],
    ['.', 'listFiles', {}],
    ['.', 'getFile', { path: 'file' }],
  ])('of a %s, the request is a conflict: %s %j', async (at, operation, options) => {
    await withUnreadable(at, async () => {
      const refusal = errorIn(await call(operation, options));
      expect(refusal).toMatchObject({ status: 409, success: false, code: 'conflict' });
    });
  });

  it('of a file, all other files are accessible', async () => {
    await withUnreadable('file', async () => {
      expect(fieldOf(await call('listFiles'), 'files')).toHaveLength(3);
      expect((await call('getFile', { path: 'other' })).status).toBe(200);
    });
  });
});
