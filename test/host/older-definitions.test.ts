import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, expect, it } from 'vitest';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { pretendEngine } from './runtime/pretended-engine.ts';
import {
  idle,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

/** Definitions that an older host accepted, as stored in its data folder. */

let service: TemporaryHost | undefined;

afterEach(() => service?.remove());

const clock = new ManualClock();

/** Stops the host and stores a definition as an older host could have stored it. */
async function store(host: TemporaryHost, id: string, sdl: string): Promise<void> {
  await host.host.close();
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  // Older hosts did not store the position of an image.
  const services = JSON.stringify(parsed.definition.services, (key, value: unknown) =>
    key === 'imagePosition' ? undefined : value,
  );
  const database = new DatabaseSync(path.join(host.dataDir, 'host.db'));
  database
    .prepare(
      `update definitions set sdl = ?, services = ?
       where deployment = (select number from deployments where id = ?)`,
    )
    .run(sdl, services, id);
  database.close();
}

const withImage = (sdl: string, image = 'nginx') =>
  sdl.replaceAll('"command"', `"image":"${image}","command"`);

const perSecond = 6_000_000;

const sentence =
  'Service web has an image, and this host runs commands as processes only. Start the host with ' +
  '"hostdeck host --runtime container", or "--runtime auto", where Docker or Podman answers; or ' +
  'remove the image to run the command as a process on this machine.';

it('an image on a host for processes fails with a reason, costs nothing and keeps its files', async () => {
  service = await temporaryHost({ clock });
  const owner = service.as('0xowner');
  const sdl = sdlOf({ web: { ...nodeService('console.log("ran")'), amount: perSecond } });
  const { id } = await deploy(owner, sdl);
  await waitFor(async () => expect(await readLines(owner, id)).toContain('ran'));
  await store(service, id, withImage(sdl));
  await service.again();
  const balance = service.host.balance('0xowner');
  expect(await readDeployment(owner, id)).toMatchObject({
    state: 'failed',
    services: [{ name: 'web', state: 'failed', running: 0 }],
    warnings: [{ line: 1, message: sentence }],
  });
  await waitFor(async () =>
    expect((await readLines(owner, id)).at(-1)).toBe(`cannot start: ${sentence}`),
  );
  clock.advance(60_000);
  expect(service.host.balance('0xowner')).toBe(balance);
  expect(await readDeployment(owner, id)).toMatchObject({ state: 'failed' });

  const file = { id, name: 'web', path: 'new.txt' };
  const json = { content: 'new' };
  expect((await owner.call('updateFile', { ...file, json })).status).toBe(200);
  const read = fieldOf(await owner.call('getFile', file), 'file');
  expect(read).toMatchObject({ content: 'new' });
  expect(errorIn(await owner.call('restartDeployment', { id }))).toMatchObject({
    status: 409,
    message: sentence,
  });
  expect((await readLines(owner, id)).filter((line) => line === 'ran')).toHaveLength(1);

  expect((await owner.call('closeDeployment', { id })).status).toBe(200);
  expect(await readDeployment(owner, id)).toMatchObject({ state: 'closed', warnings: [] });
});

it('a suspended image on a host for processes does not start when it can be paid', async () => {
  service = await temporaryHost({ clock });
  service.host.balance('0xpoor', '0');
  const poor = service.as('0xpoor');
  const sdl = sdlOf({ web: { ...nodeService('console.log("ran")'), amount: perSecond } });
  const { id } = await deploy(poor, sdl);
  await store(service, id, withImage(sdl));
  await service.again();
  expect(await readDeployment(poor, id)).toMatchObject({ state: 'suspended' });
  service.host.balance('0xpoor', '100');
  clock.advance(2000);
  await waitFor(async () =>
    expect(await readDeployment(poor, id)).toMatchObject({ state: 'failed' }),
  );
  clock.advance(60_000);
  expect(service.host.balance('0xpoor')).toBe('100');
  expect(await readLines(poor, id)).not.toContain('ran');
});

it('an image that one host refuses runs on the next host that supports images', async () => {
  const engine = await pretendEngine(() => false);
  try {
    const engineEnvironment = engine.environment;
    service = await temporaryHost({ clock, runtime: 'container', engineEnvironment });
    const owner = service.as('0xowner');
    const { id } = await deploy(owner, withImage(sdlOf({ web: idle })));
    await service.again({ runtime: 'process' });
    expect((await readDeployment(owner, id)).warnings).toHaveLength(1);
    await service.again({ runtime: 'auto' });
    expect((await readDeployment(owner, id)).warnings).toEqual([]);
    expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    await waitFor(async () =>
      expect((await readLines(owner, id)).at(-2)).toBe('cannot start: out of order'),
    );
  } finally {
    await engine.end();
  }
});

it('an image without an engine costs nothing while the host retries', async () => {
  const engine = await pretendEngine(() => false);
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ clock, runtime: 'auto', engineEnvironment });
  const owner = service.as('0xowner');
  const json = JSON.parse(withImage(sdlOf({ web: { ...idle, amount: perSecond } })));
  const { id } = await deploy(owner, JSON.stringify(json));
  await engine.end();
  await service.again();
  const last = async () => (await readLines(owner, id)).slice(-2);
  const [socket] = Object.values(engineEnvironment);
  await waitFor(async () =>
    expect(await last()).toEqual([
      `cannot start: no container engine answers on ${socket}`,
      'starts again in 1 s',
    ]),
  );
  expect(await readDeployment(owner, id)).toMatchObject({ state: 'failed', warnings: [] });
  const balance = service.host.balance('0xowner');
  clock.advance(1000);
  await waitFor(async () => expect((await last())[1]).toBe('starts again in 2 s'));
  clock.advance(60_000);
  expect(service.host.balance('0xowner')).toBe(balance);
});

const oldSample = (sdl: string) =>
  sdl.replaceAll('    command: ["node"]', '    image: node:24\n    command: ["node"]');

it('the sample of an older version is migrated to processes and runs', async () => {
  service = await temporaryHost({ sample: true });
  const { wallet } = service.host;
  const owner = service.as(wallet);
  const [{ id } = { id: '' }] = fieldOf(
    await owner.call('listDeployments'),
    'deployments',
  ) as readonly { readonly id: string }[];
  const { sdl } = await readDeployment(owner, id);
  expect(sdl).not.toContain('image:');
  await store(service, id, oldSample(sdl));
  await service.again();
  await waitFor(async () =>
    expect(await readDeployment(owner, id)).toMatchObject({ state: 'active', sdl, warnings: [] }),
  );

  const changed = `${oldSample(sdl)}# mine\n`;
  await store(service, id, changed);
  await service.again();
  expect(await readDeployment(owner, id)).toMatchObject({ state: 'failed', sdl: changed });
});

it('a host for containers only creates the sample grants but no sample', async () => {
  const engineEnvironment = { DOCKER_HOST: 'unix:///nowhere/engine.sock' };
  service = await temporaryHost({ sample: true, runtime: 'container', engineEnvironment });
  const owner = service.as(service.host.wallet);
  expect(fieldOf(await owner.call('listDeployments'), 'deployments')).toEqual([]);
  expect(fieldOf(await owner.call('listGrants'), 'grants')).toHaveLength(2);
});
