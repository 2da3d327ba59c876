import { once } from 'node:events';
import { request } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { listNetworks, removeNetwork } from '../../../source/host/engine/networks.ts';
import { deploy, readDeployment, readLines, readLogs } from '../support/bodies.ts';
import { HostFolder, serving } from '../support/host-folder.ts';
import { type Caller, type TemporaryHost, temporaryHost } from '../support/temporary-host.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Altered, AlteredEngine, type Asked } from './altered-engine.ts';
import { image, sayWhySkipped, testEngine } from './engine.ts';

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

interface ScriptService {
  readonly script: string;
  readonly port?: number;
  readonly count?: number;
}

/** Returns an SDL of services that run shell scripts in containers; ports are not global. */
function networkSdl(services: Readonly<Record<string, ScriptService>>): string {
  const entries = Object.entries(services);
  const map = <T>(value: (service: ScriptService) => T) =>
    Object.fromEntries(entries.map(([name, service]) => [name, value(service)]));
  const others = entries.map(([name]) => ({ service: name }));
  return JSON.stringify({
    version: '2.0',
    services: map(({ script, port }) => ({
      image,
      command: ['sh', '-c'],
      args: [script],
      expose: port === undefined ? undefined : [{ port, to: others }],
    })),
    profiles: {
      compute: { small: { resources: {} } },
      placement: { here: { pricing: { small: { denom: 'credits', amount: 0 } } } },
    },
    deployment: map(({ count = 1 }) => ({ here: { profile: 'small', count } })),
  });
}

/** Returns a script that answers each request with a line, for two minutes at most. */
function serveLine(port: number, line: string): string {
  return `mkdir -p /tmp/www; echo "${line}" >/tmp/www/index.html; trap "exit 0" TERM;
    httpd -p ${port} -h /tmp/www; i=0; while [ $((i+=1)) -lt 1200 ]; do sleep 0.1; done`;
}

/** Returns a script that requests a URL until it gets an answer, prints it, and runs on. */
function requestUntilAnswered(url: string): string {
  return `trap "exit 0" TERM; i=0; until line=$(timeout 5 wget -q -O - ${url}); do
    sleep 0.2; [ $((i+=1)) -lt 100 ] || exit 1; done; echo "got $line";
    i=0; while [ $((i+=1)) -lt 1200 ]; do sleep 0.1; done`;
}

const runningOn = 'trap "exit 0" TERM; i=0; while [ $((i+=1)) -lt 1200 ]; do sleep 0.1; done';

const nameless = /^services can't resolve one another's names: /;

describe.skipIf('missing' in found)('the services of a deployment in containers', () => {
  const engine = found as EngineClient;

  const networksOf = async (deployment: string) =>
    await listNetworks(engine, `hostdeck.deployment=${deployment}`);
  const oneNetworkOf = (deployment: string) =>
    waitFor(async () => {
      const [network, ...others] = await networksOf(deployment);
      expect(others).toEqual([]);
      if (network === undefined) throw new Error('no network yet');
      return network;
    });
  const noNetworkOf = (deployment: string) =>
    waitFor(async () => expect(await networksOf(deployment)).toEqual([]));
  const seen = (caller: Caller, id: string, line: string, count = 1) =>
    waitFor(async () => {
      const lines = await readLines(caller, id);
      expect(lines.filter((each) => each === line).length).toBeGreaterThanOrEqual(count);
      return lines;
    });
  /** Resolves with the service's answer on its published port. */
  const answerOf = (caller: Caller, id: string, name: string) =>
    waitFor(async () => {
      const { services } = await readDeployment(caller, id);
      const [port] = services.find((service) => service.name === name)?.ports ?? [];
      const { body } = await request(`http://127.0.0.1:${port}/`);
      return await body.text();
    });
  const namelessLines = async (caller: Caller, id: string) =>
    (await readLogs(caller, id)).filter(({ logLine }) => nameless.test(logLine));

  describe('of a running host', () => {
    let service: TemporaryHost;
    let owner: Caller;

    beforeAll(async () => {
      service = await temporaryHost({ runtime: 'container' });
      owner = service.as('0xowner');
    });

    afterAll(() => service.remove());

    it('resolve each other by name, and have published ports', async () => {
      const sdl = networkSdl({
        db: { script: serveLine(5432, 'rows'), port: 5432 },
        web: { script: requestUntilAnswered('http://db:5432/') },
      });
      const { id } = await deploy(owner, sdl);
      await seen(owner, id, 'got rows');
      expect(await answerOf(owner, id, 'db')).toBe('rows\n');
      const network = await oneNetworkOf(id);
      expect(network.Labels).toEqual({
        'hostdeck.host': expect.stringMatching(/^[\da-f]{16}$/),
        'hostdeck.deployment': id,
      });
      expect(await namelessLines(owner, id)).toEqual([]);
      await owner.call('restartDeployment', { id });
      await seen(owner, id, 'got rows', 2);
      await owner.call('closeDeployment', { id });
      await noNetworkOf(id);
    });

    it('reach any instance of a service by its name', async () => {
      const sdl = networkSdl({
        api: { script: serveLine(80, 'one of us'), port: 80, count: 2 },
        web: {
          // A query during the engine's update of names may never be answered.
          script: `trap "exit 0" TERM; until [ $(timeout 5 nslookup -type=a api 2>&1 | grep -c "^Address: ") = 2 ]; do
            sleep 0.2; done; until wget -q -O - http://api/; do sleep 0.2; done; ${runningOn}`,
        },
      });
      const { id } = await deploy(owner, sdl);
      await seen(owner, id, 'one of us');
      await owner.call('closeDeployment', { id });
      await noNetworkOf(id);
    });

    it('do not resolve those of another deployment', async () => {
      const other = await deploy(owner, networkSdl({ db: { script: serveLine(80, 'other') } }));
      await seen(owner, other.id, 'started');
      const { id } = await deploy(
        owner,
        networkSdl({
          web: { script: `timeout 5 nslookup db >/dev/null 2>&1 || echo none; ${runningOn}` },
        }),
      );
      await seen(owner, id, 'none');
      for (const each of [id, other.id]) await owner.call('closeDeployment', { id: each });
      for (const each of [id, other.id]) await noNetworkOf(each);
    });

    it('keep their network after a crash, and get a new one after its removal', async () => {
      const sdl = networkSdl({ web: { script: 'echo up; sleep 0.3; exit 4' } });
      const { id } = await deploy(owner, sdl);
      const first = await oneNetworkOf(id);
      await seen(owner, id, 'up', 2);
      expect((await oneNetworkOf(id)).Id).toBe(first.Id);
      // The engine refuses while a container is on the network.
      await waitFor(() => removeNetwork(engine, first.Name));
      await waitFor(async () => expect((await oneNetworkOf(id)).Name).not.toBe(first.Name));
      await seen(owner, id, 'up', 3);
      expect(await namelessLines(owner, id)).toEqual([]);
      await owner.call('closeDeployment', { id });
      await noNetworkOf(id);
    });
  });

  describe('of a host that has ended', () => {
    let folder: HostFolder;

    beforeEach(async () => {
      folder = await HostFolder.make();
    });

    afterEach(() => folder.remove());

    it('leave no network after a normal shutdown', async () => {
      const host = await folder.start({ runtime: 'container' });
      const caller = await folder.caller();
      const { id } = await deploy(caller, networkSdl({ web: { script: runningOn } }));
      await seen(caller, id, 'started');
      await oneNetworkOf(id);
      await host.close();
      expect(await networksOf(id)).toEqual([]);
    });

    it('leave a network after a kill, which the next host with the data folder removes', async () => {
      const child = folder.run({ ...serving, runtime: 'container' });
      const caller = await folder.caller();
      const { id } = await deploy(caller, networkSdl({ web: { script: runningOn } }));
      await seen(caller, id, 'started');
      const left = await oneNetworkOf(id);
      child.kill('SIGKILL');
      await once(child, 'exit');

      const other = await temporaryHost({ runtime: 'container' });
      await other.remove();
      expect((await oneNetworkOf(id)).Name).toBe(left.Name);

      await folder.start({ runtime: 'container' });
      const after = await folder.caller();
      await seen(after, id, 'started', 2);
      expect((await oneNetworkOf(id)).Name).not.toBe(left.Name);
      await after.call('closeDeployment', { id });
      await noNetworkOf(id);
    });
  });

  describe('on an engine without such networks', () => {
    let folder: HostFolder;
    let altered: AlteredEngine | undefined;

    beforeEach(async () => {
      folder = await HostFolder.make();
    });

    afterEach(async () => {
      await folder.remove();
      await altered?.close();
    });

    const hostOn = async (alter: (asked: Asked) => Altered | undefined) => {
      altered = await AlteredEngine.open(engine.endpoint, alter);
      await folder.start({ runtime: 'container', engineEnvironment: altered.environment });
      return await folder.caller();
    };
    const sdl = networkSdl({
      db: { script: serveLine(5432, 'rows'), port: 5432 },
      web: { script: `echo up; ${runningOn}` },
    });

    const failures: readonly [string, string, (asked: Asked) => Altered | undefined][] = [
      [
        'make one',
        'iptables failed: no such file',
        ({ path }) =>
          path.startsWith('/networks/create')
            ? { status: 500, body: { message: 'iptables failed: no such file' } }
            : undefined,
      ],
      [
        'list or make any',
        'forbidden by a proxy',
        ({ path }) =>
          path.startsWith('/networks')
            ? { status: 403, body: { message: 'forbidden by a proxy' } }
            : undefined,
      ],
      [
        'put a container on one',
        'no bridge',
        ({ path, body }) =>
          path.startsWith('/containers/create') && body.includes('Aliases')
            ? { status: 500, body: { message: 'no bridge' } }
            : undefined,
      ],
      [
        'answer names on one',
        'Podman has no aardvark-dns',
        ({ path }) =>
          path.endsWith('/libpod/info')
            ? {
                status: 200,
                body: { host: { networkBackendInfo: { backend: 'netavark', dns: {} } } },
              }
            : undefined,
      ],
      [
        'resolve names on one',
        "Podman's networks have no dnsname plug-in",
        ({ path }) =>
          /\/libpod\/networks\/[^/]+\/json$/.test(path)
            ? { status: 200, body: { dns_enabled: false } }
            : undefined,
      ],
    ];

    it.each(failures)(
      'that cannot %s run without names, which is logged once',
      async (_, why, alter) => {
        const caller = await hostOn(alter);
        const { id } = await deploy(caller, sdl);
        await seen(caller, id, 'up');
        expect(await answerOf(caller, id, 'db')).toBe('rows\n');
        const lines = await namelessLines(caller, id);
        expect(lines.map(({ stream, logLine }) => ({ stream, logLine }))).toEqual([
          { stream: 'system', logLine: `services can't resolve one another's names: ${why}` },
        ]);
        await caller.call('closeDeployment', { id });
        await noNetworkOf(id);
      },
    );

    it.each([
      'listen tcp4 127.0.0.1:5432: bind: address already in use',
      'Bind for 127.0.0.1:5432 failed: port is already allocated',
    ])(
      'get another port and keep their names when a port was taken meanwhile: %s',
      async (message) => {
        let starts = 0;
        const caller = await hostOn(({ path }) => {
          if (!path.endsWith('/start')) return undefined;
          starts += 1;
          return starts === 1 ? { status: 500, body: { message } } : undefined;
        });
        const one = networkSdl({ db: { script: serveLine(5432, 'rows'), port: 5432 } });
        const { id } = await deploy(caller, one);
        expect(await answerOf(caller, id, 'db')).toBe('rows\n');
        expect(await namelessLines(caller, id)).toEqual([]);
        expect(starts).toBe(2);
        await caller.call('closeDeployment', { id });
        await noNetworkOf(id);
      },
    );

    it('fail without a line on names when no container can start', async () => {
      const caller = await hostOn(({ path }) =>
        path.endsWith('/start') ? { status: 500, body: { message: 'no way' } } : undefined,
      );
      const { id } = await deploy(caller, sdl);
      await seen(caller, id, 'cannot start: no way', 2);
      expect(await namelessLines(caller, id)).toEqual([]);
      await caller.call('closeDeployment', { id });
      await noNetworkOf(id);
    });
  });
});
