import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { request } from 'undici';
import { describe, expect, it } from 'vitest';
import { sandboxArguments } from '../../../source/host/isolation/sandbox.ts';
import { findProgram } from '../../../source/host/isolation/programs.ts';
import { deploy, readDeployment, readLines } from '../support/bodies.ts';
import { HostFolder, serving } from '../support/host-folder.ts';
import { type Caller, formOf, nodeService, sdlOf } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';

const argumentsFor = (dataDir: string, present: readonly string[] = ['/usr', '/etc', '/opt']) =>
  sandboxArguments({
    folder: '/data/tree',
    dataDir,
    programs: ['/usr/bin', '/users/me/node/bin'],
    capabilities: ['setuid'],
    accounts: { passwd: 3, group: 4 },
    volumes: [],
    exists: (file) => present.includes(file),
  }).join(' ');

describe('the arguments of a sandbox', () => {
  it("bind the existing system folders and Node's folder read-only", () => {
    const given = argumentsFor('/users/me/data');
    expect(given.match(/--ro-bind \S+ \S+/g)).toEqual([
      '--ro-bind /etc /etc',
      '--ro-bind /opt /opt',
      '--ro-bind /usr /usr',
      '--ro-bind /users/me/node/bin /users/me/node/bin',
    ]);
    expect(given).toContain('--dir /users --dir /users/me --dir /users/me/node');
    expect(given).toContain('--bind /data/tree /app');
    expect(given).toContain('--cap-drop ALL --cap-add CAP_SETUID --unshare-pid');
    expect(given).not.toContain('/users/me/data');
  });

  it("hide the data folder inside of a bound folder, and the system's secrets", () => {
    expect(argumentsFor('/opt/hostdeck')).toContain('--tmpfs /opt/hostdeck');
    const given = argumentsFor('/d', ['/etc', '/etc/shadow', '/etc/ssh']);
    expect(given).toContain('--ro-bind /dev/null /etc/shadow');
    expect(given).toContain('--tmpfs /etc/ssh');
  });
});

const isMissing = findProgram('bwrap', process.env['PATH']) === undefined;
if (isMissing) process.stderr.write('Tests of sandboxes are SKIPPED: bubblewrap is missing.\n');

describe.skipIf(isMissing)('a service in a sandbox', () => {
  const folder = HostFolder.ofEachTest();
  let caller: Caller;

  const startHost = async () => {
    await folder.start({ sandbox: 'require' });
    caller = await folder.caller();
  };
  const seen = (id: string, line: string) =>
    waitFor(async () => expect(await readLines(caller, id)).toContain(line));

  /** Returns the ids of processes with this command line. */
  const running = (words: string): readonly string[] =>
    readdirSync('/proc').filter((pid) => {
      if (!/^\d+$/.test(pid)) return false;
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() === words;
      } catch {
        return false;
      }
    });

  it('sees and can change its files, and is reachable on its port', async () => {
    await startHost();
    const program = `
      const fs = require('node:fs');
      console.log(process.cwd(), process.env.HOME, fs.readdirSync('.').join());
      fs.writeFileSync('made', 'by the service');
      fs.writeFileSync('/tmp/own', '');
      try { fs.writeFileSync('/usr/made', '') } catch (error) { console.log('usr', error.code) }
      require('node:http').createServer((_, answer) => answer.end('hello'))
        .listen(process.env.PORT, '127.0.0.1', () => console.log('up'))`;
    const { id } = await deploy(caller, sdlOf({ web: nodeService(program, { port: 8123 }) }));
    await seen(id, '/app /tmp ');
    await seen(id, 'up');
    await caller.call('uploadFiles', { id, name: 'web', form: formOf({ 'a.txt': 'a' }) });
    await caller.call('restartDeployment', { id });
    await seen(id, '/app /tmp a.txt');
    await waitFor(async () => {
      expect((await readLines(caller, id)).filter((line) => line === 'up')).toHaveLength(2);
    });
    expect(await readLines(caller, id)).toContain('usr EROFS');
    const port = (await readDeployment(caller, id)).services[0]?.ports[0];
    const { body } = await request(`http://127.0.0.1:${port}/`);
    expect(await body.text()).toBe('hello');
  });

  it('cannot see the records of the host, other deployments and other processes', async () => {
    await startHost();
    const other = await deploy(caller, sdlOf({ web: nodeService('setInterval(() => {}, 1e3)') }));
    const secret = path.join(folder.dataDir, 'deployments', other.id);
    const program = `
      const fs = require('node:fs');
      const look = (file) => {
        try { fs.statSync(file); return 'there' } catch (error) { return error.code }
      };
      for (const file of ${JSON.stringify([
        folder.dataDir,
        path.join(folder.dataDir, 'host.db'),
        path.join(folder.dataDir, 'local-token'),
        secret,
      ])}) console.log(look(file));
      console.log('home', look('/root') + look(${JSON.stringify(process.env['HOME'] ?? '/root')}));
      console.log('processes', fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).length);
      console.log('environment', Object.keys(process.env).filter((name) => /RUN|PORT/.test(name)).join());
      console.log('done'); setInterval(() => {}, 1e3)`;
    const { id } = await deploy(caller, sdlOf({ web: nodeService(program) }));
    await seen(id, 'done');
    expect(await readLines(caller, id)).toEqual([
      expect.stringMatching(/^isolation: bubblewrap/),
      'started',
      'ENOENT',
      'ENOENT',
      'ENOENT',
      'ENOENT',
      'home ENOENTENOENT',
      'processes 2',
      'environment HOSTDECK_RUN',
      'done',
    ]);
  });

  it('can end by itself on SIGTERM', async () => {
    await startHost();
    const program = `process.on('SIGTERM', () => { console.log('bye'); process.exit(0) });
      console.log('up'); setInterval(() => {}, 1e3)`;
    const { id } = await deploy(caller, sdlOf({ web: nodeService(program) }));
    await seen(id, 'up');
    await caller.call('closeDeployment', { id });
    await seen(id, 'stopped');
    expect(await readLines(caller, id)).toContain('bye');
  });

  /** A service that leaves a process without its group, parent and run id. */
  const hidingService = (words: string) =>
    nodeService(`
      require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(`exec ${words} &`)}],
        { detached: true, stdio: 'ignore', env: { PATH: process.env.PATH } }).unref();
      console.log('up'); setInterval(() => {}, 1e3)`);

  it('ends with all processes that hid from the host', async () => {
    await startHost();
    const words = 'sleep 121.25';
    const { id } = await deploy(caller, sdlOf({ web: hidingService(words) }));
    await seen(id, 'up');
    await waitFor(() => expect(running(words)).toHaveLength(1));
    await caller.call('closeDeployment', { id });
    await seen(id, 'stopped');
    expect(running(words)).toEqual([]);
  });

  it('ends with a host that is killed', async () => {
    const child = folder.run({ ...serving, sandbox: 'require' });
    caller = await folder.caller();
    const words = 'sleep 121.5';
    const { id } = await deploy(caller, sdlOf({ web: hidingService(words) }));
    await seen(id, 'up');
    await waitFor(() => expect(running(words)).toHaveLength(1));
    child.kill('SIGKILL');
    await once(child, 'exit');
    await waitFor(() => expect(running(words)).toEqual([]));
    // A host must run to remove the control groups.
    await folder.start();
    expect((await readDeployment(await folder.caller(), id)).id).toBe(id);
  });

  it('reports its exit code', async () => {
    await startHost();
    const { id } = await deploy(caller, sdlOf({ web: nodeService('process.exit(7)') }));
    await seen(id, 'exited 7');
  });
});
