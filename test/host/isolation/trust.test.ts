import { chmodSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deploy, errorIn, readDeployment, readLines } from '../support/bodies.ts';
import { HostFolder, outcome, serving } from '../support/host-folder.ts';
import { callerOf, idle, sdlOf } from '../support/temporary-host.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const folder = HostFolder.ofEachTest();

/** Options of a host without any isolation: hosts share out no user ids in such a folder. */
function without() {
  const machineFolder = temporaryFolder();
  chmodSync(machineFolder, 0o777);
  return { sandbox: 'off', trustWallets: false, machineFolder } as const;
}

const idleSdl = sdlOf({ web: idle });

describe('a host without isolation', () => {
  it('runs the deployments of its own wallet alone, and names the ways to run others', async () => {
    const host = await folder.start(without());
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

  it('runs those of every wallet where its wallets are trusted', async () => {
    const host = await folder.start({ ...without(), trustWallets: true });
    const other = callerOf('0xother', () => host);
    const { id } = await deploy(other, idleSdl);
    await waitFor(async () => expect(await readLines(other, id)).toContain('started'));
  });

  it('leaves one of another wallet failed that was made before, until a host may run it', async () => {
    let host = await folder.start({ trustWallets: true });
    const other = callerOf('0xother', () => host);
    const { id } = await deploy(other, idleSdl);
    await host.close();
    host = await folder.start(without());
    const refused = await readDeployment(other, id);
    expect(refused).toMatchObject({ state: 'failed', services: [{ running: 0 }] });
    expect((await readLines(other, id)).at(-1)).toMatch(/^cannot start: .*--trust-wallets\.$/);
    expect(errorIn(await other.call('restartDeployment', { id }))).toMatchObject({ status: 409 });
    await host.close();
    host = await folder.start({ trustWallets: true });
    await waitFor(async () => expect((await readDeployment(other, id)).state).toBe('active'));
  });

  it('is one whose container engine takes commands from everyone', async () => {
    const engineEnvironment = { DOCKER_HOST: 'tcp://127.0.0.1:1' };
    const host = await folder.start({ trustWallets: false, engineEnvironment });
    expect(host.isolation.join(' ')).toContain('tcp://127.0.0.1:1 takes commands from everyone');
    const other = callerOf('0xother', () => host);
    const refused = await other.call('createDeployment', { json: { sdl: idleSdl } });
    expect(errorIn(refused).message).toContain('Give that engine TLS');
  });

  it('does not listen for other machines, unless its wallets are trusted', async () => {
    const exposure = { address: '127.0.0.2', port: 0 };
    await expect(folder.start({ ...without(), exposure })).rejects.toMatchObject({
      code: 'no-isolation',
      next: expect.stringContaining('--trust-wallets'),
    });
    const host = await folder.start({ ...without(), trustWallets: true, exposure });
    expect(host.exposedUrl).toContain('127.0.0.2');
  });
});

describe('a host that starts', () => {
  it('says in its first lines which isolation is in force', async () => {
    const child = folder.run(serving);
    await folder.hello();
    child.kill('SIGTERM');
    const { notes } = await outcome(child);
    expect(notes.split('\n')[1]).toMatch(/^Services without an image run without a sandbox, /);
  });
});
