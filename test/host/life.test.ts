import { DatabaseSync } from 'node:sqlite';
import { once } from 'node:events';
import { rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../source/host/clock.ts';
import { controlSocketPath } from '../../source/host/control/control-path.ts';
import { Deployments } from '../../source/host/deployments.ts';
import { startHost } from '../../source/host/server/serve.ts';
import { Storage } from '../../source/host/records/storage.ts';
import type { OperationName } from '../../source/contract/routes.ts';
import { deploy, fieldOf, readDeployment, readLines, readLogs } from './support/bodies.ts';
import { storeDefinitionsInRows } from './support/earlier-records.ts';
import { firstId, makeFirstDatabase } from './support/first-database.ts';
import { counting, HostFolder, pidsIn, serving, withTakenPort } from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { type CallOptions, callHost, nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

describe('a data folder', () => {
  it('is not accessible to other users', async () => {
    await folder.start();
    const modes = await Promise.all(
      ['', 'host.db', 'local-token', 'host.sock'].map(
        async (name) => (await stat(path.join(folder.dataDir, name))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('of the first version is upgraded with its deployments and logs', async () => {
    makeFirstDatabase(folder.dataDir, '0xowner');
    const host = await folder.start();
    const caller = { wallet: '0xowner', token: host.issueToken('0xowner') };
    const call = (operation: OperationName, options?: CallOptions) =>
      callHost(host.baseUrl, caller.token, operation, options);
    const owner = { ...caller, call };
    expect(await readDeployment(owner, firstId)).toMatchObject({ name: 'old', warnings: [] });
    await waitFor(async () => {
      const lines = await readLogs(owner, firstId);
      expect(lines[0]).toMatchObject({ id: 1, logLine: 'from then' });
      expect(lines.length).toBeGreaterThan(1);
      expect(lines.some((line) => 'instance' in line)).toBe(false);
    });
  });

  it('of a version with definitions beside the records is upgraded without a loss', async () => {
    const first = await folder.start();
    const caller = await folder.caller();
    const large = sdlOf({ web: { ...counting, count: 2, env: [`A=${'x'.repeat(100_000)}`] } });
    const open = await deploy(caller, large);
    const closed = await deploy(caller, sdlOf({ web: counting, job: counting }, 'shop'));
    await pidsIn(caller, closed.id, 2);
    await caller.call('closeDeployment', { id: closed.id });
    await first.close();
    const records = path.join(folder.dataDir, 'host.db');
    const database = new DatabaseSync(records);
    storeDefinitionsInRows(database);
    database.close();

    await folder.start();
    const after = await folder.caller();
    const listed = fieldOf(await after.call('listDeployments'), 'deployments');
    expect(listed).toMatchObject([
      { id: open.id, services: [{ name: 'web', instances: 2 }] },
      {
        id: closed.id,
        name: 'shop',
        state: 'closed',
        services: [{ name: 'web' }, { name: 'job' }],
      },
    ]);
    expect((await readDeployment(after, open.id)).sdl).toBe(large);
    expect((await readDeployment(after, closed.id)).sdl).toBe(closed.sdl);
    await pidsIn(after, open.id, 4);
    expect((await deploy(after, large)).id).toMatch(/-3$/);
  });

  it('has one host: a second start fails without disturbing the first', async () => {
    const first = await folder.start();
    await expect(folder.start()).rejects.toMatchObject({ code: 'locked' });
    expect((await (await folder.caller()).call('listDeployments')).status).toBe(200);
    await first.close();
    await folder.start();
  });

  it('with a path too long for a socket has its socket elsewhere', async () => {
    const deep = await HostFolder.make('d'.repeat(100));
    onTestFinished(() => deep.remove());
    const host = await deep.start();
    expect(controlSocketPath(deep.dataDir).startsWith(deep.dataDir)).toBe(false);
    expect((await deep.caller()).token).toBe(host.token);
  });

  it.each(['/dev/null/x', '/proc/x/y'])(
    'that is unusable, such as %s, is reported',
    async (dataDir) => {
      await expect(startHost({ dataDir, port: 0 })).rejects.toMatchObject({
        code: 'unusable-data',
        sentence: expect.stringContaining(dataDir),
      });
    },
  );

  it('keeps the local wallet and its token, and recreates a lost token file', async () => {
    const first = await folder.start();
    await first.close();
    const second = await folder.start();
    expect([second.wallet, second.token]).toEqual([first.wallet, first.token]);
    await second.close();
    await rm(path.join(folder.dataDir, 'local-token'));
    const third = await folder.start();
    expect(third.wallet).toBe(first.wallet);
    expect(third.token).not.toBe(first.token);
    expect((await (await folder.caller()).call('listGrants')).status).toBe(200);
  });
});

describe('a host that starts', () => {
  it('for the first time runs a sample, and has a grant in each direction', async () => {
    const host = await folder.start({ sample: true });
    const caller = await folder.caller();
    const deployments = fieldOf(await caller.call('listDeployments'), 'deployments');
    expect(deployments).toMatchObject([
      { name: 'sample', services: [{ name: 'web' }, { name: 'worker' }] },
    ]);
    const [{ id } = { id: '' }] = deployments as readonly { readonly id: string }[];
    await waitFor(async () => {
      const logs = await readLogs(caller, id);
      expect(new Set(logs.map((line) => line.serviceName))).toEqual(new Set(['web', 'worker']));
      const lines = logs.map((line) => line.logLine).join('\n');
      expect(lines).toMatch(/listening on \d+/);
      expect(lines).toMatch(/job \d+ \w+: done in \d+ms/);
      expect(lines).toMatch(/^GET \/health 200 \d+ms$/m);
    });
    for (const name of ['web', 'worker']) {
      const files = fieldOf(await caller.call('listFiles', { id, name }), 'files');
      expect((files as readonly unknown[]).length).toBeGreaterThanOrEqual(4);
    }
    const grants = fieldOf(await caller.call('listGrants'), 'grants');
    expect(grants).toMatchObject([{ grantor: caller.wallet }, { grantee: caller.wallet }]);

    await caller.call('closeDeployment', { id });
    await host.close();
    await folder.start({ sample: true });
    const again = fieldOf(await (await folder.caller()).call('listDeployments'), 'deployments');
    expect(again).toMatchObject([{ id, state: 'closed' }]);
  });

  it('uses the given port or fails; by default, the default port or a free one', async () => {
    await withTakenPort(async (port) => {
      await expect(folder.start({ port })).rejects.toMatchObject({ code: 'port-taken' });
    });
    const other = await HostFolder.make();
    onTestFinished(() => other.remove());
    const hosts = [await folder.start({ port: undefined }), await other.start({ port: undefined })];
    expect(new Set(hosts.map(({ baseUrl }) => baseUrl)).size).toBe(2);
  });

  it('resumes the deployments after an orderly stop', async () => {
    const first = await folder.start();
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: counting }));
    const closed = await deploy(caller, sdlOf({ web: counting }));
    await pidsIn(caller, closed.id, 1);
    await caller.call('closeDeployment', { id: closed.id });
    const [pid = 0] = await pidsIn(caller, id, 1);
    await first.close();
    expect(isRunning(pid)).toBe(false);
    await folder.start();
    const after = await folder.caller();
    await pidsIn(after, id, 2);
    expect(await pidsIn(after, closed.id, 1)).toHaveLength(1);
  });

  it('after kill -9 stops orphans first, and loses no line that a client received', async () => {
    const child = folder.run(serving);
    const caller = await folder.caller();
    const leaving = nodeService(`
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'console.log("pid", process.pid); setTimeout(() => {}, 6e4)'],
        { detached: true, stdio: 'inherit' });
      setInterval(() => {}, 1000)`);
    const { id } = await deploy(caller, sdlOf({ web: counting, job: leaving }));
    const orphans = await pidsIn(caller, id, 2);
    await waitFor(async () => expect(await readLines(caller, id)).toContain('n 20'));
    const seen = await readLogs(caller, id);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // The writing process may exit by itself, since its reader is gone.
    expect(isRunning(orphans[1] ?? 0) || isRunning(orphans[0] ?? 0)).toBe(true);

    await folder.start();
    const after = await folder.caller();
    const all = await pidsIn(after, id, 4);
    expect(orphans.map(isRunning)).toEqual([false, false]);
    expect(all.slice(0, 2)).toEqual(orphans);
    const logs = await readLogs(after, id);
    expect(logs.slice(0, seen.length)).toEqual(seen);
    expect(logs.map((line) => line.id)).toEqual(logs.map((_, index) => index + 1));
  });

  it('stops its services before exiting even when its output is closed', async () => {
    const child = folder.run(serving);
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: counting }));
    const pids = await pidsIn(caller, id, 1);
    child.stdout?.destroy();
    child.stderr?.destroy();
    child.kill('SIGHUP');
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    expect(pids.map(isRunning)).toEqual([false]);
  });

  it('forgets a deployment whose creation was interrupted by a kill', async () => {
    const first = await folder.start();
    await first.close();
    const storage = Storage.open(folder.dataDir);
    const half = new Deployments(storage, systemClock).insert(first.wallet, '', {
      name: 'half',
      services: [],
      placements: [],
      parts: [],
      warnings: [],
      price: 0n,
    });
    storage.close();
    await folder.start();
    const caller = await folder.caller();
    expect(fieldOf(await caller.call('listDeployments'), 'deployments')).toEqual([]);
    expect((await deploy(caller, sdlOf({ web: counting }))).id).not.toBe(half.id);
  });
});
