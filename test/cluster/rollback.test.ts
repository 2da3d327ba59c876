import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../source/host/clock.ts';
import { objectFields } from '../../source/host/engine/fields.ts';
import { listNodes } from '../../source/host/engine/swarm.ts';
import { deploy, readDeployment, readLines } from '../host/support/bodies.ts';
import {
  type Caller,
  formOf,
  type TemporaryHost,
  temporaryHost,
} from '../host/support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import { answers, client, isMissing, onBed, runningTasks, servicesOf, webSdl } from './bed.ts';

const serving = (version: string) => `
  console.log('serves ${version}');
  require('node:http').createServer((_, answer) => answer.end('${version}')).listen(process.env.PORT);
`;

const failing = `console.log('last words'); process.exit(1);`;

/** Lets the nodes of the swarm take new tasks, or none. */
async function setAvailability(availability: 'active' | 'pause'): Promise<void> {
  for (const { id } of await listNodes(client)) {
    const { Version, Spec } = objectFields(await client.request('GET', `/nodes/${id}`));
    const query = { version: String(objectFields(Version)['Index']) };
    const json = { ...objectFields(Spec), Availability: availability };
    await client.command('POST', `/nodes/${id}/update`, { query, json });
  }
}

describe.skipIf(isMissing)('a restart on a swarm whose new version does not run', () => {
  /** Time that the host's clock is ahead. */
  let ahead = 0;
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() + ahead };
  let service: TemporaryHost;
  let owner: Caller;
  beforeAll(async () => {
    service = await temporaryHost({ ...onBed, clock });
    owner = service.as('0xowner');
  });
  afterAll(async () => {
    await setAvailability('active');
    await service.remove();
  });

  const put = async (id: string, program: string) => {
    const form = formOf({ 'server.js': program });
    await owner.call('uploadFiles', { id, name: 'web', form });
    await owner.call('restartDeployment', { id });
  };

  /** Resolves with the endpoints of a deployment whose one instance serves a version. */
  const serves = async (id: string, version: string) =>
    await waitFor(async () => {
      const { state, services } = await readDeployment(owner, id);
      expect(state).toBe('active');
      const endpoints = services[0]?.endpoints;
      expect(await answers(endpoints)).toEqual([version]);
      return endpoints;
    });

  test('is undone, also for the next host, while the version before answers', async () => {
    const { id } = await deploy(owner, webSdl(1));
    await put(id, serving('one'));
    const endpoints = await serves(id, 'one');
    const [before] = await runningTasks(id);

    const over = new AbortController();
    let asked = 0;
    const asking = (async () => {
      while (!over.signal.aborted) {
        expect(await answers(endpoints)).toEqual(['one']);
        asked += 1;
        await delay(20);
      }
    })();
    await put(id, failing);
    const reason = await waitFor(async () => {
      const { rolledBack, state } = await readDeployment(owner, id);
      expect(state).toBe('active');
      expect(rolledBack).toBeDefined();
      return rolledBack?.reason;
    });
    expect(reason).toBe('web exited 1 after each of 3 starts');
    await waitFor(async () => {
      expect(await servicesOf(id)).toHaveLength(1);
    });
    await service.again();
    await serves(id, 'one');
    over.abort();
    await asking;
    expect(asked).toBeGreaterThan(0);
    expect((await runningTasks(id)).map((task) => task.id)).toEqual([before?.id]);

    const lines = await readLines(owner, id);
    expect(lines.filter((line) => line === 'last words')).toHaveLength(3);
    expect(lines).toContain(
      'restart undone, the version before runs: web exited 1 after each of 3 starts',
    );

    await put(id, serving('two'));
    await serves(id, 'two');
    expect((await readDeployment(owner, id)).rolledBack).toBeUndefined();
    await owner.call('closeDeployment', { id });
  });

  test('is undone with the reason when no node has room for it', async () => {
    const { id } = await deploy(owner, webSdl(1));
    await put(id, serving('one'));
    await serves(id, 'one');
    await setAvailability('pause');
    await put(id, serving('two'));
    await waitFor(async () => {
      expect(await servicesOf(id)).toHaveLength(2);
    });
    ahead += 120_000;
    await waitFor(async () => {
      const { rolledBack, state } = await readDeployment(owner, id);
      expect(state).toBe('active');
      expect(rolledBack?.reason).toMatch(
        /^web got no node in \d+ s for the one more instance .*: no suitable node/,
      );
    });
    await serves(id, 'one');
    await setAvailability('active');
    await owner.call('closeDeployment', { id });
    await waitFor(async () => {
      expect(await servicesOf(id)).toEqual([]);
    });
  });
});
