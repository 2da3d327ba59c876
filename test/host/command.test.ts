import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { issueToken, walletBalance } from '../../source/host/administration.ts';
import { type HostCommand, runHostCommand } from '../../source/host/command.ts';
import { deploy } from './support/bodies.ts';
import {
  counting,
  HostFolder,
  outcome,
  pidsIn,
  serving,
  type WithoutFolder,
  withTakenPort,
} from './support/host-folder.ts';
import { isRunning } from './support/processes.ts';
import { callHost, sdlOf } from './support/temporary-host.ts';

const folder = HostFolder.ofEachTest();

/** Runs a short command in this process. */
async function runCommand(command: WithoutFolder<HostCommand>) {
  let out = '';
  let notes = '';
  const code = await runHostCommand(
    { ...command, data: folder.dataDir },
    {
      print: (line) => {
        out += `${line}\n`;
      },
      printNote: (line) => {
        notes += `${line}\n`;
      },
    },
  );
  return { code, out, notes };
}

describe('hostdeck host', () => {
  it('stops cleanly with all services on SIGTERM, even when sent twice', async () => {
    const child = folder.run(serving);
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: counting }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    const ended = outcome(child);
    child.kill('SIGTERM');
    child.kill('SIGTERM');
    const { code, out, notes } = await ended;
    expect({ code, out }).toEqual({ code: 0, out: '' });
    expect(notes).toMatch(/^hostdeck host on http:\/\/127\.0\.0\.1:\d+\n/);
    expect(notes).toContain('Stopping (SIGTERM)');
    expect(isRunning(pid)).toBe(false);
    expect(await readdir(folder.dataDir)).not.toContain('host.db-wal');
  });

  it.each(['SIGINT', 'SIGHUP'] as const)('stops cleanly on %s', async (signal) => {
    const child = folder.run(serving);
    await folder.caller();
    const ended = outcome(child);
    child.kill(signal);
    expect(await ended).toMatchObject({ code: 0, notes: expect.stringContaining(signal) });
  });

  it('explains in a sentence why it cannot start and exits with 1', async () => {
    const taken = await withTakenPort((port) => outcome(folder.run({ ...serving, port })));
    expect(taken).toMatchObject({ code: 1, out: '' });
    expect(taken.notes).toMatch(/^Port \d+ is already in use\. Name another with --port\.\n$/);
    await folder.start();
    const { code, notes } = await outcome(folder.run(serving));
    expect(code).toBe(1);
    expect(notes).toMatch(/^Another host runs on .* Use that host/);
  });

  it('creates tokens and sets balances with and without a running host', async () => {
    const token = async () => {
      const answer = await runCommand({ kind: 'token', wallet: '0xabc' });
      expect({ ...answer, out: '' }).toEqual({ code: 0, out: '', notes: '' });
      return answer.out.trim();
    };
    const balance = async (amount?: string) => {
      const { code, out } = await runCommand({
        kind: 'wallet',
        wallet: '0xabc',
        balance: amount,
      });
      expect(code).toBe(0);
      return out;
    };
    const before = await token();
    expect(await balance()).toBe('1000\n');
    expect(await balance('12.5')).toBe('12.5\n');
    const host = await folder.start();
    const during = await token();
    expect(await balance()).toBe('12.5\n');
    expect(await balance('0.1')).toBe('0.1\n');
    for (const issued of [before, during]) {
      expect((await callHost(host.baseUrl, issued, 'listGrants')).status).toBe(200);
    }
    await host.close();
    expect(await balance()).toBe('0.1\n');
  });

  it.each([
    { kind: 'token', wallet: 'has blanks' },
    { kind: 'wallet', wallet: '0xabc', balance: 'much' },
    { kind: 'wallet', wallet: '0xabc', balance: '-1' },
  ] as const)('exits with 2 on wrong usage: %j', async (command) => {
    const { code, out, notes } = await runCommand(command);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(notes).not.toBe('');
  });

  it('writes only the result to stdout', async () => {
    const token = await outcome(folder.run({ kind: 'token', wallet: '0xabc' }));
    expect(token).toEqual({ code: 0, out: expect.stringMatching(/^hd_\S+\n$/), notes: '' });
  });

  it('creates tokens and reads balances for other modules', async () => {
    const { dataDir } = folder;
    expect(await issueToken(dataDir, '0xabc')).toMatch(/^hd_/);
    expect(await walletBalance(dataDir, '0xabc', '7')).toBe('7');
    await folder.start();
    expect(await walletBalance(dataDir, '0xabc')).toBe('7');
    expect(await issueToken(dataDir, '0xabc')).toMatch(/^hd_/);
  });
});
