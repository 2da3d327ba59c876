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

const imageSdl = JSON.stringify({
  ...JSON.parse(containerSdl('')),
  services: { web: { image: 'busybox' } },
});

it('an engine that answered before counts as available during a slow ping', async () => {
  let pings = 0;
  const answered = Promise.withResolvers<void>();
  engine = await pretendEngine(async (url) => {
    if (url !== '/_ping') return false;
    pings += 1;
    // The host's start sends the first ping.
    if (pings === 2) await answered.promise;
    return false;
  });
  service = await temporaryHost({ runtime: 'auto', engineEnvironment: engine.environment });
  const owner = service.as('0xowner');
  await deploy(owner, imageSdl);
  await waitFor(() => expect(pings).toBe(2));
  await deploy(owner, imageSdl);
  answered.resolve();
});

it('a service whose folder was removed fails to start until a restart', async () => {
  engine = await pretendEngine(() => false);
  const clock = new ManualClock();
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ runtime: 'container', engineEnvironment, clock });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, imageSdl);
  const expectLastFailure = (line: string) =>
    waitFor(async () => expect((await readLines(owner, id)).slice(-2)[0]).toBe(line));
  await expectLastFailure('cannot start: out of order');
  await rm(path.join(service.dataDir, 'deployments', id, 'runs'), { recursive: true });
  clock.advance(1000);
  await expectLastFailure('cannot start: its folder is missing; a restart creates it again');
  await owner.call('restartDeployment', { id });
  await expectLastFailure('cannot start: out of order');
});

it('a shutdown does not wait for a pull', async () => {
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
  const { id } = await deploy(owner, imageSdl);
  await pulling.promise;
  await service.again();
  expect(await readLines(service.as('0xowner'), id)).toContain('stopped');
});

it('an invalid progress of a pull does not end the host', async () => {
  engine = await pretendEngine((url, response) => {
    if (!url.startsWith('/images/')) return false;
    if (url.startsWith('/images/create')) response.end('<html>\nnull\n7');
    else response.writeHead(404).end('{"message":"no such image"}');
    return true;
  });
  const { environment: engineEnvironment } = engine;
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, imageSdl);
  await waitFor(async () => {
    expect(await readLines(owner, id)).toContain(
      "cannot start: can't pull image busybox:latest: no such image",
    );
  });
});

it('a container does not get a port that was assigned to a process that has not bound it yet', async () => {
  const createRequest = Promise.withResolvers<string>();
  engine = await pretendEngine((url, response) => {
    if (url.startsWith('/images/')) {
      response.end('{}');
      return true;
    }
    if (url.startsWith('/containers/create')) createRequest.resolve(text(response.req));
    return false;
  });
  service = await temporaryHost({ runtime: 'auto', engineEnvironment: engine.environment });
  const owner = service.as('0xowner');
  const both = { web: { ...idle, port: 18_080 }, api: { port: 18_080 } };
  const sdl = JSON.parse(sdlOf(both));
  sdl.services.api.image = 'busybox';
  sdl.services.api.dependsOn = ['web'];
  const { id } = await deploy(owner, JSON.stringify(sdl));
  const { HostConfig } = JSON.parse(await createRequest.promise);
  const published = Number(HostConfig.PortBindings['18080/tcp'][0].HostPort);
  const [assigned] = (await readDeployment(owner, id)).services[0]?.ports ?? [];
  expect(assigned).toBeGreaterThan(0);
  expect(published).not.toBe(assigned);
});
