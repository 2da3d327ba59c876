import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { deploy, errorIn, readDeployment, readLogs } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { isRunning } from './support/processes.ts';
import { sharedHost } from './support/shared-host.ts';
import { temporaryHost } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const clock = new ManualClock();
// Sandboxes would change the process ids.
const service = sharedHost({ clock, sandbox: 'off' });
const owner = service.as('0xowner');
let folder: string;

beforeAll(async () => {
  // Services run as a separate user without access to the data folder.
  folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-programs-'));
  await chmod(folder, 0o755);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

interface TestService {
  readonly command: readonly string[];
  readonly dependsOn?: readonly unknown[];
  readonly count?: number;
}

function sdlOf(services: Readonly<Record<string, TestService>>): string {
  const entries = Object.entries(services);
  return JSON.stringify({
    version: '2.0',
    services: Object.fromEntries(
      entries.map(([name, { command, dependsOn }]) => [name, { command, dependsOn }]),
    ),
    profiles: {
      compute: { small: {} },
      placement: { here: { pricing: { small: { amount: 0 } } } },
    },
    deployment: Object.fromEntries(
      entries.map(([name, { count = 1 }]) => [name, { here: { profile: 'small', count } }]),
    ),
  });
}

/** Returns a program that prints its process id, and a line on SIGTERM. */
function verboseCommand(name: string): readonly string[] {
  const program = `console.log('pid', process.pid);
    process.on('SIGTERM', () => { console.log('asked to end'); setTimeout(() => process.exit(), 50) });
    process.on('SIGUSR2', () => process.exit(9));
    setInterval(() => {}, 1e3)`;
  return ['node', '-e', program, name];
}

async function textsOf(id: string): Promise<readonly string[]> {
  return (await readLogs(owner, id)).map(
    ({ serviceName, instance, logLine }) =>
      `${serviceName}${instance === undefined ? '' : ` ${instance}`}: ${logLine.replace(/\d{2,}$/, '…')}`,
  );
}

async function waitForText(id: string, text: string, count = 1): Promise<void> {
  await waitFor(async () => {
    expect((await textsOf(id)).filter((each) => each === text)).toHaveLength(count);
  });
}

const statesOf = async (id: string) =>
  Object.fromEntries(
    (await readDeployment(owner, id)).services.map(({ name, state }) => [name, state]),
  );

const close = (id: string) => owner.call('closeDeployment', { id });

describe('a service that depends on others', () => {
  it('starts after its whole chain of dependencies and stops before them', async () => {
    const { id } = await deploy(
      owner,
      sdlOf({
        web: { command: verboseCommand('web'), dependsOn: ['api', { service: 'cache' }] },
        cache: { command: verboseCommand('cache') },
        api: { command: verboseCommand('api'), dependsOn: ['db'] },
        db: { command: verboseCommand('db') },
      }),
    );
    for (const name of ['web', 'cache', 'api', 'db']) await waitForText(id, `${name}: pid …`);
    await close(id);
    await waitForText(id, 'db: stopped');
    await waitForText(id, 'cache: stopped');
    const texts = await textsOf(id);
    const at = (text: string) => texts.indexOf(text);
    expect(texts).toContain('web: waits for api, cache');
    expect(texts).toContain('api: waits for db');
    expect([at('db: started'), at('api: started'), at('web: started')]).toEqual(
      [at('db: started'), at('api: started'), at('web: started')].toSorted((a, b) => a - b),
    );
    expect(at('cache: started')).toBeLessThan(at('web: started'));
    expect(at('web: stopped')).toBeLessThan(at('api: asked to end'));
    expect(at('web: stopped')).toBeLessThan(at('cache: asked to end'));
    expect(at('api: stopped')).toBeLessThan(at('db: asked to end'));
  });

  it('waits while a dependency cannot start, and starts once it can', async () => {
    const command = path.join(folder, 'late');
    const { id } = await deploy(
      owner,
      sdlOf({
        api: { command: verboseCommand('api'), dependsOn: ['db'] },
        db: { command: [command], count: 2 },
      }),
    );
    for (const seconds of [1, 2, 4]) {
      await waitForText(id, `db 1: starts again in ${seconds} s`);
      await waitForText(id, `db 2: starts again in ${seconds} s`);
      expect(await statesOf(id)).toEqual({ api: 'starting', db: 'failed' });
      if (seconds < 4) clock.advance(seconds * 1000);
    }
    expect(await textsOf(id)).toContain('api: waits for db');
    expect(await textsOf(id)).not.toContain('api: started');
    await writeFile(command, '#!/bin/sh\nexec sleep 120\n');
    await chmod(command, 0o755);
    clock.advance(4000);
    await waitForText(id, 'api: started');
    expect(await statesOf(id)).toEqual({ api: 'active', db: 'active' });
    const texts = await textsOf(id);
    expect(texts.indexOf('api: started')).toBeGreaterThan(texts.indexOf('db 1: started'));
    expect(texts.indexOf('api: started')).toBeGreaterThan(texts.indexOf('db 2: started'));
    await close(id);
  });

  it('keeps running when a dependency crashes later', async () => {
    const { id } = await deploy(
      owner,
      sdlOf({
        api: { command: verboseCommand('api'), dependsOn: [{ service: 'db' }] },
        db: { command: verboseCommand('db') },
      }),
    );
    await waitForText(id, 'api: pid …');
    await waitForText(id, 'db: pid …');
    const lines = await readLogs(owner, id);
    const pidOf = (name: string) => {
      const line = lines.find(
        (each) => each.serviceName === name && each.logLine.startsWith('pid'),
      );
      return Number(line?.logLine.slice(4));
    };
    process.kill(pidOf('db'), 'SIGUSR2');
    await waitForText(id, 'db: starts again in 1 s');
    expect(await statesOf(id)).toEqual({ api: 'active', db: 'restarting' });
    clock.advance(1000);
    await waitForText(id, 'db: started', 2);
    await waitForText(id, 'api: started');
    expect(isRunning(pidOf('api'))).toBe(true);
    await close(id);
  });

  it('can be restarted and closed while it waits', async () => {
    const { id } = await deploy(
      owner,
      sdlOf({
        api: { command: verboseCommand('api'), dependsOn: ['db'] },
        db: { command: [path.join(folder, 'never')] },
      }),
    );
    await waitForText(id, 'db: starts again in 1 s');
    expect((await owner.call('restartDeployment', { id })).status).toBe(200);
    await waitForText(id, 'api: waits for db', 2);
    await waitForText(id, 'db: starts again in 1 s', 2);
    await close(id);
    await waitFor(async () => expect((await readDeployment(owner, id)).state).toBe('closed'));
    await writeFile(path.join(folder, 'never'), '#!/bin/sh\nexec sleep 120\n', { mode: 0o755 });
    clock.advance(60_000);
    const texts = await textsOf(id);
    expect(texts).not.toContain('api: started');
    expect(texts).not.toContain('db: started');
  });

  it('starts after its dependencies when the host restarts, too', async () => {
    const host = await temporaryHost();
    onTestFinished(() => host.remove());
    const caller = host.as('0xowner');
    const sdl = sdlOf({
      api: { command: ['sleep', '120'], dependsOn: ['db'] },
      db: { command: ['sleep', '120'] },
    });
    const { id } = await deploy(caller, sdl);
    const startsOf = async () =>
      (await readLogs(caller, id))
        .filter(({ logLine }) => logLine === 'started')
        .map(({ serviceName }) => serviceName);
    await waitFor(async () => expect(await startsOf()).toEqual(['db', 'api']));
    await host.again();
    await waitFor(async () => expect(await startsOf()).toEqual(['db', 'api', 'db', 'api']));
  });
});

describe('circular dependencies', () => {
  it('are refused with the position of the closing dependency', async () => {
    const sdl = `version: "2.0"
services:
  web: { command: [a], dependsOn: [api] }
  api: { command: [a], dependsOn: [{ service: web }] }
profiles: { compute: { small: {} }, placement: { here: { pricing: { small: { amount: 0 } } } } }
deployment:
  web: { here: { profile: small } }
  api: { here: { profile: small } }
`;
    const answer = errorIn(await owner.call('createDeployment', { json: { sdl } }));
    expect(answer).toMatchObject({ status: 422, code: 'invalid-sdl' });
    expect(answer.details).toEqual([
      {
        field: 'services.web.dependsOn[0]',
        expected: 'a service that does not depend on this one',
        line: 3,
        column: 36,
      },
    ]);
  });
});
