import { request } from 'undici';
import { expect } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { machineVolumes } from '../support/machine-volumes.ts';
import { type Caller, formOf, nodeService, sdlOf } from '../support/temporary-host.ts';
import { filesCalled, machineRuns } from './folders.ts';
import { canary, type HostileHost } from './hostile-host.ts';
import { knownProcess, pidsWithEntry } from './processes.ts';
import type { KnownProcess } from './service/attack.ts';

/** A service that another service attacks. */
export interface Victim {
  readonly id: string;
  readonly port: number;
  readonly process: KnownProcess;
  /** Paths of its file in the staged tree, and in the run tree and the volume. */
  readonly staged: readonly string[];
  readonly running: readonly string[];
  /** Throws unless the same process still answers. */
  assertWell(): Promise<void>;
}

/** Deploys a service with a file, a variable and a port. */
export async function deployVictim(
  host: HostileHost,
  caller: Caller,
  name: string,
): Promise<Victim> {
  // Hosts of other tests run services with the same name.
  const uniqueName = `${name}-${host.pid}`;
  const entry = `${canary}=a secret of ${uniqueName}`;
  const file = `${uniqueName}.txt`;
  const program = `
    require('node:fs').writeFileSync(process.env.HOSTDECK_VOLUME_DATA + '/${file}', 'a secret');
    require('node:http').createServer((_, answer) => answer.end('${uniqueName}'))
    .listen(process.env.PORT, '127.0.0.1')`;
  const service = nodeService(program, {
    port: 8080,
    env: [entry],
    volumes: { data: { mount: '/data', persistent: true } },
  });
  const { id } = await deploy(caller, sdlOf({ web: service }));
  const says = (word: string) =>
    waitFor(async () => {
      const lines = await readLines(caller, id);
      expect(lines.some((line) => line.startsWith(word))).toBe(true);
    });
  // A restart before the first start is that start.
  await waitFor(async () =>
    expect(await readDeployment(caller, id)).toMatchObject({ state: 'active' }),
  );
  await says('started');
  await caller.call('uploadFiles', { id, name: 'web', form: formOf({ [file]: 'a secret' }) });
  await caller.call('restartDeployment', { id });
  await says('restarted');
  const { port, found, process } = await waitFor(async () => {
    const { state, services } = await readDeployment(caller, id);
    const [port] = services[0]?.ports ?? [];
    const [pid] = pidsWithEntry(entry);
    const folders = [host.dataDir, machineRuns, machineVolumes];
    const found = folders.flatMap((folder) => filesCalled(file, folder));
    if (state !== 'active' || port === undefined || pid === undefined || found.length < 3) {
      throw new Error(`${name} does not run yet`);
    }
    await answer(port, uniqueName);
    return { port, found, process: knownProcess(pid) };
  });
  const isStaged = (each: string) => each.includes('/staged/');
  return {
    id,
    port,
    process,
    staged: found.filter(isStaged),
    running: found.filter((each) => !isStaged(each)),
    async assertWell() {
      await answer(port, uniqueName);
      if (knownProcess(process.pid).startedAt !== process.startedAt) {
        const lines = (await readLines(caller, id)).slice(-6).join('; ');
        throw new Error(`the process of ${name} is another one: ${lines}`);
      }
    },
  };
}

/** Throws unless the service with this name answers: another one may have the port by now. */
async function answer(port: number, name: string): Promise<void> {
  const { body } = await request(`http://127.0.0.1:${port}/`);
  if ((await body.text()) !== name) throw new Error('another service answers');
}
