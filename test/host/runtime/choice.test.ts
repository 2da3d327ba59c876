import path from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { ControlClient } from '../../../source/host/control/control-client.ts';
import { controlSocketPath } from '../../../source/host/control/control-path.ts';
import type { EngineEnvironment } from '../../../source/host/engine/engine-place.ts';
import type { RuntimeName } from '../../../source/host/runtime/names.ts';
import { Storage } from '../../../source/host/records/storage.ts';
import { deploy, errorIn, readDeployment, readLines } from '../support/bodies.ts';
import { type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { containerSdl } from './engine.ts';
import { pretendEngine } from './pretended-engine.ts';
import { waitFor } from '../../support/wait-for.ts';

const socket = path.join(tmpdir(), 'hostdeck-no-engine.sock');
const engineEnvironment = { DOCKER_HOST: `unix://${socket}` };

let service: TemporaryHost | undefined;

afterEach(() => service?.remove());

function sdlWith(web: unknown): string {
  return JSON.stringify({ ...JSON.parse(containerSdl('')), services: { web } });
}

it('auto without an engine runs commands and refuses images', async () => {
  service = await temporaryHost({ runtime: 'auto', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, sdlWith({ command: ['echo', 'here'] }));
  await waitFor(async () => expect(await readLines(owner, id)).toContain('here'));
  const createWith = async (web: unknown) =>
    errorIn(await owner.call('createDeployment', { json: { sdl: sdlWith(web) } }));
  const noEngine = 'Service web has an image, and no container engine answers on this host.';
  for (const web of [{ image: 'busybox' }, { image: 'busybox', command: ['echo', 'here'] }]) {
    expect(await createWith(web)).toMatchObject({
      status: 422,
      message: expect.stringContaining(noEngine),
      details: [{ field: 'services.web.image' }],
    });
  }
  expect(await createWith({ env: ['A=1'] })).toMatchObject({
    status: 422,
    message: expect.stringContaining('Service web has no image and no command.'),
    details: [{ field: 'services.web' }],
  });
});

it('auto accepts images while an engine answers, and refuses them after it has ended', async () => {
  const engine = await pretendEngine(() => false);
  service = await temporaryHost({ runtime: 'auto', engineEnvironment: engine.environment });
  const owner = service.as('0xowner');
  const json = { sdl: sdlWith({ image: 'busybox' }) };
  const { id } = await deploy(owner, json.sdl);
  await waitFor(async () => expect(await readLines(owner, id)).not.toEqual([]));
  await engine.end();
  // A start is the first to notice.
  await owner.call('restartDeployment', { id });
  await waitFor(async () => {
    expect((await owner.call('createDeployment', { json })).status).toBe(422);
  });
});

it('container without an engine logs each failed start, and refuses a service without an image', async () => {
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, containerSdl('true'));
  await waitFor(async () => {
    expect((await readLines(owner, id)).slice(0, 2)).toEqual([
      `cannot start: no container engine answers on unix://${socket}`,
      'starts again in 1 s',
    ]);
  });
  expect((await readDeployment(owner, id)).state).toBe('failed');
  const json = { sdl: sdlWith({ command: ['true'] }) };
  expect(errorIn(await owner.call('createDeployment', { json }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('Service web has no image, and this host runs services as'),
  });
});

it('the host reports its workloads on the control socket', async () => {
  const engine = await pretendEngine(() => false);
  const workloadsOf = async (runtime: RuntimeName, environment: EngineEnvironment) => {
    await service?.remove();
    service = await temporaryHost({ runtime, engineEnvironment: environment });
    const client = await ControlClient.connect(controlSocketPath(service.dataDir));
    const hello = await client?.hello();
    client?.close();
    return hello?.workloads;
  };
  expect(await workloadsOf('process', engine.environment)).toEqual(['command']);
  expect(await workloadsOf('container', engineEnvironment)).toEqual(['image']);
  expect(await workloadsOf('auto', engineEnvironment)).toEqual(['command']);
  expect(await workloadsOf('auto', engine.environment)).toEqual(['command', 'image']);
  await engine.end();
});

it('container on a full disk logs the failed start, and starts once there is space', async () => {
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const full = vi.spyOn(Storage.prototype, 'writeMeta').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
  const { id } = await deploy(owner, containerSdl('true'));
  const expectStartFailure = (line: string) =>
    waitFor(async () => expect(await readLines(owner, id)).toContain(`cannot start: ${line}`));
  await expectStartFailure("the host can't write its records");
  full.mockRestore();
  await expectStartFailure(`no container engine answers on unix://${socket}`);
});
