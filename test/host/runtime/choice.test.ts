import path from 'node:path';
import { tmpdir } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { Storage } from '../../../source/host/storage.ts';
import { deploy, errorIn, readDeployment, readLines } from '../bodies.ts';
import { type TemporaryHost, temporaryHost } from '../temporary-host.ts';
import { containerSdl } from './engine.ts';
import { waitFor } from '../../wait-for.ts';

const socket = path.join(tmpdir(), 'hostdeck-no-engine.sock');
const engineEnvironment = { DOCKER_HOST: `unix://${socket}` };

let service: TemporaryHost | undefined;

afterEach(() => service?.remove());

function sdlWith(web: unknown): string {
  return JSON.stringify({ ...JSON.parse(containerSdl('')), services: { web } });
}

it('auto without an engine runs commands, and refuses an image alone', async () => {
  service = await temporaryHost({ runtime: 'auto', engineEnvironment });
  const owner = service.as('0xowner');
  const { id } = await deploy(owner, sdlWith({ image: 'busybox', command: ['echo', 'here'] }));
  await waitFor(async () => expect(await readLines(owner, id)).toContain('here'));
  const json = { sdl: sdlWith({ image: 'busybox' }) };
  expect(errorIn(await owner.call('createDeployment', { json }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('no container engine answers'),
  });
  const neither = { sdl: sdlWith({ env: ['A=1'] }) };
  expect(errorIn(await owner.call('createDeployment', { json: neither }))).toMatchObject({
    status: 422,
    message: expect.stringContaining('expected a command, or an image'),
  });
});

it('container without an engine says so at each try, and refuses a command alone', async () => {
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
    message: expect.stringContaining('expected an image: this host runs images as containers'),
  });
});

it('container on a full disk says that it cannot start one, and starts it when there is room', async () => {
  service = await temporaryHost({ runtime: 'container', engineEnvironment });
  const owner = service.as('0xowner');
  const full = vi.spyOn(Storage.prototype, 'writeMeta').mockImplementation(() => {
    throw new Error('database or disk is full');
  });
  const { id } = await deploy(owner, containerSdl('true'));
  const seen = (line: string) =>
    waitFor(async () => expect(await readLines(owner, id)).toContain(`cannot start: ${line}`));
  await seen('the host cannot write its records');
  full.mockRestore();
  await seen(`no container engine answers on unix://${socket}`);
});
