import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { Files } from '../../source/host/files/files.ts';
import { Folder } from '../../source/host/files/folder.ts';
import { deploy, errorIn, fieldOf } from './support/bodies.ts';
import {
  type Caller,
  type CallOptions,
  idle,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { uploadOf } from './support/upload-bytes.ts';
import { waitFor } from '../support/wait-for.ts';

let service: TemporaryHost;
let owner: Caller;
let id: string;

beforeAll(async () => {
  service = await temporaryHost();
  owner = service.as('0xowner');
});

afterAll(() => service.remove());

beforeEach(async () => {
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
  await call('updateFile', { path: 'there', json: { content: 'old' } });
});

afterEach(() => vi.restoreAllMocks());

const call = (operation: Parameters<Caller['call']>[0], options: CallOptions = {}) =>
  owner.call(operation, { id, name: 'web', ...options });

/** Blocks the next sync of files until `end` is called. */
function slowDisk() {
  const done = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  vi.spyOn(Folder.prototype, 'sync').mockImplementationOnce(() => {
    begun.resolve();
    return done.promise;
  });
  return { begun: begun.promise, end: done.resolve };
}

/** Resolves when so many files of uploads are stored and wait for their turn. */
async function filesStored(count: number): Promise<void> {
  await waitFor(async () => {
    const arriving = path.join(service.dataDir, 'deployments', id, 'arriving');
    const entries = await readdir(arriving, { recursive: true, withFileTypes: true });
    expect(entries.filter((entry) => entry.isFile())).toHaveLength(count);
  });
}

it.each<[string, Parameters<Caller['call']>[0], CallOptions]>([
  ['a queued file', 'updateFile', { path: 'there', json: { content: 'new' } }],
  ['queued files', 'uploadFiles', uploadOf({ there: 'new', another: 'new' })],
])('rejects %s when the deployment has been closed: %s', async (_, operation, options) => {
  const disk = slowDisk();
  const writes = vi.spyOn(Files.prototype, 'write');
  const first = call('updateFile', { path: 'first', json: { content: 'x' } });
  await disk.begun;
  const waiting = call(operation, options);
  if (operation === 'uploadFiles') await filesStored(2);
  else await waitFor(() => expect(writes).toHaveBeenCalledTimes(2));
  await call('closeDeployment');
  disk.end();
  expect((await first).status).toBe(200);
  expect(errorIn(await waiting)).toMatchObject({ status: 409, code: 'conflict' });
  const listed = fieldOf(await call('listFiles'), 'files') as readonly {
    readonly path: string;
  }[];
  expect(listed.map((file) => file.path)).toEqual(['first', 'there']);
  expect(fieldOf(await call('getFile', { path: 'there' }), 'file')).toMatchObject({
    content: 'old',
  });
});
