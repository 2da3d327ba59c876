import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deploy, errorIn, readDeployment, readLines } from '../support/bodies.ts';
import { HostFolder, outcome, serving } from '../support/host-folder.ts';
import { callerOf, idle, sdlOf, withIsolation } from '../support/temporary-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

/**
 * Returns options without any isolation: no user ids are claimed in a folder others can write to.
 */
function withoutIsolation() {
  const machineFolder = temporaryFolder();
  chmodSync(machineFolder, 0o777);
  return { sandbox: 'off', trustWallets: false, machineFolder } as const;
}

const withUsers = { ...withIsolation, sandbox: 'off' } as const;

const idleSdl = sdlOf({ web: idle });

describe('a host without isolation', () => {
  it('runs only the deployments of its own wallet, and explains how to run others', async () => {
    const host = await folder.start(withoutIsolation());
    expect(host.isolation.join(' ')).toContain('without a sandbox, as this user');
    const own = await folder.caller();
    const { id } = await deploy(own, idleSdl);
    await waitFor(async () => expect(await readLines(own, id)).toContain('started'));
    expect(await readLines(own, id)).toContain('isolation: none');
    const other = callerOf('0xother', () => host);
    const refused = await other.call('createDeployment', { json: { sdl: idleSdl } });
    expect(errorIn(refused)).toMatchObject({ status: 403, code: 'forbidden' });
    expect(errorIn(refused).message).toMatch(/only its own wallet's.*bubblewrap.*--trust-wallets/);
    expect((await other.call('listDeployments')).body).toMatchObject({ deployments: [] });
  });

  it('runs those of every wallet when wallets are trusted', async () => {
    const host = await folder.start({ ...withoutIsolation(), trustWallets: true });
    const other = callerOf('0xother', () => host);
    const { id } = await deploy(other, idleSdl);
    await waitFor(async () => expect(await readLines(other, id)).toContain('started'));
  });

  it('leaves an existing deployment of another wallet failed until a host may run it', async () => {
    let host = await folder.start({ ...withUsers, trustWallets: true });
    const other = callerOf('0xother', () => host);
    const { id } = await deploy(other, idleSdl);
    await host.close();
    host = await folder.start(withoutIsolation());
    const refused = await readDeployment(other, id);
    expect(refused).toMatchObject({ state: 'failed', services: [{ running: 0 }] });
    expect((await readLines(other, id)).at(-1)).toMatch(/^cannot start: .*--trust-wallets\.$/);
    expect(errorIn(await other.call('restartDeployment', { id }))).toMatchObject({ status: 409 });
    await host.close();
    host = await folder.start({ ...withUsers, trustWallets: true });
    await waitFor(async () => expect((await readDeployment(other, id)).state).toBe('active'));
  });

  it('includes one whose container engine is open to everyone', async () => {
    const engineEnvironment = { DOCKER_HOST: 'tcp://127.0.0.1:1' };
    const host = await folder.start({ ...withUsers, trustWallets: false, engineEnvironment });
    expect(host.isolation.join(' ')).toContain('tcp://127.0.0.1:1 accepts commands from anyone');
    const other = callerOf('0xother', () => host);
    const refused = await other.call('createDeployment', { json: { sdl: idleSdl } });
    expect(errorIn(refused).message).toContain('Give that engine TLS');
  });

  it('does not listen for other machines unless wallets are trusted', async () => {
    const exposure = { address: '127.0.0.2', port: 0 };
    await expect(folder.start({ ...withoutIsolation(), exposure })).rejects.toMatchObject({
      code: 'no-isolation',
      next: expect.stringContaining('--trust-wallets'),
    });
    const host = await folder.start({ ...withoutIsolation(), trustWallets: true, exposure });
    expect(host.exposedUrl).toContain('127.0.0.2');
  });
});

describe('a host that starts', () => {
  it('prints the isolation in force in its first lines', async () => {
    const child = folder.run(serving);
    await folder.hello();
    child.kill('SIGTERM');
    const { notes } = await outcome(child);
    expect(notes.split('\n')[1]).toMatch(/^Services without an image run without a sandbox, /);
  });
});
