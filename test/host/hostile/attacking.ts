import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { controlSocketPath } from '../../../source/host/control/control-path.ts';
import { idle } from '../support/temporary-host.ts';
import type { RunningHost } from './running-host.ts';
import { canary } from './hostile-host.ts';
import { close, deployService, entryOf, hostileService, linesWith } from './hostile-services.ts';
import { knownProcess, pidsWithEntry } from './processes.ts';
import type { Knowledge } from './service/attack.ts';
import { attacks, readOnlyAttacks } from './service/attacks.ts';
import { deployVictim, type Victim } from './victims.ts';

/** Returns the lines with the result of an attack. */
function resultLines(lines: readonly string[]): readonly string[] {
  return lines.filter((line) => /: (?:failed|SUCCEEDED) /.test(line));
}

/** Returns true for an attack whose program isn't installed. */
const isUntried = (line: string) => /\((?:perl|prlimit|unshare): ENOENT\)/.test(line);

const isRoot = process.getuid?.() === 0;

export function testAttacks(running: () => RunningHost): void {
  let engine: Server;
  let victims: readonly Victim[];
  let knowledge: Knowledge;

  beforeAll(async () => {
    const { host, programs } = running();
    victims = await Promise.all([
      deployVictim(host, host.owner, 'sibling'),
      deployVictim(host, await host.stranger(), 'strange'),
    ]);
    const engineSocket = path.join(host.folder, 'engine.sock');
    // Like the socket of a container engine, which only its own user can connect to.
    engine = createServer((connection) => connection.end('HTTP/1.0 200 OK\r\n\r\nOK'));
    engine.listen(engineSocket);
    await once(engine, 'listening');
    chmodSync(engineSocket, 0o600);
    knowledge = {
      dataDir: host.dataDir,
      host: knownProcess(host.pid),
      others: victims.map((victim) => victim.process),
      baseUrl: host.baseUrl,
      otherPorts: victims.map((victim) => victim.port),
      canary,
      controlSocket: controlSocketPath(host.dataDir),
      engineSockets: [engineSocket],
      stagedFiles: victims.flatMap((victim) => victim.staged),
      ownersRunningFiles: victims[0]?.running ?? [],
      strangersRunningFiles: victims[1]?.running ?? [],
      homeFiles: [host.write('home/.ssh/id_rsa', 0o600)],
      programFiles: [programs.host, programs.node],
      publicFile: host.write('public.txt', 0o644),
      rootProgram: programs.rootProgram,
    };
  });

  afterAll(() => {
    engine.close();
  });

  it('fails at all attacks, while other services run on', async () => {
    const { configuration, host, programs } = running();
    const { owner } = host;
    const orders = { knowledge, attacks: 'all', marks: [] } as const;
    const id = await deployService(owner, hostileService(programs.hostile, orders));
    const lines = await linesWith(owner, id, 'done');
    expect(lines[0]).toMatch(configuration.isolation);
    const results = resultLines(lines);
    expect(results.filter((line) => /: SUCCEEDED |ETIMEDOUT/.test(line))).toEqual([]);
    const names = results.map((line) => line.replace(/: failed .*/, ''));
    expect(names).toEqual(attacks.map((attack) => attack.name));
    const untried = results.filter((line) => isUntried(line));
    if (untried.length > 0) process.stderr.write(`NOT TRIED: ${untried.join('; ')}.\n`);
    // It has as many processes as its limit permits, and other services still get theirs.
    const ownProcesses = pidsWithEntry(entryOf(orders)).length;
    expect(ownProcesses).toBeGreaterThan(untried.length === 0 ? 100 : 0);
    await linesWith(owner, await deployService(owner, idle), 'started');
    for (const victim of victims) await victim.assertWell();
    expect(host.isRunning).toBe(true);
    await close(owner, id);
    expect(pidsWithEntry(entryOf(orders))).toEqual([]);
  });

  // Proves that the attacks themselves work.
  it.skipIf(!isRoot)('succeeds at all read-only attacks as a program of the host', () => {
    const { programs } = running();
    const orders = { knowledge, attacks: 'readOnly', marks: [] } as const;
    const args = ['--input-type=module', '-e', programs.hostile];
    const env = { ...process.env, [canary]: 'inherited', HOSTILE: JSON.stringify(orders) };
    const out = execFileSync(programs.node, args, { encoding: 'utf8', env });
    const results = resultLines(out.split('\n'));
    expect(results.map((line) => line.replace(/: .*/, ''))).toEqual(
      readOnlyAttacks.map((attack) => attack.name),
    );
    const failed = results.filter((line) => line.includes(': failed '));
    expect(failed.filter((line) => !isUntried(line))).toEqual([]);
  });
}
