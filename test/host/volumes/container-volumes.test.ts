import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { listContainers } from '../../../source/host/engine/containers.ts';
import {
  createEngineVolume,
  listEngineVolumes,
} from '../../../source/host/engine/engine-volumes.ts';
import { waitFor } from '../../support/wait-for.ts';
import { containerSdl, sayWhySkipped, testEngine } from '../runtime/engine.ts';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { HostFolder, serving } from '../support/host-folder.ts';
import { sharedHost } from '../support/shared-host.ts';
import { type Caller, formOf } from '../support/temporary-host.ts';

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

const runningOn = 'trap "exit 0" TERM; i=0; while [ $((i+=1)) -lt 1000 ]; do sleep 0.1; done';

const data = { data: { mount: '/var/lib/data', persistent: true } };

const counting =
  'echo x >>"$HOSTDECK_VOLUME_DATA/runs"; echo "run $(wc -l <"$HOSTDECK_VOLUME_DATA/runs") at $HOSTDECK_VOLUME_DATA";';

describe.skipIf('missing' in found)('a volume of a container', () => {
  const engine = found as EngineClient;

  const volumesOf = async (id: string) =>
    await listEngineVolumes(engine, `hostdeck.deployment=${id}`);
  const gone = async (id: string) => {
    await waitFor(async () => {
      expect(await listContainers(engine, `hostdeck.deployment=${id}`)).toEqual([]);
      expect(await volumesOf(id)).toEqual([]);
    });
  };
  const seen = async (caller: Caller, id: string, pattern: RegExp, count = 1) =>
    await waitFor(async () => {
      const lines = (await readLines(caller, id)).filter((line) => pattern.test(line));
      expect(lines.length).toBeGreaterThanOrEqual(count);
      return lines;
    });

  describe('of a running host', () => {
    const service = sharedHost({ runtime: 'container', keepClosedMs: 0 });
    const owner = service.as('0xowner');
    const close = async (id: string) => {
      await owner.call('closeDeployment', { id });
      await gone(id);
    };

    it('outlives crashes, restarts and hosts, and is removed with its deployment', async () => {
      const script = `${counting} [ "$(wc -l <"$HOSTDECK_VOLUME_DATA/runs")" -gt 1 ] || exit 3; ${runningOn}`;
      const { id, warnings } = await deploy(owner, containerSdl(script, { volumes: data }));
      expect(warnings).toEqual([]);
      await seen(owner, id, /^run 1 at \/var\/lib\/data$/);
      await seen(owner, id, /^run 2 at /);
      await owner.call('restartDeployment', { id });
      await seen(owner, id, /^run 3 at /);
      await service.again();
      await seen(owner, id, /^run 4 at /);
      const [volume, ...others] = await volumesOf(id);
      expect(others).toEqual([]);
      expect(volume?.Labels).toEqual({
        'hostdeck.host': expect.stringMatching(/^[\da-f]{16}$/),
        'hostdeck.deployment': id,
        'hostdeck.service': 'web',
        'hostdeck.instance': '1',
        'hostdeck.volume': 'data',
      });
      await close(id);
    });

    it('has its use in the record of its deployment', async () => {
      const script = `head -c 2000000 /dev/urandom >"$HOSTDECK_VOLUME_DATA/file"; ${runningOn}`;
      const { id } = await deploy(owner, containerSdl(script, { volumes: data }));
      await waitFor(async () => {
        const [web] = (await readDeployment(owner, id)).services;
        expect(web?.volumes?.[0]?.used).toBeGreaterThanOrEqual(2_000_000);
      });
      await close(id);
    });

    it('is not that of another instance', async () => {
      const sdl = containerSdl(`${counting} ${runningOn}`, { volumes: data, count: 2 });
      const { id } = await deploy(owner, sdl);
      await seen(owner, id, /^run 1 at /, 2);
      expect(await volumesOf(id)).toHaveLength(2);
      await close(id);
    });

    it('is empty at each start unless it is persistent, and leaves nothing behind', async () => {
      const volumes = {
        cache: { mount: '/cache' },
        shm: { mount: '/dev/shm', class: 'ram', size: '8Mi' },
        memory: { mount: '/memory', class: 'ram', size: '4Mi' },
      };
      const script = `
        for folder in "$HOSTDECK_VOLUME_CACHE" "$HOSTDECK_VOLUME_SHM" "$HOSTDECK_VOLUME_MEMORY"; do
          echo "entries $(ls "$folder" | wc -l) in $folder"; echo x >"$folder/file"; done
        df -k /dev/shm /memory | awk 'NR > 1 { print "size", $2, $6 }'; echo done; exit 1`;
      const before = new Set((await volumesWithoutLabels(engine)).map(({ Name }) => Name));
      const { id } = await deploy(owner, containerSdl(script, { volumes }));
      await seen(owner, id, /^done$/, 2);
      const lines = new Set(await seen(owner, id, /^(?:entries|size)/));
      expect(lines).toEqual(
        new Set([
          'entries 0 in /cache',
          'entries 0 in /dev/shm',
          'entries 0 in /memory',
          'size 8192 /dev/shm',
          'size 4096 /memory',
        ]),
      );
      await close(id);
      const left = await volumesWithoutLabels(engine);
      expect(left.filter(({ Name }) => !before.has(Name))).toEqual([]);
    });

    it('that is read-only refuses writes', async () => {
      const volumes = {
        conf: { mount: '/conf', readOnly: true, persistent: true },
        none: { mount: '/none', readOnly: true },
      };
      const script = `for folder in /conf /none; do
        touch $folder/file || echo "refused $folder"; done; ${runningOn}`;
      const { id } = await deploy(owner, containerSdl(script, { volumes }));
      await seen(owner, id, /^refused \/conf$/);
      await seen(owner, id, /^refused \/none$/);
      await close(id);
    });

    it("below the folder of the service's files hides those of that name", async () => {
      const volumes = { data: { mount: '/app/data', persistent: true } };
      const script = `${counting} ls -R /app; ${runningOn}`;
      const { id } = await deploy(owner, containerSdl(script, { volumes }));
      await seen(owner, id, /^run 1 at \/app\/data$/);
      const form = formOf({ 'data/hidden': 'x', 'data.txt': 'x', 'deep/data/shown': 'x' });
      await owner.call('uploadFiles', { id, name: 'web', form });
      await owner.call('restartDeployment', { id });
      await seen(owner, id, /^run 2 at \/app\/data$/);
      await seen(owner, id, /^shown$/);
      await seen(owner, id, /^data\.txt$/);
      expect(await readLines(owner, id)).not.toContain('hidden');
      await close(id);
    });

    it('of another host is left alone, also when it has the label of a deployment', async () => {
      const name = 'hostdeck-test-of-another-host';
      const { id } = await deploy(owner, containerSdl(runningOn, { volumes: data }));
      await seen(owner, id, /^started$/);
      const labels = { 'hostdeck.host': 'another', 'hostdeck.deployment': id };
      await createEngineVolume(engine, name, labels);
      await owner.call('closeDeployment', { id });
      await waitFor(async () => {
        expect((await volumesOf(id)).map(({ Name }) => Name)).toEqual([name]);
      });
      await engine.command('DELETE', `/volumes/${name}`);
    });
  });

  describe('of a host that is killed', () => {
    const folder = HostFolder.ofEachTest();

    it('is found by the next one, and removed once its deployment is', async () => {
      const child = folder.run({ ...serving, runtime: 'container' });
      let caller = await folder.caller();
      const kept = await deploy(
        caller,
        containerSdl(`${counting} ${runningOn}`, { volumes: data }),
      );
      await seen(caller, kept.id, /^run 1 at /);
      const closed = await deploy(caller, containerSdl(runningOn, { volumes: data }));
      await seen(caller, closed.id, /^started$/);
      await caller.call('closeDeployment', { id: closed.id });
      child.kill('SIGKILL');
      await once(child, 'exit');
      expect(await volumesOf(closed.id)).toHaveLength(1);
      const host = await folder.start({ runtime: 'container', keepClosedMs: 0 });
      await gone(closed.id);
      caller = await folder.caller();
      await seen(caller, kept.id, /^run 2 at /);
      await caller.call('closeDeployment', { id: kept.id });
      await gone(kept.id);
      await host.close();
    });

    it('is removed by a later host when the engine did not answer at the time', async () => {
      const first = await folder.start({ runtime: 'container' });
      const { id } = await deploy(
        await folder.caller(),
        containerSdl(`${counting} ${runningOn}`, { volumes: data }),
      );
      await seen(await folder.caller(), id, /^run 1 at /);
      await (await folder.caller()).call('closeDeployment', { id });
      await first.close();
      const engineEnvironment = { DOCKER_HOST: `unix://${folder.dataDir}/missing.sock` };
      const second = await folder.start({
        runtime: 'container',
        keepClosedMs: 0,
        engineEnvironment,
      });
      await waitFor(async () => {
        const { status } = await (await folder.caller()).call('listFiles', { id, name: 'web' });
        expect(status).toBe(410);
      });
      expect(await volumesOf(id)).toHaveLength(1);
      await second.close();
      await folder.start({ runtime: 'container' });
      await gone(id);
    });
  });
});

/** Returns the volumes that an engine made by itself; tests that run beside these have named ones. */
async function volumesWithoutLabels(engine: EngineClient) {
  const { Volumes } = (await engine.request('GET', '/volumes')) as {
    readonly Volumes: readonly { readonly Name: string; readonly Labels?: object | null }[] | null;
  };
  return (Volumes ?? []).filter(({ Labels }) => Object.keys(Labels ?? {}).length === 0);
}
