import { rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { idle, sdlOf, type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { containerSdl } from './engine.ts';
import { type PretendedEngine, pretendEngine } from './pretended-engine.ts';

let service: TemporaryHost | undefined;
let engine: PretendedEngine | undefined;

afterEach(async () => {
  await service?.remove();
  await engine?.end();
});

const imageAlone = JSON.stringify({
  ...JSON.parse(containerSdl('')),
  services: { web: { image: 'busybox' } },
});

it('an engine that takes its time to say that it is there is taken to be there meanwhile', async () => {
  let pings = 0;
  const held = Promise.withResolvers<void>();
  engine = await pretendEngine(async (url) => {
    if (url !== '/_ping') return false;
    pings += 1;
    // The first is that of the host's start.
    if (pings === 2) await held.promise;
    return false;
  });
  service = await temporaryHost({ runtime: 'auto', engineEnvironment: engine.environment });
  const owner = service.as('0xowner');
  await deploy(owner, imageAlone);
  await waitFor(() => expect(pings).toBe(2));
  await deploy(owner, imageAlone);
  held.resolve();
});

it('a service whose folder somebody removed cannot start, which is said, and no more', async () => {
  engine = await pretendEngine(() => false);
  const clock = new ManualClock();
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ runtime: 'container', engineEnvironment, clock });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, imageAlone);
  const saidLast = (line: string) =>
    waitFor(async () => expect((await readLines(owner, id)).slice(-2)[0]).toBe(line));
  await saidLast('cannot start: out of order');
  await rm(path.join(service.dataDir, 'deployments', id, 'runs'), { recursive: true });
  clock.advance(1000);
  await saidLast('cannot start: its folder is missing; a restart creates it again');
  await owner.call('restartDeployment', { id });
  await saidLast('cannot start: out of order');
});

it('a host that ends does not wait for an image that is being pulled', async () => {
  const pulling = Promise.withResolvers<void>();
  engine = await pretendEngine((url, response) => {
    if (!url.startsWith('/images/')) return false;
    if (url.startsWith('/images/create')) {
      response.write('{"status":"Downloading"}\n');
      pulling.resolve();
    } else {
      response.writeHead(404).end('{"message":"no such image"}');
    }
    return true;
  });
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, imageAlone);
  await pulling.promise;
  await service.again();
  expect(await readLines(service.as('0xowner'), id)).toContain('stopped');
});

it('what tells of a pull in other words than an engine does is no engine, and ends no host', async () => {
  engine = await pretendEngine((url, response) => {
    if (!url.startsWith('/images/')) return false;
    if (url.startsWith('/images/create')) response.end('<html>\nnull\n7');
    else response.writeHead(404).end('{"message":"no such image"}');
    return true;
  });
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, imageAlone);
  await waitFor(async () => {
    expect(await readLines(owner, id)).toContain(
      "cannot start: can't pull image busybox:latest: no such image",
    );
  });
});

it('a container is not given the port that a process was told and does not listen on yet', async () => {
  const asked = Promise.withResolvers<string>();
  engine = await pretendEngine((url, response) => {
    if (url.startsWith('/images/')) {
      response.end('{}');
      return true;
    }
    if (url.startsWith('/containers/create')) asked.resolve(text(response.req));
    return false;
  });
  service = await temporaryHost({ runtime: 'auto', engineEnvironment: engine.environment });
  const owner = service.as('0xowner');
  const both = { web: { ...idle, port: 18_080 }, api: { port: 18_080 } };
  const sdl = JSON.parse(sdlOf(both));
  sdl.services.api.image = 'busybox';
  sdl.services.api.dependsOn = ['web'];
  const { id } = await deploy(owner, JSON.stringify(sdl));
  const { HostConfig } = JSON.parse(await asked.promise);
  const published = Number(HostConfig.PortBindings['18080/tcp'][0].HostPort);
  const [told] = (await readDeployment(owner, id)).services[0]?.ports ?? [];
  expect(told).toBeGreaterThan(0);
  expect(published).not.toBe(told);
});
