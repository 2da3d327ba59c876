import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
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

it.each<[number, Parameters<Caller['call']>[0], CallOptions]>([
  [1, 'updateFile', { path: 'there', json: { content: 'new' } }],
  [2, 'uploadFiles', uploadOf({ there: 'new', another: 'new' })],
])(
  'rejects %i queued file(s) when the deployment has been closed: %s',
  async (files, ...request) => {
    const disk = slowDisk();
    const first = call('updateFile', { path: 'first', json: { content: 'x' } });
    await disk.begun;
    const waiting = call(...request);
    await waitFor(async () => {
      const arriving = path.join(service.dataDir, 'deployments', id, 'arriving');
      const entries = await readdir(arriving, { recursive: true, withFileTypes: true });
      expect(entries.filter((entry) => entry.isFile())).toHaveLength(files);
    });
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
  },
);
