import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { backUp } from '../../../source/host/backup/back-up.ts';
import { restoreBackup } from '../../../source/host/backup/restore-backup.ts';
import { listContainers } from '../../../source/host/engine/containers.ts';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { listEngineVolumes } from '../../../source/host/engine/engine-volumes.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { AlteredEngine } from '../runtime/altered-engine.ts';
import { containerSdl, sayWhySkipped, testEngine } from '../runtime/engine.ts';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { engineVolumesOf } from './test-engine-volumes.ts';

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

const runningOn = 'trap "exit 0" TERM; i=0; while [ $((i+=1)) -lt 1000 ]; do sleep 0.1; done';

/** Prints what it finds in its volume, and fills an empty one. */
const script = `cd /data
  if [ -e secret ]; then
    echo "found $(cat secret) $(stat -c %a . secret private | xargs) $(cat private/deep/er)" \\
      "$(readlink link) $(stat -c %h twin) $(ls -d pipe) $(ls | wc -l)"
    echo changed >secret
  else
    mkdir -p private/deep && chmod 700 private && echo below >private/deep/er
    echo precious >secret && chmod 600 secret && ln secret twin && chmod 751 .
    ln -s "/etc/$(printf 'long/%.0s' 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20)" link
    mkfifo pipe && head -c 300000 /dev/urandom >noise
    echo wrote
  fi
  ${runningOn}`;

const foundAll = `found precious 751 600 700 below /etc/${'long/'.repeat(20)} 2 pipe 6`;

const volumes = { data: { mount: '/data', persistent: true } };

describe.skipIf('missing' in found)('the volumes of containers', () => {
  const engine = found as EngineClient;

  async function start(options: Partial<Parameters<typeof temporaryHost>[0]> = {}) {
    const host = await temporaryHost({ runtime: 'container', keepClosedMs: 0, ...options });
    onTestFinished(() => host.remove());
    return host;
  }

  const closed = async (host: TemporaryHost, id: string) => {
    await host.as('0xa').call('closeDeployment', { id });
  };

  const seen = async (host: TemporaryHost, id: string, line: string | RegExp) =>
    await waitFor(async () => {
      const lines = await readLines(host.as('0xa'), id);
      expect(lines).toContainEqual(expect.stringMatching(line));
      return lines;
    });

  const contentsOf = (dataDir: string, id: string) => {
    const folder = path.join(dataDir, 'deployments', id, 'engine-volumes', 'web', '1');
    return existsSync(folder) ? readdirSync(folder) : [];
  };

  async function backUpTo(dataDir: string) {
    const file = path.join(temporaryFolder(), 'backup');
    const options = { dataDir, file, version: 'test', machineFolder: '/nowhere' };
    const summary = await backUp({ ...options, hasVolumes: true, engineVolumesOf });
    return { file, summary };
  }

  async function restored(file: string): Promise<string> {
    const target = path.join(temporaryFolder(), 'restored');
    await restoreBackup(file, target);
    return target;
  }

  it.each(['while it runs', 'without a host'])(
    'are in a backup that asks for them, %s, and in a backup of what it restores',
    async (when) => {
      const host = await start();
      const { id } = await deploy(host.as('0xa'), containerSdl(script, { volumes }));
      await seen(host, id, /^wrote$/);
      if (when === 'without a host') await host.host.close();
      const { file, summary } = await backUpTo(host.dataDir);
      expect(summary).toMatchObject({ skipped: 0, withoutVolumes: 0, withoutEngineVolumes: 0 });
      const [volume] = await listEngineVolumes(engine, `hostdeck.deployment=${id}`);
      const label = `hostdeck.host=${volume?.Labels['hostdeck.host']}`;
      const ofHost = await listContainers(engine, label);
      expect(ofHost.filter(({ State }) => State === 'created')).toEqual([]);

      const target = await restored(file);
      expect(contentsOf(target, id)).toEqual(['data.tar']);
      const again = await restored((await backUpTo(target)).file);
      for (const dataDir of [target, again]) {
        const copy = await start({ dataDir });
        await seen(copy, id, /^volume data has the content of the backup$/);
        const lines = await seen(copy, id, /^found/);
        expect(lines).toContain(foundAll);
        expect(contentsOf(dataDir, id)).toEqual([]);
        await copy.as('0xa').call('restartDeployment', { id });
        await seen(copy, id, /^found changed/);
        await closed(copy, id);
      }
      if (when === 'while it runs') await closed(host, id);
      else await (await start({ dataDir: host.dataDir })).as('0xa').call('closeDeployment', { id });
      await waitFor(async () => {
        expect(await listEngineVolumes(engine, `hostdeck.deployment=${id}`)).toEqual([]);
      });
    },
  );

  it('stay in the data folder while an engine refuses them, and start with the next attempt', async () => {
    const host = await start();
    const { id } = await deploy(host.as('0xa'), containerSdl(script, { volumes }));
    await seen(host, id, /^wrote$/);
    const dataDir = await restored((await backUpTo(host.dataDir)).file);
    await closed(host, id);
    let isRefused = true;
    const altered = await AlteredEngine.open(engine.endpoint, ({ method, path: at }) =>
      isRefused && method === 'PUT' && at.includes('/archive')
        ? { status: 500, body: { message: 'no space left on device' } }
        : undefined,
    );
    onTestFinished(() => altered.close());
    const copy = await start({ dataDir, engineEnvironment: altered.environment });
    await seen(copy, id, /can't restore volume data: no space left on device/);
    expect(contentsOf(dataDir, id)).toEqual(['data.tar']);
    isRefused = false;
    expect(await seen(copy, id, /^found/)).toContain(foundAll);
    expect(contentsOf(dataDir, id)).toEqual([]);
    // The first line may come before the engine has answered the start.
    const state = async (): Promise<unknown> => (await readDeployment(copy.as('0xa'), id)).state;
    await expect.poll(state).toBe('active');
    await closed(copy, id);
  });
});
