import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createClient } from '../../source/client/client.ts';
import { Deployments } from '../../source/host/deployments.ts';
import { DiskSpace, readFreeBytes } from '../../source/host/disk-space.ts';
import { Grants } from '../../source/host/grants.ts';
import { startHost } from '../../source/host/server/serve.ts';
import { RunTrees } from '../../source/host/files/run-trees.ts';
import { Supervisor } from '../../source/host/supervisor/supervisor.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import {
  type Caller,
  callerOf,
  type CallOptions,
  formOf,
  idle,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitUntilActive } from './support/wait-until-active.ts';

const expires_at = '2100-01-01T00:00:00.000Z';

let service: TemporaryHost;
let owner: Caller;
let id: string;
let grant: string;
const failures: string[] = [];

beforeAll(async () => {
  service = await temporaryHost();
  owner = service.as('0xowner');
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
  await call('updateFile', { path: 'there', json: { content: 'old' } });
  const created = await call('createGrant', { json: { grantee: '0xother', limit: 1, expires_at } });
  ({ id: grant } = fieldOf(created, 'grant') as { readonly id: string });
  await service.again({
    limits: { minFreeBytes: 2 ** 52 },
    onFailure: (error) => failures.push(String(error)),
  });
});

afterAll(() => service.remove());

const call = (operation: Parameters<Caller['call']>[0], options: CallOptions = {}) =>
  owner.call(operation, { id, name: 'web', ...options });

describe('a host with less free disk space than it keeps', () => {
  it.each<[Parameters<Caller['call']>[0], CallOptions]>([
    ['createDeployment', { json: { sdl: sdlOf({ web: idle }) } }],
    ['updateFile', { path: 'there', json: { content: 'new' } }],
    ['uploadFiles', { form: formOf({ there: 'new' }) }],
    ['createGrant', { json: { grantee: '0xother', limit: 1, expires_at } }],
  ])('refuses %s with the reason and the next step', async (operation, options) => {
    expect(errorIn(await call(operation, options))).toMatchObject({
      status: 507,
      code: 'storage-full',
      message:
        'The disk of this host has less free space than the host keeps (--min-free 4294967296 MiB). ' +
        'Delete files, or close deployments, and try again; closing always works.',
    });
  });

  it('says so once in its output', () => {
    expect(failures).toEqual([
      expect.stringMatching(
        /^Error: The disk of \/\S+ has \d+ MiB free, less than the 4294967296 MiB that the host keeps \(--min-free\)\. New work is refused; deployments go on and can be closed\.$/,
      ),
    ]);
  });

  it('tells consoles', async () => {
    const client = createClient({ baseUrl: service.host.baseUrl, token: owner.token });
    expect(client.lowDisk()).toBeUndefined();
    await client.deployments.list();
    expect(client.lowDisk()).toEqual({ free: expect.any(Number), kept: 2 ** 52 });
    await client.close();
  });

  it('resumes deployments, and answers what reads, frees space or ends something', async () => {
    expect((await readDeployment(owner, id)).state).not.toBe('closed');
    const content = fieldOf(await call('getFile', { path: 'there' }), 'file');
    expect(content).toMatchObject({ content: 'old' });
    const renaming = { json: { oldPath: 'there', newPath: 'here' } };
    for (const [operation, options] of [
      ['listDeployments', {}],
      ['fetchLogs', {}],
      ['renameFile', renaming],
      ['deleteFile', { path: 'here' }],
      ['revokeGrant', { id: grant }],
      ['restartDeployment', {}],
      ['closeDeployment', {}],
    ] as const) {
      const { status, body } = await call(operation, options);
      expect([operation, status, body]).toEqual([operation, 200, expect.anything()]);
    }
    expect((await readDeployment(owner, id)).state).toBe('closed');
  });
});

it('a write that would leave less than the host keeps is refused', () => {
  const folder = temporaryFolder();
  const free = readFreeBytes(folder);
  const space = new DiskSpace([folder], free / 2);
  space.assertFree();
  expect(() => space.assertFree(free)).toThrow(
    /^The request needs more disk space than this host may use: it keeps some free \(--min-free \d+ MiB\)\./,
  );
});

it('the first start leaves the sample to a later one', async () => {
  const start = { sample: true, runtime: 'process' } as const;
  const host = await temporaryHost({ ...start, limits: { minFreeBytes: 2 ** 52 } });
  const count = async () => {
    const answer = await host.as(host.host.wallet).call('listDeployments');
    return (fieldOf(answer, 'deployments') as readonly unknown[]).length;
  };
  expect(await count()).toBe(0);
  await host.again({ limits: { minFreeBytes: 0 } });
  expect(await count()).toBe(1);
  await host.remove();
});

it('a first start that can not write the sample leaves what is missing to the next one', async () => {
  const dataDir = temporaryFolder();
  const options = { dataDir, port: 0, runtime: 'process' } as const;
  const full = Object.assign(new Error('no space'), { code: 'ENOSPC' });
  const create = vi.spyOn(Supervisor.prototype, 'create').mockRejectedValueOnce(full);
  await expect(startHost(options)).rejects.toMatchObject({ code: 'full-disk' });
  create.mockRestore();
  for (const _ of ['the next start', 'a later one']) {
    const host = await startHost(options);
    const caller = callerOf(host.wallet, () => host);
    expect(fieldOf(await caller.call('listDeployments'), 'deployments')).toMatchObject([
      { name: 'sample' },
    ]);
    expect(fieldOf(await caller.call('listGrants'), 'grants')).toHaveLength(2);
    await host.close();
  }
});

describe('a host whose disk refuses to sync the records', () => {
  const full = sharedHost({ onFailure: (error) => failures.push(String(error)) });
  const caller = full.as('0xfull');
  /** SQLite's error of a sync that the system refused, also for a full disk. */
  const refuse = () => {
    throw Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 1034 });
  };

  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('answers 507 to new work, and tells its output', async () => {
    const told = failures.length;
    vi.spyOn(Grants.prototype, 'insert').mockImplementation(refuse);
    const json = { grantee: '0xother', limit: 1, expires_at };
    expect(errorIn(await caller.call('createGrant', { json }))).toMatchObject({
      status: 507,
      code: 'storage-full',
      message: expect.stringContaining("full or can't be written"),
    });
    expect(failures.slice(told)).toEqual(['Error: disk I/O error']);
  });

  it('starts a deployment without any room for its files at its next restart', async () => {
    const { id: stopped } = await deploy(caller, sdlOf({ web: idle }));
    await waitUntilActive(caller, stopped);
    const none = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const create = vi.spyOn(RunTrees.prototype, 'create').mockRejectedValue(none);
    expect(errorIn(await caller.call('restartDeployment', { id: stopped }))).toMatchObject({
      status: 503,
      code: 'unrecorded',
      message:
        "The disk of this host is full or can't be written. Free some space there and try again.",
    });
    await waitFor(async () => expect((await readDeployment(caller, stopped)).state).toBe('failed'));
    expect(await readLines(caller, stopped)).toContain(
      'cannot start: its folder is missing; a restart creates it again',
    );
    create.mockRestore();
    expect((await caller.call('restartDeployment', { id: stopped })).status).toBe(200);
    await waitUntilActive(caller, stopped);
  });

  it('never answers 507 to a restart or a close, and records a close at the second attempt', async () => {
    const { id: held } = await deploy(caller, sdlOf({ web: idle }));
    vi.spyOn(Deployments.prototype, 'setGeneration').mockImplementationOnce(refuse);
    expect(errorIn(await caller.call('restartDeployment', { id: held }))).toMatchObject({
      status: 503,
      code: 'unrecorded',
    });
    const setPhase = vi.spyOn(Deployments.prototype, 'setPhase').mockImplementationOnce(refuse);
    expect((await caller.call('closeDeployment', { id: held })).status).toBe(200);
    expect(setPhase).toHaveBeenCalledTimes(2);
    const { id: other } = await deploy(caller, sdlOf({ web: idle }));
    setPhase.mockImplementation(refuse);
    expect(errorIn(await caller.call('closeDeployment', { id: other }))).toMatchObject({
      status: 503,
      code: 'unrecorded',
    });
    setPhase.mockRestore();
    expect((await caller.call('closeDeployment', { id: other })).status).toBe(200);
  });
});
