import { describe, expect, it, vi } from 'vitest';
import { type OperationName, operations } from '../../source/contract/routes.ts';
import {
  deploy,
  deploymentIn,
  errorIn,
  fieldOf,
  readDeployment,
  readLines,
} from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import {
  type CallOptions,
  callHost,
  formOf,
  idle,
  nodeService,
  sdlOf,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const service = sharedHost();
const owner = service.as('0xowner');
const stranger = service.as('0xstranger');

const operationNames = Object.keys(operations) as readonly OperationName[];

/** Returns valid parameters for an operation on a deployment. */
function plausible(operation: OperationName, id: string): CallOptions {
  const bodies: Partial<Record<OperationName, CallOptions>> = {
    createDeployment: { json: { sdl: sdlOf({ web: idle }) } },
    uploadFiles: { form: formOf({ 'a.txt': 'text' }) },
    updateFile: { json: { content: 'text' } },
    renameFile: { json: { oldPath: 'a.txt', newPath: 'b.txt' } },
    createGrant: { json: { grantee: '0xother', limit: 1, expires_at: '2100-01-01T00:00:00Z' } },
  };
  return { id, name: 'web', path: 'a.txt', ...bodies[operation] };
}

describe('every operation', () => {
  it.each(operationNames)(
    '%s answers 401 without a token and with an unknown one',
    async (operation) => {
      const options = plausible(operation, 'some-id');
      for (const token of [undefined, 'hd_unknown', '']) {
        const answer = await callHost(service.host.baseUrl, token, operation, options);
        expect(errorIn(answer)).toMatchObject({
          status: 401,
          success: false,
          code: 'unauthorized',
        });
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    },
  );

  it.each(operationNames.filter((name) => operations[name].path.includes(':id')))(
    '%s answers 404 for a resource of another wallet, as for a missing one',
    async (operation) => {
      const { id } = await deploy(owner, sdlOf({ web: idle }));
      const theirs = await stranger.call(operation, plausible(operation, id));
      const nobodys = await stranger.call(operation, plausible(operation, `${id}0`));
      expect(errorIn(theirs)).toMatchObject({ status: 404, code: 'not-found' });
      expect(theirs.body).toEqual(nobodys.body);
    },
  );

  it('has a Date header, from which clients derive the expiry of grants', async () => {
    const { headers } = await owner.call('listGrants');
    expect(Math.abs(Date.parse(String(headers['date'])) - Date.now())).toBeLessThan(5000);
  });
});

describe('deployments', () => {
  it('are created, read, listed newest first, restarted and closed', async () => {
    const caller = service.as('0xdeployer');
    const created = await caller.call('createDeployment', {
      json: { sdl: sdlOf({ web: idle, job: idle }, 'shop') },
    });
    expect(created.status).toBe(201);
    const deployment = deploymentIn(created);
    expect(deployment).toMatchObject({ name: 'shop', owner: '0xdeployer' });
    expect(deployment.id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}-\d+$/);
    const { id } = deployment;

    await waitFor(async () => {
      expect(await readDeployment(caller, id)).toMatchObject({
        state: 'active',
        services: [
          { name: 'web', state: 'active', restarts: 0, exitCode: null },
          { name: 'job', state: 'active' },
        ],
      });
    });

    const second = await deploy(caller, sdlOf({ web: idle }));
    const list = fieldOf(await caller.call('listDeployments'), 'deployments');
    expect(list).toMatchObject([{ id: second.id }, { id }]);

    const restarted = await caller.call('restartDeployment', { id });
    expect(restarted.status).toBe(200);
    expect(fieldOf(restarted, 'deployment')).toMatchObject({ state: 'restarting' });
    await waitFor(async () => {
      const lines = await readLines(caller, id);
      expect(lines.filter((line) => line === 'restarted')).toHaveLength(2);
      expect((await readDeployment(caller, id)).state).toBe('active');
    });
    expect((await readDeployment(caller, id)).restartedAt).toBeDefined();

    const closed = await caller.call('closeDeployment', { id });
    expect(closed.status).toBe(200);
    expect(fieldOf(closed, 'deployment')).toMatchObject({
      state: 'closed',
      closedAt: expect.any(String),
    });
    await waitFor(async () => {
      const lines = await readLines(caller, id);
      expect(lines.filter((line) => line === 'stopped')).toHaveLength(4);
    });
  });

  it('can be closed again after closing, but neither restarted nor changed', async () => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    await owner.call('closeDeployment', { id });
    expect((await owner.call('closeDeployment', { id })).status).toBe(200);
    for (const operation of ['restartDeployment', 'updateFile', 'uploadFiles'] as const) {
      const answer = await owner.call(operation, plausible(operation, id));
      expect(errorIn(answer)).toMatchObject({ status: 409, code: 'conflict' });
    }
    expect((await owner.call('listFiles', { id, name: 'web' })).status).toBe(200);
  });

  it('without a name are named after the first service, with a number if needed', async () => {
    const caller = service.as('0xnames');
    const names = [];
    for (let count = 0; count < 3; count += 1) {
      names.push((await deploy(caller, sdlOf({ web: idle }))).name);
    }
    expect(names).toEqual(['web', 'web-2', 'web-3']);
    const creations = [4, 5].map(() => deploy(caller, sdlOf({ web: idle })));
    const atOnce = (await Promise.all(creations)).map(({ name }) => name);
    expect(new Set(atOnce)).toEqual(new Set(['web-4', 'web-5']));
  });

  it('are refused with line, column and the expected value', async () => {
    const sdl = 'version: "2.0"\nservices:\n  web:\n    command: node server.js\n';
    const answer = await owner.call('createDeployment', { json: { sdl } });
    const error = errorIn(answer);
    expect(error).toMatchObject({ status: 422, code: 'invalid-sdl' });
    expect(error.message).toContain('line 1, column 1: sdl: expected the key deployment');
    expect(error.details).toContainEqual({
      field: 'services.web.command',
      expected: 'a list of words, like ["node", "server.js"]',
      line: 4,
      column: 14,
    });
  });

  it('without a command are refused by a host for processes', async () => {
    const sdl = sdlOf({ web: { args: ['-c'] } });
    const error = errorIn(await owner.call('createDeployment', { json: { sdl } }));
    expect(error).toMatchObject({ status: 422, code: 'invalid-sdl' });
    expect(error.message).toContain(
      'Service web has no command: this host runs commands as processes.',
    );
  });

  it('of too many instances are refused', async () => {
    const sdl = sdlOf({ web: { ...idle, count: 101 } });
    const error = errorIn(await owner.call('createDeployment', { json: { sdl } }));
    expect(error).toMatchObject({ status: 422, code: 'invalid-sdl' });
  });

  it.each<Record<string, string>>([
    {},
    { 'content-type': 'application/json' },
    { 'content-type': 'text/plain' },
  ])('are restarted and closed without a body, headers %j', async (headers) => {
    const { id } = await deploy(owner, sdlOf({ web: idle }));
    expect((await owner.call('restartDeployment', { id, headers })).status).toBe(200);
    expect((await owner.call('closeDeployment', { id, headers })).status).toBe(200);
  });
});

describe('a service', () => {
  it('gets its environment and a port, and its output is logged', async () => {
    const program = `console.log(process.env.GREETING, process.env.PORT);
      console.error('to stderr'); setInterval(() => {}, 1000)`;
    const web = nodeService(program, { env: ['GREETING=hello=there'], port: 18_231 });
    const { id } = await deploy(owner, sdlOf({ web }));
    await waitFor(async () => {
      const lines = await readLines(owner, id);
      expect(lines).toContain('to stderr');
      expect(lines).toContain('hello=there 18231');
    });
    expect((await readDeployment(owner, id)).services[0]?.ports).toEqual([18_231]);
  });

  it('gets a free port when the wanted one is in use', async () => {
    const web = nodeService('setInterval(() => {}, 1000)', { port: 18_232, count: 2 });
    const { id } = await deploy(owner, sdlOf({ web }));
    await waitFor(async () => {
      const [status] = (await readDeployment(owner, id)).services;
      expect(status).toMatchObject({ instances: 2, running: 2 });
      expect(new Set(status?.ports).size).toBe(2);
    });
  });

  it('does not inherit secrets from the environment of the host', async () => {
    vi.stubEnv('HOSTDECK_TOKEN', 'secret');
    const web = nodeService('console.log(Object.keys(process.env).join());setInterval(()=>{},999)');
    const { id } = await deploy(owner, sdlOf({ web }));
    await waitFor(async () => {
      expect(await readLines(owner, id)).toContainEqual(expect.stringContaining('HOSTDECK_RUN'));
    });
    expect((await readLines(owner, id)).join()).not.toContain('HOSTDECK_TOKEN');
    vi.unstubAllEnvs();
  });
});
