import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import {
  describeMissingLimits,
  refusesProcessLimit,
  refusesStorageLimit,
} from '../../../source/host/runtime/container.ts';
import { fakeEngine, json } from '../engine/fake-engine.ts';
import { type Altered, AlteredEngine, type Asked } from './altered-engine.ts';
import { sayWhySkipped, testEngine } from './engine.ts';
import { runContainer } from './run-container.ts';

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

const resources = { cpu: 0.5, memory: 2 ** 27 };
const State = { Running: true, ExitCode: 0, OOMKilled: false };

/** Resolves with the log lines for an engine that reports this host configuration. */
async function linesOf(
  HostConfig: unknown,
  asked: { refusal?: string; warnings?: readonly string[] } = {},
) {
  const engine = await fakeEngine((arrived) => json(arrived, 200, { State, HostConfig }));
  const limits = { resources, warnings: [], ...asked };
  return await describeMissingLimits(await engine.connect(), 'x', limits);
}

describe('the limits of a container', () => {
  it('are not logged when they are enforced, or the engine does not report them', async () => {
    const docker = { NanoCpus: 5e8, CpuQuota: 0, Memory: 2 ** 27, PidsLimit: 512 };
    expect(await linesOf(docker)).toEqual([]);
    const podman = { NanoCpus: 0, CpuQuota: 50_000, Memory: 2 ** 27, PidsLimit: 512 };
    expect(await linesOf(podman)).toEqual([]);
    expect(await linesOf({})).toEqual([]);
    expect(await linesOf(null)).toEqual([]);
  });

  it.each([
    [
      { NanoCpus: 0, CpuQuota: 0, Memory: 0, PidsLimit: 0 },
      '0.5 CPU, 128 MiB of memory, 512 processes',
    ],
    [{ NanoCpus: 5e8, Memory: 2 ** 27, PidsLimit: null }, '512 processes'],
    [{ NanoCpus: 5e8, Memory: 0, PidsLimit: -1 }, '128 MiB of memory, 512 processes'],
  ])('that an engine dropped are logged: %j', async (HostConfig, limits) => {
    expect(await linesOf(HostConfig)).toEqual([
      `limits not enforced: ${limits} (the container engine dropped them)`,
    ]);
  });

  it('that an engine refused are logged with the reason, after its warnings', async () => {
    const lines = await linesOf(
      { NanoCpus: 5e8, Memory: 2 ** 27, PidsLimit: 0 },
      { refusal: 'no pids', warnings: ['Memory limited without swap.'] },
    );
    expect(lines).toEqual([
      'the container engine warns: Memory limited without swap.',
      'limits not enforced: 512 processes (no pids)',
    ]);
  });

  it.each([
    ['crun: the requested cgroup controller `pids` is not available: OCI runtime error', true],
    ['cannot set limits without cgroups: OCI runtime error', true],
    ['crun: executable file `rapids` not found', false],
    ['no space left on device', false],
  ])('are the reason of the error %j: %j', (reason, isRefused) => {
    expect(refusesProcessLimit(reason)).toBe(isRefused);
  });

  it.each([
    ["--storage-opt is supported only for overlay over xfs with 'pquota' mount option", true],
    ['--storage-opt is not supported for vfs', true],
    ['no space left on device', false],
    ['the requested cgroup controller `pids` is not available', false],
  ])('a refusal of the storage limit is recognized: %s', (reason, isRefused) => {
    expect(refusesStorageLimit(reason)).toBe(isRefused);
  });
});

describe.skipIf('missing' in found)('a container on a real engine', () => {
  const engine = found as EngineClient;
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-limits-'));
  });

  afterAll(() => rm(folder, { recursive: true }));

  const through = async (alter: (asked: Asked) => Altered | undefined) => {
    const altered = await AlteredEngine.open(engine.endpoint, alter);
    onTestFinished(() => altered.close());
    return altered.environment;
  };

  it('has only the capabilities that it needs, and gains none', async () => {
    const script = `
      grep -E '^(Cap(Eff|Prm|Bnd)|NoNewPrivs)' /proc/self/status | tr -d '\\t'
      touch /file && chown 1000:1000 /file && echo chown
      httpd -p 80 && echo port
      mknod /device c 1 3 2>/dev/null || echo no mknod
      chroot / /bin/true 2>/dev/null || echo no chroot
      mount -t tmpfs none /tmp 2>/dev/null || echo no mount`;
    const { lines, events } = await runContainer(folder, script);
    expect(lines).toEqual([
      // Bits 0, 1, 3, 5, 6, 7 and 10.
      'CapPrm:00000000000004eb',
      'CapEff:00000000000004eb',
      'CapBnd:00000000000004eb',
      'NoNewPrivs:1',
      'chown',
      'port',
      'no mknod',
      'no chroot',
      'no mount',
    ]);
    expect(events).toEqual(['isolation: container']);
  });

  it('can create only a limited number of processes', async () => {
    const script = `i=0; while [ $i -lt 600 ]; do sleep 60 & i=$((i+1)); echo $i; done`;
    const { lines } = await runContainer(folder, script);
    const made = Number(lines.findLast((line) => /^\d+$/.test(line)));
    expect(made).toBeGreaterThan(400);
    expect(made).toBeLessThan(512);
  });

  it('runs without a process limit when the engine refuses it, and logs that', async () => {
    const message = 'crun: the requested cgroup controller `pids` is not available';
    const limits: unknown[] = [];
    const env = await through(({ path: asked, body }) => {
      if (asked.startsWith('/containers/create'))
        limits.push(JSON.parse(body).HostConfig.PidsLimit);
      return asked.endsWith('/start') && limits.length === 1
        ? { status: 500, body: { message } }
        : undefined;
    });
    const { lines, events, end } = await runContainer(folder, 'echo ran', { env });
    expect({ lines, events, code: end?.code }).toEqual({
      lines: ['ran'],
      events: ['isolation: container', `limits not enforced: 512 processes (${message})`],
      code: 0,
    });
    expect(limits).toEqual([512, undefined]);
  });

  it('logs the limits that an engine dropped silently', async () => {
    let inspected = 0;
    const HostConfig = { NanoCpus: 0, CpuQuota: 0, Memory: 0, PidsLimit: 0 };
    const env = await through(({ path: asked }) => {
      if (!/^\/containers\/[\da-f]+\/json/.test(asked)) return undefined;
      inspected += 1;
      return inspected === 1 ? { status: 200, body: { State, HostConfig } } : undefined;
    });
    const { lines, events } = await runContainer(folder, 'sleep 1; echo ran', { env, resources });
    expect(lines).toEqual(['ran']);
    expect(events).toEqual([
      'isolation: container',
      'limits not enforced: 0.5 CPU, 128 MiB of memory, 512 processes (the container engine dropped them)',
    ]);
  });
});
