import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RunningHost } from './running-host.ts';
import { snapshotOf } from './folders.ts';
import { close, deployService, linesWith } from './hostile-services.ts';

export function testVolumes(running: () => RunningHost): void {
  /** A folder of the host's user that no service may touch. */
  let victim: string;
  let before: readonly string[];

  beforeAll(() => {
    const { host } = running();
    for (const name of ['a', 'b']) host.write(`spared/${name}`, 0o644);
    victim = path.join(host.folder, 'spared');
    before = snapshotOf(victim);
  });

  it('keeps its own volumes, and makes the host follow no link in them', async () => {
    const { host } = running();
    const script = `
      set -e
      fill() {
        ln -s ${victim} victim; ln -s ${host.dataDir} data; ln -s ../../../../../.. up; ln -s . loop
        mkfifo fifo; : > program; chmod 4755 program; : > "$(printf 'a\\033[2J\\nb')"
        mkdir -p closed/inside; : > closed/inside/file; chmod 0 closed/inside closed
        folder=deep; for i in $(seq 300); do folder=$folder/deep; done; mkdir -p $folder
      }
      cd "$HOSTDECK_VOLUME_CACHE"; echo "cached $(ls | wc -l)"; fill; chmod 0 .
      chmod 700 "$HOSTDECK_VOLUME_DATA"; cd "$HOSTDECK_VOLUME_DATA"; echo x >> runs; echo "run $(wc -l < runs)"
      [ -e fifo ] || fill
      chmod 0 .
      exec sleep 120`;
    const id = await deployService(host.owner, {
      command: ['/bin/sh', '-c', script],
      volumes: {
        data: { mount: '/var/lib/data', persistent: true },
        cache: { mount: '/tmp/cache' },
      },
    });
    for (const run of [1, 2, 3]) {
      await linesWith(host.owner, id, `run ${run}`);
      await linesWith(host.owner, id, 'cached 0', run);
      if (run < 3) {
        expect((await host.owner.call('restartDeployment', { id })).status).toBe(200);
      }
    }
    await close(host.owner, id);
    expect(snapshotOf(victim)).toEqual(before);
  });
}
