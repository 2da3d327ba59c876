import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { issueToken, walletBalance } from '../../source/host/administration.ts';
import type { HostCommand } from '../../source/host/command.ts';
import { ControlClient } from '../../source/host/control-client.ts';
import { controlPath } from '../../source/host/control-path.ts';
import { joinHost } from '../../source/host/join.ts';
import { type Host, type HostOptions, startHost } from '../../source/host/serve.ts';
import { deploy, fieldOf, readLines, readLogs } from './bodies.ts';
import { isRunning } from './processes.ts';
import { type Caller, type CallOptions, callHost, nodeService, sdlOf } from './temporary-host.ts';

let dataDir: string;
const hosts: Host[] = [];
const children: ChildProcess[] = [];

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'hostdeck-life-'));
});

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.close();
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
  await rm(dataDir, { recursive: true, force: true });
});

async function start(options: Partial<HostOptions> = {}): Promise<Host> {
  const host = await startHost({ dataDir, port: 0, sample: false, graceMs: 3000, ...options });
  hosts.push(host);
  return host;
}

const program = fileURLToPath(new URL('host-process.ts', import.meta.url));

/** A host command in a process of its own. */
function run(command: HostCommand): ChildProcess {
  const child = spawn(process.execPath, [program, JSON.stringify(command)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  return child;
}

async function outcome(child: ChildProcess) {
  const [out, notes] = await Promise.all([
    child.stdout === null ? '' : text(child.stdout),
    child.stderr === null ? '' : text(child.stderr),
  ]);
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return { code: child.exitCode, out, notes };
}

const serving = { action: 'serve', port: 0, version: '1.2.3' } as const;

/** Someone who calls the host that runs on the folder, whichever that is. */
async function localCaller(): Promise<Caller> {
  const { baseUrl, token, wallet } = await vi.waitFor(
    async () => {
      const client = await ControlClient.connect(controlPath(dataDir));
      const hello = await client?.hello();
      client?.close();
      if (hello === undefined) throw new Error('no host yet');
      return hello;
    },
    { timeout: 15_000 },
  );
  const call = (operation: Parameters<Caller['call']>[0], options?: CallOptions) =>
    callHost(baseUrl, token, operation, options);
  return { wallet, token, call };
}

const speaking = nodeService(
  `console.log('pid', process.pid); let n = 0; setInterval(() => console.log('n', n++), 10)`,
);

async function pidsIn(caller: Caller, id: string, count: number): Promise<readonly number[]> {
  return await vi.waitFor(
    async () => {
      const lines = (await readLines(caller, id)).filter((line) => line.startsWith('pid'));
      expect(lines.length).toBeGreaterThanOrEqual(count);
      return lines.map((line) => Number(line.slice(4)));
    },
    { timeout: 15_000 },
  );
}

describe('a data folder', () => {
  it('lets nobody else in', async () => {
    await start();
    const modes = await Promise.all(
      ['', 'host.db', 'local-token', 'host.sock'].map(
        async (name) => (await stat(path.join(dataDir, name))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o600, 0o600, 0o600]);
  });

  it('has one host: a second is told so, and the first does not notice', async () => {
    const first = await start();
    await expect(start()).rejects.toMatchObject({ code: 'locked' });
    const caller = await localCaller();
    expect((await caller.call('listDeployments')).status).toBe(200);
    await first.close();
    await start();
  });

  it('with a path that is too long for a socket has it elsewhere', async () => {
    dataDir = path.join(dataDir, 'd'.repeat(100));
    await mkdir(dataDir);
    const host = await start();
    expect(controlPath(dataDir).startsWith(dataDir)).toBe(false);
    expect((await localCaller()).token).toBe(host.token);
  });

  it('that cannot be used is said so', async () => {
    await expect(startHost({ dataDir: '/dev/null/x', port: 0 })).rejects.toMatchObject({
      code: 'unusable-data',
      sentence: expect.stringContaining('/dev/null/x'),
    });
  });

  it('keeps the local wallet and its token, also when the token file is lost', async () => {
    const first = await start();
    await first.close();
    const second = await start();
    expect([second.wallet, second.token]).toEqual([first.wallet, first.token]);
    await second.close();
    await rm(path.join(dataDir, 'local-token'));
    const third = await start();
    expect(third.wallet).toBe(first.wallet);
    expect(third.token).not.toBe(first.token);
    expect((await (await localCaller()).call('listGrants')).status).toBe(200);
  });
});

describe('a host that starts', () => {
  it('for the first time runs a sample that is alive, and knows a grant each way', async () => {
    await start({ sample: true });
    const caller = await localCaller();
    const deployments = fieldOf(await caller.call('listDeployments'), 'deployments');
    expect(deployments).toMatchObject([
      { name: 'sample', services: [{ name: 'web' }, { name: 'worker' }] },
    ]);
    const [{ id } = { id: '' }] = deployments as readonly { readonly id: string }[];
    await vi.waitFor(
      async () => {
        const logs = await readLogs(caller, id);
        expect(new Set(logs.map((line) => line.serviceName))).toEqual(new Set(['web', 'worker']));
        const lines = logs.map((line) => line.logLine).join('\n');
        expect(lines).toMatch(/listening on \d+/);
        expect(lines).toMatch(/job \d+ \w+: done in \d+ms/);
        expect(lines).toMatch(/^GET \/health 200 \d+ms$/m);
      },
      { timeout: 20_000 },
    );
    for (const name of ['web', 'worker']) {
      const files = fieldOf(await caller.call('listFiles', { id, name }), 'files');
      expect((files as readonly unknown[]).length).toBeGreaterThanOrEqual(4);
    }
    const grants = fieldOf(await caller.call('listGrants'), 'grants');
    expect(grants).toMatchObject([{ grantor: caller.wallet }, { grantee: caller.wallet }]);

    await caller.call('closeDeployment', { id });
    await hosts.splice(0)[0]?.close();
    await start({ sample: true });
    const again = fieldOf(await (await localCaller()).call('listDeployments'), 'deployments');
    expect(again).toMatchObject([{ id, state: 'closed' }]);
  });

  it('takes the usual port or a free one, but only the one that it was told', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await expect(start({ port })).rejects.toMatchObject({ code: 'port-taken' });
    blocker.close();
    const usual = await start({ port: undefined });
    await hosts.splice(0)[0]?.close();
    expect(usual.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('after an orderly end brings the deployments back', async () => {
    const first = await start();
    const caller = await localCaller();
    const { id } = await deploy(caller, sdlOf({ web: speaking }));
    const closed = await deploy(caller, sdlOf({ web: speaking }));
    await pidsIn(caller, closed.id, 1);
    await caller.call('closeDeployment', { id: closed.id });
    const [pid = 0] = await pidsIn(caller, id, 1);
    await first.close();
    expect(isRunning(pid)).toBe(false);
    await start();
    const after = await localCaller();
    await pidsIn(after, id, 2);
    expect(await pidsIn(after, closed.id, 1)).toHaveLength(1);
  });

  it('after kill -9 ends the orphans first, and loses no line that anyone has seen', async () => {
    const child = run({ ...serving, data: dataDir });
    const caller = await localCaller();
    const leaving = nodeService(`
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'console.log("pid", process.pid); setInterval(() => {}, 1e3)'],
        { detached: true, stdio: 'inherit' });
      setInterval(() => {}, 1000)`);
    const { id } = await deploy(caller, sdlOf({ web: speaking, job: leaving }));
    const orphans = await pidsIn(caller, id, 2);
    await vi.waitFor(async () => expect(await readLines(caller, id)).toContain('n 20'));
    const seen = await readLogs(caller, id);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(orphans.map(isRunning)).toEqual([true, true]);

    await start();
    const after = await localCaller();
    const all = await pidsIn(after, id, 4);
    expect(orphans.map(isRunning)).toEqual([false, false]);
    expect(all.slice(0, 2)).toEqual(orphans);
    const logs = await readLogs(after, id);
    expect(logs.slice(0, seen.length)).toEqual(seen);
    expect(logs.map((line) => line.id)).toEqual(logs.map((_, index) => index + 1));
  });
});

describe('hostdeck host', () => {
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends cleanly on %s', async (signal) => {
    const child = run({ ...serving, data: dataDir });
    const caller = await localCaller();
    const { id } = await deploy(caller, sdlOf({ web: speaking }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    const ended = outcome(child);
    child.kill(signal);
    const { code, out, notes } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(notes).toMatch(/^hostdeck host on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(notes).toContain(signal);
    expect(isRunning(pid)).toBe(false);
  });

  it('that cannot start says why in a sentence and exits with 1', async () => {
    await start();
    const { code, notes } = await outcome(run({ ...serving, data: dataDir }));
    expect(code).toBe(1);
    expect(notes).toMatch(/^Another host runs on .* Use that one/);
  });

  it('token and wallet work with a running host and without one', async () => {
    const token = async () => {
      const answer = await outcome(run({ action: 'token', data: dataDir, wallet: '0xabc' }));
      expect({ ...answer, out: '' }).toEqual({ code: 0, out: '', notes: '' });
      return answer.out.trim();
    };
    const balance = async (amount?: string) => {
      const command = {
        action: 'wallet',
        data: dataDir,
        wallet: '0xabc',
        balance: amount,
      } as const;
      const { code, out } = await outcome(run(command));
      expect(code).toBe(0);
      return out;
    };
    const before = await token();
    expect(await balance()).toBe('1000\n');
    expect(await balance('12.5')).toBe('12.5\n');
    const host = await start();
    const during = await token();
    expect(await balance()).toBe('12.5\n');
    expect(await balance('0.1')).toBe('0.1\n');
    for (const known of [before, during]) {
      expect((await callHost(host.baseUrl, known, 'listGrants')).status).toBe(200);
    }
    await host.close();
    expect(await balance()).toBe('0.1\n');
  });

  it.each<HostCommand>([
    { action: 'token', data: '' },
    { action: 'wallet', data: '' },
    { action: 'token', data: '', wallet: 'has blanks' },
    { action: 'wallet', data: '', wallet: '0xabc', balance: 'much' },
    { action: 'wallet', data: '', wallet: '0xabc', balance: '-1' },
  ])('used wrongly exits with 2: %j', async (command) => {
    const { code, out, notes } = await outcome(run({ ...command, data: dataDir }));
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(notes).not.toBe('');
  });

  it('gives tokens and balances to programs, too', async () => {
    expect(await issueToken(dataDir, '0xabc')).toMatch(/^hd_/);
    expect(await walletBalance(dataDir, '0xabc', '7')).toBe('7');
    await start();
    expect(await walletBalance(dataDir, '0xabc')).toBe('7');
    expect(await issueToken(dataDir, '0xabc')).toMatch(/^hd_/);
  });
});

describe('a console', () => {
  const leased = { ...serving, leased: true, leaseGraceMs: 300 };

  async function join(spawnHost: () => void) {
    const joined = await joinHost({ dataDir, spawn: spawnHost, timeoutMs: 15_000 });
    if (!joined.ok) throw joined.error;
    return joined.value;
  }

  it('joins the host that runs', async () => {
    const host = await start();
    const joined = await join(() => {
      throw new Error('not needed');
    });
    expect(joined).toMatchObject({ baseUrl: host.baseUrl, token: host.token, wallet: host.wallet });
    joined.leave();
    await joined.lost;
  });

  it('starts a host, which ends with the last console and leaves nothing', async () => {
    const child = Promise.withResolvers<ChildProcess>();
    const one = await join(() => {
      child.resolve(run({ ...leased, data: dataDir }));
    });
    const two = await join(() => {
      throw new Error('not needed');
    });
    const caller = await localCaller();
    const { id } = await deploy(caller, sdlOf({ web: speaking }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    one.leave();
    await one.lost;
    await setTimeout(500);
    expect((await caller.call('listDeployments')).status).toBe(200);
    two.leave();
    const { code, notes } = await outcome(await child.promise);
    expect(code).toBe(0);
    expect(notes).toContain('last console left');
    expect(isRunning(pid)).toBe(false);
    await start();
    await pidsIn(await localCaller(), id, 2);
  });

  it('that starts at the same time as another shares one host with it', async () => {
    const started: ChildProcess[] = [];
    const spawnHost = () => {
      started.push(run({ ...leased, data: dataDir }));
    };
    const [one, two] = await Promise.all([join(spawnHost), join(spawnHost)]);
    expect(started).toHaveLength(2);
    expect(two).toMatchObject({ baseUrl: one.baseUrl, token: one.token });
    await vi.waitFor(
      () => {
        expect(started.filter((child) => child.exitCode === 0)).toHaveLength(1);
      },
      { timeout: 15_000 },
    );
    one.leave();
    two.leave();
    await vi.waitFor(
      () => {
        expect(started.map((child) => child.exitCode)).toEqual([0, 0]);
      },
      { timeout: 15_000 },
    );
  });

  it('that comes while the last host is just ending gets the next one', async () => {
    const first = await start({ graceMs: 2000 });
    const caller = await localCaller();
    const slow = nodeService(`console.log('up'); setInterval(() => {}, 1000);
      process.on('SIGTERM', () => setTimeout(() => process.exit(), 1000))`);
    const { id } = await deploy(caller, sdlOf({ web: slow }));
    await vi.waitFor(async () => expect(await readLines(caller, id)).toContain('up'));
    const ending = first.close();
    const joined = await join(() => {
      run({ ...leased, data: dataDir });
    });
    await ending;
    joined.leave();
  });

  it('is told in a sentence why there is no host', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const address = blocker.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const result = await joinHost({
      dataDir,
      spawn: () => {
        run({ ...leased, data: dataDir, port });
      },
    });
    blocker.close();
    expect(result).toMatchObject({ ok: false, error: { code: 'port-taken' } });
  });

  it('is told when the host does not come', async () => {
    const result = await joinHost({ dataDir, spawn: () => undefined, timeoutMs: 200 });
    expect(result).toMatchObject({ ok: false, error: { code: 'no-answer' } });
  });

  it('is told when the folder cannot be used', async () => {
    const result = await joinHost({ dataDir: '/dev/null/x', spawn: () => undefined });
    expect(result).toMatchObject({ ok: false, error: { code: 'unusable-data' } });
  });

  it('learns when the host is gone', async () => {
    const host = await start();
    const joined = await join(() => undefined);
    await host.close();
    await joined.lost;
  });
});
