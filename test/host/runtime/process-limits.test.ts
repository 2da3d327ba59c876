import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ControlGroups } from '../../../source/host/runtime/control-groups.ts';
import { describeLimits, ProcessLimits } from '../../../source/host/runtime/process-limits.ts';
import { deploy, readLines } from '../support/bodies.ts';
import { sharedHost } from '../support/shared-host.ts';
import { nodeService, withIsolation } from '../support/temporary-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const mebibyte = 1024 * 1024;

describe('the control groups of version 2', () => {
  let root: string;
  let own: string;

  beforeEach(() => {
    root = temporaryFolder();
    own = path.join(root, 'own');
    mkdirSync(path.join(root, 'unit'));
    writeFileSync(path.join(root, 'cgroup.controllers'), 'cpu memory');
    writeFileSync(own, '0::/unit\n');
  });

  const joinGroup = (pids: string) => {
    writeFileSync(path.join(root, 'unit', 'cgroup.procs'), pids);
  };
  const file = (...names: readonly string[]) =>
    readFileSync(path.join(root, 'unit', ...names), 'utf8');

  it('are used by a host that is alone in its group, and moves it to a child group', () => {
    joinGroup(`${process.pid}\n`);
    const group = ControlGroups.open(root, own)?.limit('r1', {
      cpu: 0.5,
      memory: 64 * mebibyte,
      processes: 512,
    });
    expect(file('hostdeck.host', 'cgroup.procs')).toBe(String(process.pid));
    expect(file('cgroup.subtree_control')).toBe('+pids');
    expect(file('hostdeck-r1', 'cpu.max')).toBe('50000 100000');
    expect(file('hostdeck-r1', 'pids.max')).toBe('512');
    expect(group?.limitsProcesses).toBe(true);
    expect(file('hostdeck-r1', 'memory.max')).toBe(String(64 * mebibyte));
    expect(group?.wrap(['web', 'x']).slice(3)).toEqual([
      'sh',
      path.join(root, 'unit', 'hostdeck-r1', 'cgroup.procs'),
      '--',
      'web',
      'x',
    ]);
    expect(group?.ranOutOfMemory()).toBe(false);
    writeFileSync(path.join(root, 'unit', 'hostdeck-r1', 'memory.events'), 'oom 1\noom_kill 1\n');
    expect(group?.ranOutOfMemory()).toBe(true);
  });

  it('list no process of another namespace', () => {
    joinGroup(`${process.pid}\n`);
    const group = ControlGroups.open(root, own)?.limit('r1', {});
    // The kernel lists a process of another namespace as 0; a signal to 0 would reach the host's
    // own process group.
    writeFileSync(path.join(root, 'unit', 'hostdeck-r1', 'cgroup.procs'), '0\n4711\n');
    expect(group?.members()).toEqual([4711]);
  });

  it('are removed in any part of the hierarchy where a killed host left them', async () => {
    joinGroup(`${process.pid}\n`);
    const mine = randomUUID();
    const groupOf = (run: string) => path.join(root, 'elsewhere', `hostdeck-${run}`);
    const createGroup = (run: string, ageMs: number) => {
      mkdirSync(groupOf(run), { recursive: true });
      const at = new Date(Date.now() - ageMs);
      utimesSync(groupOf(run), at, at);
      return path.basename(groupOf(run));
    };
    const stale = createGroup(randomUUID(), 120_000);
    const recent = createGroup(randomUUID(), 0);
    const busy = createGroup(randomUUID(), 120_000);
    writeFileSync(path.join(root, 'elsewhere', busy, 'cgroup.procs'), '1');
    createGroup(mine, 0);
    await ControlGroups.open(root, own)?.removeGroups([mine]);
    const remaining = readdirSync(path.join(root, 'elsewhere'));
    expect(remaining).not.toContain(stale);
    expect(remaining.toSorted()).toEqual([recent, busy].toSorted());
  });

  it('are not used by a host that shares its group, and nothing changes', () => {
    joinGroup(`1\n${process.pid}\n`);
    expect(ControlGroups.open(root, own)).toBeUndefined();
    expect(readdirSync(path.join(root, 'unit'))).toEqual(['cgroup.procs']);
  });

  it('are not used when none are mounted', () => {
    expect(ControlGroups.open(path.join(root, 'nowhere'), own)).toBeUndefined();
  });
});

it('describes limits in words, and no limits as an empty text', async () => {
  expect(describeLimits({ cpu: 0.25, memory: 128 * mebibyte })).toBe('0.25 CPU, 128 MiB of memory');
  expect(describeLimits({})).toBe('');
  const events: string[] = [];
  const group = new ProcessLimits().apply(randomUUID(), {}, (text) => events.push(text));
  expect(events).toEqual([]);
  await group?.remove();
});

const canLimit = ControlGroups.open() !== undefined;
if (!canLimit) {
  process.stderr.write('Tests of limits are SKIPPED: control groups cannot be created here.\n');
}

describe('a process with a profile', () => {
  const service = sharedHost(withIsolation);
  const owner = service.as('0xowner');

  const sdl = (program: string) =>
    JSON.stringify({
      version: '2.0',
      services: { web: nodeService(program) },
      profiles: {
        compute: { web: { resources: { cpu: { units: 0.5 }, memory: { size: '96Mi' } } } },
        placement: { here: { pricing: { web: { denom: 'credits', amount: 0 } } } },
      },
      deployment: { web: { here: { profile: 'web', count: 1 } } },
    });

  it('logs once whether its limits are enforced', async () => {
    const { id } = await deploy(owner, sdl('process.exit(3)'));
    const lines = await waitFor(async () => {
      const all = await readLines(owner, id);
      expect(all.filter((line) => line === 'exited 3').length).toBeGreaterThanOrEqual(2);
      return all;
    });
    // The isolation is logged first, at each start.
    expect(lines[0]).toMatch(/^isolation: /);
    expect(lines.filter((line) => line.startsWith('isolation')).length).toBeGreaterThanOrEqual(2);
    expect(lines.filter((line) => line.includes('limits'))).toEqual([
      canLimit
        ? 'limits: 0.5 CPU, 96 MiB of memory'
        : "limits not enforced: 0.5 CPU, 96 MiB of memory (this host can't create control groups)",
    ]);
    await owner.call('closeDeployment', { id });
  });

  it.skipIf(!canLimit)('is ended when it exceeds its memory, which is logged', async () => {
    const program = 'const all = []; for (;;) all.push(Buffer.alloc(1 << 20, 1))';
    const { id } = await deploy(owner, sdl(program));
    await waitFor(async () => {
      expect(await readLines(owner, id)).toContainEqual(
        expect.stringMatching(/^(?:killed by SIGKILL|exited \d+), out of memory$/),
      );
    });
    await owner.call('closeDeployment', { id });
  });

  it.skipIf(!canLimit)('gets no more CPU time than its limit', async () => {
    const program = `const until = performance.now() + 1500; while (performance.now() < until);
      const { user, system } = process.cpuUsage(); console.log('used', (user + system) / 1e6);
      setInterval(() => {}, 1e3)`;
    const { id } = await deploy(owner, sdl(program));
    const used = await waitFor(async () => {
      const line = (await readLines(owner, id)).find((each) => each.startsWith('used'));
      expect(line).toBeDefined();
      return Number(line?.slice(5));
    });
    expect(used).toBeLessThan(1.2);
    await owner.call('closeDeployment', { id });
  });
});
