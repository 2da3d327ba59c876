import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type JoinOptions, joinHost } from '../../source/host/join.ts';
import { deploy, readLines } from './support/bodies.ts';
import {
  counting,
  HostFolder,
  outcome,
  pidsIn,
  serving,
  withTakenPort,
} from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { nodeService, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

const leased = { ...serving, leased: true, leaseGraceMs: 150 };

async function join(spawn: JoinOptions['spawn']) {
  const joined = await joinHost({ dataDir: folder.dataDir, spawn, timeoutMs: 15_000 });
  if (!joined.ok) throw joined.error;
  return joined.value;
}

const notNeeded = () => {
  throw new Error('a host runs already');
};

describe('a console', () => {
  it('joins a running host', async () => {
    const host = await folder.start({ version: '1.2.3' });
    const joined = await join(notNeeded);
    expect(joined).toMatchObject({
      baseUrl: host.baseUrl,
      token: host.token,
      wallet: host.wallet,
      pid: process.pid,
      version: '1.2.3',
    });
    expect(await joined.isLastLease()).toBe(false);
    joined.release();
    await joined.disconnected;
  });

  it('starts a host that stops with the last console and leaves nothing running', async () => {
    const child = Promise.withResolvers<ChildProcess>();
    const first = await join(() => {
      const host = folder.run(leased);
      child.resolve(host);
      return host;
    });
    expect(await first.isLastLease()).toBe(true);
    const second = await join(notNeeded);
    expect(await first.isLastLease()).toBe(false);
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: counting }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    first.release();
    await first.disconnected;
    // Exceeds the lease grace, so that the host would stop without the other console.
    await setTimeout(2 * leased.leaseGraceMs);
    expect((await caller.call('listDeployments')).status).toBe(200);
    second.release();
    const { code, notes } = await outcome(await child.promise);
    expect(code).toBe(0);
    expect(notes).toContain('last console disconnected');
    expect(isRunning(pid)).toBe(false);
    await folder.start();
    await pidsIn(await folder.caller(), id, 2);
  });

  it('shares one host with a console that starts at the same time', async () => {
    const started: ChildProcess[] = [];
    const spawn = () => {
      const host = folder.run(leased);
      started.push(host);
      return host;
    };
    const [one, two] = await Promise.all([join(spawn), join(spawn)]);
    expect(started).toHaveLength(2);
    expect(two).toMatchObject({ baseUrl: one.baseUrl, token: one.token });
    const codes = () => new Set(started.map((child) => child.exitCode));
    await waitFor(() => {
      expect(codes()).toEqual(new Set([0, null]));
    });
    one.release();
    two.release();
    await waitFor(() => {
      expect(codes()).toEqual(new Set([0]));
    });
  });

  it('that starts while the last host is stopping gets the next one', async () => {
    const first = await folder.start({ graceMs: 5000 });
    const caller = await folder.caller();
    const slow = nodeService(`console.log('up'); setInterval(() => {}, 1000);
      process.on('SIGTERM', () => setTimeout(() => process.exit(), 400))`);
    const { id } = await deploy(caller, sdlOf({ web: slow }));
    await waitFor(async () => expect(await readLines(caller, id)).toContain('up'));
    const ending = first.close();
    const joined = await join(() => folder.run(leased));
    await ending;
    expect(joined.pid).not.toBe(process.pid);
    joined.release();
  });

  it('receives the reason why the host did not start', async () => {
    const result = await withTakenPort((port) =>
      joinHost({
        dataDir: folder.dataDir,
        spawn: () => folder.run({ ...leased, port }),
      }),
    );
    expect(result).toMatchObject({
      ok: false,
      error: {
        code: 'port-taken',
        sentence: expect.stringMatching(/^Port \d+ is already in use\.$/),
      },
    });
  });

  it('receives an error when no host answers', async () => {
    const { dataDir } = folder;
    const result = await joinHost({ dataDir, spawn: () => ({ exitCode: null }), timeoutMs: 200 });
    expect(result).toMatchObject({ ok: false, error: { code: 'no-answer' } });
  });

  it('is told at once about a host that ended without a reason', async () => {
    const { dataDir } = folder;
    const result = await joinHost({ dataDir, spawn: () => ({ exitCode: 1 }) });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'no-answer', sentence: `The host on ${dataDir} ended while it started.` },
    });
  });

  it('receives an error when the folder is unusable', async () => {
    const result = await joinHost({ dataDir: '/dev/null/x', spawn: notNeeded });
    expect(result).toMatchObject({ ok: false, error: { code: 'unusable-data' } });
  });

  it('is notified when the host stops', async () => {
    const host = await folder.start();
    const joined = await join(notNeeded);
    await host.close();
    await joined.disconnected;
  });
});
