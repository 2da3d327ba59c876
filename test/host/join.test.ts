import type { ChildProcess } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { joinHost } from '../../source/host/join.ts';
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

async function join(spawn: () => void) {
  const joined = await joinHost({ dataDir: folder.dataDir, spawn, timeoutMs: 15_000 });
  if (!joined.ok) throw joined.error;
  return joined.value;
}

const notNeeded = () => {
  throw new Error('a host runs already');
};

describe('a console', () => {
  it('joins the host that runs', async () => {
    const host = await folder.start({ version: '1.2.3' });
    const joined = await join(notNeeded);
    expect(joined).toMatchObject({
      baseUrl: host.baseUrl,
      token: host.token,
      wallet: host.wallet,
      pid: process.pid,
      version: '1.2.3',
    });
    joined.leave();
    await joined.lost;
  });

  it('starts a host, which ends with the last console and leaves nothing running', async () => {
    const child = Promise.withResolvers<ChildProcess>();
    const one = await join(() => {
      child.resolve(folder.run(leased));
    });
    const two = await join(notNeeded);
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: counting }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    one.leave();
    await one.lost;
    // Longer than the host would stay without the other console.
    await setTimeout(2 * leased.leaseGraceMs);
    expect((await caller.call('listDeployments')).status).toBe(200);
    two.leave();
    const { code, notes } = await outcome(await child.promise);
    expect(code).toBe(0);
    expect(notes).toContain('last console disconnected');
    expect(isRunning(pid)).toBe(false);
    await folder.start();
    await pidsIn(await folder.caller(), id, 2);
  });

  it('that starts at the same time as another shares one host with it', async () => {
    const started: ChildProcess[] = [];
    const spawn = () => {
      started.push(folder.run(leased));
    };
    const [one, two] = await Promise.all([join(spawn), join(spawn)]);
    expect(started).toHaveLength(2);
    expect(two).toMatchObject({ baseUrl: one.baseUrl, token: one.token });
    const codes = () => new Set(started.map((child) => child.exitCode));
    await waitFor(() => {
      expect(codes()).toEqual(new Set([0, null]));
    });
    one.leave();
    two.leave();
    await waitFor(() => {
      expect(codes()).toEqual(new Set([0]));
    });
  });

  it('that comes while the last host is just ending gets the next one', async () => {
    const first = await folder.start({ graceMs: 5000 });
    const caller = await folder.caller();
    const slow = nodeService(`console.log('up'); setInterval(() => {}, 1000);
      process.on('SIGTERM', () => setTimeout(() => process.exit(), 400))`);
    const { id } = await deploy(caller, sdlOf({ web: slow }));
    await waitFor(async () => expect(await readLines(caller, id)).toContain('up'));
    const ending = first.close();
    const joined = await join(() => {
      folder.run(leased);
    });
    await ending;
    expect(joined.pid).not.toBe(process.pid);
    joined.leave();
  });

  it('is told in a sentence why there is no host', async () => {
    const result = await withTakenPort((port) =>
      joinHost({
        dataDir: folder.dataDir,
        spawn: () => {
          folder.run({ ...leased, port });
        },
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

  it('is told when the host does not come', async () => {
    const { dataDir } = folder;
    const result = await joinHost({ dataDir, spawn: () => undefined, timeoutMs: 200 });
    expect(result).toMatchObject({ ok: false, error: { code: 'no-answer' } });
  });

  it('is told when the folder cannot be used', async () => {
    const result = await joinHost({ dataDir: '/dev/null/x', spawn: notNeeded });
    expect(result).toMatchObject({ ok: false, error: { code: 'unusable-data' } });
  });

  it('learns when the host is gone', async () => {
    const host = await folder.start();
    const joined = await join(notNeeded);
    await host.close();
    await joined.lost;
  });
});
