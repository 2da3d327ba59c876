import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { beforeEach, afterEach, describe, expect, it } from 'vitest';
import { listContainers } from '../../../source/host/engine/containers.ts';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { deploy, readDeployment, readLines, readLogs } from '../support/bodies.ts';
import { HostFolder, serving } from '../support/host-folder.ts';
import { sharedHost } from '../support/shared-host.ts';
import { type Caller, formOf, temporaryHost } from '../support/temporary-host.ts';
import { containerSdl, image, inspected, sayWhySkipped, testEngine } from './engine.ts';
import { EngineGate } from './engine-gate.ts';
import { waitFor } from '../../support/wait-for.ts';

const program = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

/** Runs until SIGTERM, which a container's first process ignores without a handler. */
const runningOn = 'trap "exit 0" TERM; i=0; while [ $((i+=1)) -lt 1000 ]; do sleep 0.1; done';

describe.skipIf('missing' in found)('a service as a container', () => {
  const engine = found as EngineClient;

  const containersOf = async (deployment: string) =>
    await listContainers(engine, `hostdeck.deployment=${deployment}`);
  const gone = (deployment: string) =>
    waitFor(async () => expect(await containersOf(deployment)).toEqual([]));
  const seen = (caller: Caller, id: string, line: string, count = 1) =>
    waitFor(async () => {
      const lines = await readLines(caller, id);
      expect(lines.filter((each) => each === line).length).toBeGreaterThanOrEqual(count);
      return lines;
    });

  describe('of a running host', () => {
    const service = sharedHost({ runtime: 'container' });
    const owner = service.as('0xowner');

    it('logs complete lines by stream, and the last one without a newline', async () => {
      const script =
        'echo one; echo wrong >&2; sleep 0.2; i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo "line $i"; done; printf last; exit 3';
      const { id } = await deploy(owner, containerSdl(script));
      await seen(owner, id, 'exited 3');
      const logs = await readLogs(owner, id);
      const first = logs.slice(
        0,
        logs.findIndex(({ logLine }) => logLine === 'exited 3'),
      );
      expect(first.filter(({ stream }) => stream === 'stderr').map((log) => log.logLine)).toEqual([
        'wrong',
      ]);
      expect(first.filter(({ stream }) => stream === 'stdout').map((log) => log.logLine)).toEqual([
        'one',
        ...Array.from({ length: 5000 }, (_, index) => `line ${index + 1}`),
        'last',
      ]);
      await seen(owner, id, 'started', 2);
      expect((await readDeployment(owner, id)).services[0]).toMatchObject({ exitCode: 3 });
      await owner.call('closeDeployment', { id });
      await gone(id);
    });

    it('is reachable on its loopback port, and has its files after a restart', async () => {
      const script = `echo "port $PORT of $FLAG in $(pwd)"; httpd -p "$PORT" -h .; ${runningOn}`;
      const sdl = containerSdl(script, { port: 8080, env: ['FLAG=me'] });
      const { id } = await deploy(owner, sdl);
      await seen(owner, id, 'port 8080 of me in /');
      const form = formOf({ 'hello.txt': 'hello from a file', 'deep/er.txt': 'deep' });
      await owner.call('uploadFiles', { id, name: 'web', form });
      await owner.call('restartDeployment', { id });
      await seen(owner, id, 'port 8080 of me in /app');
      const port = (await readDeployment(owner, id)).services[0]?.ports[0];
      const answer = async (file: string) =>
        await waitFor(async () => {
          const { body, statusCode } = await request(`http://127.0.0.1:${port}/${file}`);
          return [statusCode, await body.text()];
        });
      expect(await answer('hello.txt')).toEqual([200, 'hello from a file']);
      expect(await answer('deep/er.txt')).toEqual([200, 'deep']);
      expect(await containersOf(id)).toHaveLength(1);
      await owner.call('closeDeployment', { id });
      await gone(id);
      await waitFor(async () => expect((await readLines(owner, id)).at(-1)).toBe('stopped'));
    });

    it('has the limits of its profile, and logs when it ran out of memory', async () => {
      const resources = { cpu: { units: '500m' }, memory: { size: '32Mi' } };
      const { id } = await deploy(owner, containerSdl('exec tail /dev/zero', { resources }));
      const [container] = await waitFor(async () => {
        const all = await containersOf(id);
        expect(all).not.toEqual([]);
        return all;
      });
      const { HostConfig, Config } = await inspected(engine, container?.Id);
      expect(HostConfig).toMatchObject({ Memory: 32 * 1024 * 1024 });
      // Docker reports NanoCpus, Podman a quota and a period.
      const { NanoCpus, CpuQuota = 0, CpuPeriod = 1 } = HostConfig;
      expect(NanoCpus || (CpuQuota / CpuPeriod) * 1e9).toBe(5e8);
      expect(Config.Env).toContainEqual(expect.stringMatching(/^HOSTDECK_RUN=[\da-f-]{36}$/));
      await waitFor(async () => {
        // Podman does not report OOMKilled on every system.
        expect((await readLines(owner, id))[2]).toMatch(/^exited 137(?:, out of memory)?$/);
      });
      await owner.call('closeDeployment', { id });
      await gone(id);
    });

    it('without a command runs that of the image, and logs when the image has none', async () => {
      const { id } = await deploy(
        owner,
        JSON.stringify({
          ...JSON.parse(containerSdl('')),
          services: { web: { image } },
        }),
      );
      await waitFor(async () => {
        expect((await readLines(owner, id))[1]).toMatch(/^cannot start: .*(?:command|entrypoint)/i);
      });
      await owner.call('closeDeployment', { id });
      await gone(id);
    });

    it('logs a failed pull of its image, and can be closed', async () => {
      const missing = 'localhost:1/hostdeck/missing';
      const { id } = await deploy(owner, containerSdl('true', { image: missing }));
      await waitFor(async () => {
        const lines = await readLines(owner, id);
        expect(lines[0]).toBe(`pulling ${missing}:latest`);
        expect(lines[1]).toMatch(
          /^cannot start: can't pull image localhost:1\/hostdeck\/missing:latest: ./,
        );
        expect(lines[2]).toBe('starts again in 1 s');
      });
      expect((await readDeployment(owner, id)).state).toBe('failed');
      await owner.call('closeDeployment', { id });
    });

    it('is not killed when it ends on SIGTERM', async () => {
      const { id } = await deploy(
        owner,
        containerSdl('trap "echo bye; exit 0" TERM; echo up; sleep 60 & wait'),
      );
      await seen(owner, id, 'up');
      await owner.call('closeDeployment', { id });
      await gone(id);
      await seen(owner, id, 'bye');
    });
  });

  describe('of a host that is killed', () => {
    const folder = HostFolder.ofEachTest();

    it('is ended by the next host with the data folder, and by no other', async () => {
      const child = folder.run({ ...serving, runtime: 'container' });
      const caller = await folder.caller();
      const { id } = await deploy(caller, containerSdl(`echo up; ${runningOn}`));
      await seen(caller, id, 'up');
      child.kill('SIGKILL');
      await once(child, 'exit');
      const [orphan] = await containersOf(id);
      expect(orphan?.State).toBe('running');

      const other = await temporaryHost({ runtime: 'container' });
      await other.remove();
      expect((await containersOf(id))[0]?.Id).toBe(orphan?.Id);

      await folder.start({ runtime: 'container' });
      const after = await folder.caller();
      await seen(after, id, 'up', 2);
      const containers = await containersOf(id);
      expect(containers).toHaveLength(1);
      expect(containers[0]?.Id).not.toBe(orphan?.Id);
      await after.call('closeDeployment', { id });
      await gone(id);
    });

    it('runs from the bundled program', async () => {
      const flags = ['--runtime', 'container', '--port', '0', '--data', folder.dataDir];
      const child = spawn(process.execPath, [program, 'host', ...flags], { stdio: 'ignore' });
      try {
        const caller = await folder.caller();
        const { id } = await deploy(caller, containerSdl(`echo up; ${runningOn}`));
        await seen(caller, id, 'up');
      } finally {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
    });

    it('is ended even by a host that runs processes', async () => {
      const child = folder.run({ ...serving, runtime: 'auto' });
      const caller = await folder.caller();
      const sdl = JSON.parse(containerSdl(''));
      sdl.services.web = { image, args: ['sleep', '120'] };
      const { id } = await deploy(caller, JSON.stringify(sdl));
      await seen(caller, id, 'started');
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await containersOf(id)).toHaveLength(1);
      await folder.start();
      expect(await containersOf(id)).toEqual([]);
    });
  });

  describe('on an engine that is unreachable for a while', () => {
    let folder: HostFolder;
    let gate: EngineGate;
    let caller: Caller;

    beforeEach(async () => {
      folder = await HostFolder.make('data');
      gate = new EngineGate(engine.endpoint, path.join(folder.dataDir, '..', 'engine.sock'));
      await gate.open();
      await folder.start({ runtime: 'container', engineEnvironment: gate.environment });
      caller = await folder.caller();
    });

    afterEach(async () => {
      await folder.remove();
      await gate.close();
    });

    it('runs on during a short outage, which is logged', async () => {
      const { id } = await deploy(caller, containerSdl(`echo up; ${runningOn}`));
      await seen(caller, id, 'up');
      const [before] = await containersOf(id);
      await gate.close();
      await gate.open();
      await seen(
        caller,
        id,
        'the container engine was unreachable; lines written meanwhile are missing',
      );
      expect((await containersOf(id)).map(({ Id }) => Id)).toEqual([before?.Id]);
      expect((await readDeployment(caller, id)).state).toBe('active');
      await caller.call('closeDeployment', { id });
      await gone(id);
    });

    it('counts as lost during a long outage, and runs once when the engine is back', async () => {
      const { id } = await deploy(caller, containerSdl(`echo up; ${runningOn}`));
      await seen(caller, id, 'up');
      const [before] = await containersOf(id);
      await gate.close();
      await seen(caller, id, 'lost: the container engine does not answer');
      await waitFor(async () => {
        const lines = await readLines(caller, id);
        expect(lines.at(-2)).toMatch(/^cannot start: no container engine answers on unix:/);
      });
      expect((await readDeployment(caller, id)).state).toBe('failed');
      await gate.open();
      await seen(caller, id, 'up', 2);
      const containers = await containersOf(id);
      expect(containers).toHaveLength(1);
      expect(containers[0]?.Id).not.toBe(before?.Id);
      await caller.call('closeDeployment', { id });
      await gone(id);
    });
  });
});
