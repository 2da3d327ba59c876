import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import type { HostOptions } from '../../source/host/server/serve.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import {
  type Caller,
  formOf,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { runsOf } from './support/run-folders.ts';
import { waitFor } from '../support/wait-for.ts';

const hour = 60 * 60 * 1000;

const sdl = sdlOf({ web: nodeService(`console.log('ready'); setInterval(() => {}, 1e4)`) }, 'shop');

const sentence =
  /^The files and logs of this deployment, which was closed at \d{4}-\d\d-\d\d \d\d:\d\d UTC, were removed at \d{4}-\d\d-\d\d \d\d:\d\d UTC to free disk space\.$/;

async function startHost(options: Partial<HostOptions>) {
  const service = await temporaryHost(options);
  onTestFinished(() => service.remove());
  return { service, owner: service.as('0xowner') };
}

/** Creates a deployment with a file that the API changed, and waits for its first line. */
async function createShop(owner: Caller): Promise<string> {
  const { id } = await deploy(owner, sdl);
  await owner.call('uploadFiles', { id, name: 'web', form: formOf({ 'a.txt': 'text' }) });
  await waitFor(async () => expect(await readLines(owner, id)).toContain('ready'));
  return id;
}

const storedIds = ({ dataDir }: TemporaryHost) => readdirSync(path.join(dataDir, 'deployments'));

/** Waits until the files and logs are removed, and checks all answers about them. */
async function expectRemoved(service: TemporaryHost, owner: Caller, id: string): Promise<void> {
  await waitFor(() => expect(storedIds(service)).not.toContain(id));
  const at = { id, name: 'web', path: 'a.txt' };
  for (const operation of ['listFiles', 'getFile', 'fetchLogs'] as const) {
    const answer = errorIn(await owner.call(operation, at));
    expect(answer).toMatchObject({ status: 410, code: 'gone' });
    expect(answer.message).toMatch(sentence);
  }
  const write = await owner.call('updateFile', { ...at, json: { content: 'more' } });
  expect(errorIn(write)).toMatchObject({ status: 409, code: 'conflict' });
  expect(errorIn(await owner.call('listFiles', { id, name: 'none' })).status).toBe(404);
  expect(await streamStatus(service, owner, id)).toBe(410);
  const rows = fieldOf(await owner.call('listDeployments'), 'deployments');
  expect(rows).toMatchObject([{ id, name: 'shop', state: 'closed', services: [{ name: 'web' }] }]);
  expect(await readDeployment(owner, id)).toMatchObject({ id, state: 'closed', sdl });
  expect((await owner.call('closeDeployment', { id })).status).toBe(200);
}

async function streamStatus({ host }: TemporaryHost, { token }: Caller, id: string) {
  const url = new URL(logStreamPath, host.baseUrl.replace('http', 'ws'));
  url.searchParams.set('deploymentId', id);
  const socket = new WebSocket(url, { headers: { authorization: `Bearer ${token}` } });
  socket.on('error', () => undefined);
  const [, response] = (await once(socket, 'unexpected-response')) as [
    unknown,
    { statusCode: number },
  ];
  return response.statusCode;
}

describe('a closed deployment', () => {
  it('keeps files and logs for the time of the host, over restarts, and its record after it', async () => {
    const clock = new ManualClock();
    const { service, owner } = await startHost({ clock, keepClosedMs: 2 * hour });
    const id = await createShop(owner);
    await owner.call('closeDeployment', { id });
    await waitFor(async () => expect(await readLines(owner, id)).toContain('stopped'));
    clock.advance(hour);
    await service.again();
    expect(fieldOf(await owner.call('listFiles', { id, name: 'web' }), 'files')).toHaveLength(1);
    expect(await readLines(owner, id)).toContain('ready');
    clock.advance(hour + 60_000);
    await expectRemoved(service, owner, id);
    await service.again();
    await expectRemoved(service, owner, id);
  });

  it('loses files and logs at once where none are kept, those of other deployments stay', async () => {
    const { service, owner } = await startHost({ keepClosedMs: 0 });
    const other = service.as('0xother');
    const kept = await createShop(other);
    const id = await createShop(owner);
    await owner.call('restartDeployment', { id });
    await owner.call('closeDeployment', { id });
    await expectRemoved(service, owner, id);
    expect(existsSync(runsOf(service.dataDir, id))).toBe(false);
    expect(await readLines(other, kept)).toContain('ready');
    expect(fieldOf(await other.call('listFiles', { id: kept, name: 'web' }), 'files')).toHaveLength(
      1,
    );
  });

  it('that ends while its files are uploaded refuses them, and leaves none behind', async () => {
    const { service, owner } = await startHost({ keepClosedMs: 0 });
    const id = await createShop(owner);
    const content = 'x'.repeat(8 * 1024 * 1024);
    const form = () => formOf(Object.fromEntries([1, 2, 3, 4].map((n) => [`${n}.txt`, content])));
    const uploads = [1, 2, 3].map(() =>
      owner.call('uploadFiles', { id, name: 'web', form: form() }),
    );
    await owner.call('closeDeployment', { id });
    for (const answer of await Promise.all(uploads)) {
      expect([200, 409]).toContain(answer.status);
    }
    await waitFor(() => expect(storedIds(service)).not.toContain(id));
  });
});
