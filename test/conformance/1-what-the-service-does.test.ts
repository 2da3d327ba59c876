import { beforeAll, describe, expect } from 'vitest';
import { addressOf, give, listed } from './giving.ts';
import { line } from './line.ts';
import {
  contentIn,
  deploymentIdsIn,
  deploymentIn,
  done,
  grantsIn,
  linesIn,
  pathsIn,
  textsIn,
} from './reading.ts';
import { formOf } from '../host/support/temporary-host.ts';
import {
  deploy,
  eventually,
  idle,
  type MadeDeployment,
  onePerSecond,
  serviceUnderTest,
} from './service.ts';
import { following } from './stream.ts';

const service = await serviceUnderTest();
const { owner } = service;

let made: MadeDeployment;

beforeAll(async () => {
  made = await deploy(service, { web: idle, job: idle });
});

describe.concurrent('1. What the service does', () => {
  line(
    'A deployment is created from a service definition document (SDL) and contains one or more named services.',
    [],
    async () => {
      for (const name of made.names) {
        done(await owner.call('listFiles', { id: made.id, name }));
      }
    },
  );

  line('Deployment management: list, create, get, close and restart.', [], async () => {
    const { id } = await deploy(service, { web: idle });
    expect(deploymentIn(await owner.call('getDeployment', { id })).value.id).toBe(id);
    expect(deploymentIdsIn(await owner.call('listDeployments'))).toContain(id);
    done(await owner.call('restartDeployment', { id }));
    done(await owner.call('closeDeployment', { id }));
  });

  line(
    'File management inside a named service of a deployment: upload, list, read, update, rename, delete.',
    [],
    async () => {
      const [name = ''] = made.names;
      const place = { id: made.id, name };
      const at = (path: string) => ({ ...place, path });
      done(await owner.call('uploadFiles', { ...place, form: formOf({ 'one.txt': 'first' }) }));
      expect(pathsIn(await owner.call('listFiles', place))).toContain('one.txt');
      const read = async (path: string) =>
        contentIn(await owner.call('getFile', at(path)), path).toString();
      expect(await read('one.txt')).toBe('first');
      done(await owner.call('updateFile', { ...at('one.txt'), json: { content: 'second' } }));
      expect(await read('one.txt')).toBe('second');
      const json = { oldPath: 'one.txt', newPath: 'two.txt' };
      done(await owner.call('renameFile', { ...place, json }));
      expect(await read('two.txt')).toBe('second');
      done(await owner.call('deleteFile', at('two.txt')));
      expect(pathsIn(await owner.call('listFiles', place))).not.toContain('two.txt');
    },
  );

  line(
    'Logs of a deployment, fetched over HTTP or streamed over a WebSocket.',
    'programs',
    async () => {
      const counting = `let n = 0; setInterval(() => console.log('count', n++), 50)`;
      const { id } = await deploy(service, { web: counting });
      await following(service, owner, id, async (stream) => {
        const streamed = await eventually(() => {
          expect(stream.messages.length).toBeGreaterThan(2);
          return stream.messages.slice(0, 3);
        });
        const fetched = linesIn(await owner.call('fetchLogs', { id, query: { limit: 1000 } }));
        for (const { id: number, logLine } of streamed) {
          expect(fetched).toContainEqual(expect.objectContaining({ id: number, logLine }));
        }
      });
    },
  );

  line(
    "Spend grants: a wallet owner (the grantor) authorizes another wallet address (the grantee) to spend from the grantor's balance, up to a limit and until an expiry time.",
    [],
    async () => {
      const grant = await give(service, owner, { to: service.grantee, limit: 5 });
      expect(grant).toMatchObject({ grantee: service.grantee, limit: 5 });
      const grants = await grantsIn(await owner.call('listGrants'));
      expect(grants.map(({ id }) => id)).toContain(grant.id);
    },
  );

  line('This allows delegated spending without sharing credentials.', 'balances', async () => {
    const grantor = service.wallet('0xgives', '100');
    const grantee = service.wallet('0xspends', '0');
    const { id } = await give(service, grantor, { to: '0xspends', limit: 50 });
    const { id: deployment } = await deploy(
      service,
      { web: idle },
      { caller: grantee, price: onePerSecond },
    );
    await eventually(async () => {
      expect((await listed(grantee, id))?.spent).toBeGreaterThan(0);
    });
    expect(Number(service.balance('0xgives'))).toBeLessThan(100);
    expect(service.balance('0xspends')).toBe('0');
    done(await grantee.call('closeDeployment', { id: deployment }));
  });

  line(
    'It restarts a deployment automatically 5 seconds after the last file change. Calls made directly through the API do not get this automatic restart and must call the restart endpoint.',
    'programs',
    async () => {
      const begun = `console.log('begun', Date.now()); let n = 0;
        setInterval(() => console.log('after', (n += 100), 'ms'), 100)`;
      const { id } = await deploy(service, { web: begun });
      const texts = async () =>
        textsIn(await owner.call('fetchLogs', { id, query: { limit: 1000 } }));
      await eventually(async () => {
        expect(await texts()).toContain('after 100 ms');
      });
      const change = { id, name: 'web', path: 'changed.txt', json: { content: 'new' } };
      done(await owner.call('updateFile', change));
      // The program counts time from its start, so its last line is well after the 5 seconds.
      await eventually(async () => {
        expect(await texts()).toContain('after 6500 ms');
      });
      expect((await texts()).filter((text) => text.startsWith('begun'))).toHaveLength(1);
      done(await owner.call('restartDeployment', { id }));
      await eventually(async () => {
        expect((await texts()).filter((text) => text.startsWith('begun'))).toHaveLength(2);
      });
    },
  );

  line(
    "team members deploying without sharing one wallet; … a managed-service provider maintaining the grantor's infrastructure.",
    'second wallet',
    async () => {
      const address = await addressOf(service, service.second);
      const { id } = await give(service, owner, { to: address });
      expect(await listed(service.second, id)).toMatchObject({ id, grantee: address });
    },
  );
});
