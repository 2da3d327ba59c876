import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath, type OperationName, operations } from '../../source/contract/routes.ts';
import { deploy, errorIn, fieldOf, readDeployment, readLogs } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { type CallOptions, formOf, idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const service = sharedHost();
const owner = service.as('0xowner');
const grantee = service.as('0xgrantee');
const stranger = service.as('0xstranger');
let id: string;
let grant: string;

beforeAll(async () => {
  ({ id } = await deploy(owner, sdlOf({ web: idle }, 'shop')));
  await owner.call('uploadFiles', { id, name: 'web', form: formOf({ 'a/b.txt': 'mine' }) });
  const json = { grantee: grantee.wallet, limit: 5, expires_at: '2100-01-01T00:00:00Z' };
  const created = fieldOf(await owner.call('createGrant', { json }), 'grant');
  grant = (created as { readonly id: string }).id;
});

const at = { name: 'web', path: 'a/b.txt' };

/** Calls of each route to a resource of one wallet, valid and invalid. */
const calls: readonly (readonly [OperationName, string, () => CallOptions])[] = [
  ['getDeployment', '', () => ({})],
  ['closeDeployment', '', () => ({})],
  ['restartDeployment', '', () => ({})],
  ['listFiles', '', () => at],
  ['listFiles', 'of an unknown service', () => ({ name: 'nope' })],
  ['getFile', '', () => at],
  ['getFile', 'raw', () => ({ ...at, headers: { accept: 'application/octet-stream' } })],
  ['getFile', 'of a missing file', () => ({ ...at, path: 'nope' })],
  ['uploadFiles', '', () => ({ ...at, form: formOf({ 'a/b.txt': 'foreign' }) })],
  ['uploadFiles', 'without a form', () => ({ ...at, json: {} })],
  ['updateFile', '', () => ({ ...at, json: { content: 'foreign' } })],
  ['updateFile', 'without content', () => ({ ...at, json: {} })],
  ['renameFile', '', () => ({ ...at, json: { oldPath: 'a/b.txt', newPath: 'c.txt' } })],
  ['renameFile', 'without paths', () => ({ ...at, json: {} })],
  ['deleteFile', '', () => at],
  ['deleteFile', 'of a folder', () => ({ ...at, path: 'a' })],
  ['fetchLogs', '', () => ({})],
  ['fetchLogs', 'with a wrong limit', () => ({ query: { limit: 0 } })],
  ['revokeGrant', '', () => ({})],
];

describe('a resource of another wallet', () => {
  it.each(calls)('does not exist for %s %s', async (operation, _, options) => {
    const foreign = operation === 'revokeGrant' ? grant : id;
    const answer = await stranger.call(operation, { ...options(), id: foreign });
    expect(errorIn(answer)).toMatchObject({ status: 404, success: false, code: 'not-found' });
    const missing = await stranger.call(operation, { ...options(), id: `${foreign}0` });
    const { date: _date, ...headers } = answer.headers;
    const { date: _other, ...missingHeaders } = missing.headers;
    expect({ ...answer, headers }).toEqual({ ...missing, headers: missingHeaders });
  });

  it('is tested with every operation that has parameters', () => {
    const covered = new Set(calls.map(([operation]) => operation));
    const named = (Object.keys(operations) as readonly OperationName[]).filter((name) =>
      operations[name].path.includes(':id'),
    );
    expect(named.filter((name) => !covered.has(name))).toEqual([]);
  });

  it('is not streamed, whether the token is in the header or the query', async () => {
    const { token } = stranger;
    const begin = async (deploymentId: string, query: object, headers: Record<string, string>) => {
      const url = new URL(logStreamPath, service.host.baseUrl.replace('http', 'ws'));
      url.search = new URLSearchParams({ deploymentId, ...query }).toString();
      const socket = new WebSocket(url, { headers });
      socket.on('error', () => undefined);
      const [, response] = (await once(socket, 'unexpected-response')) as [
        unknown,
        IncomingMessage,
      ];
      response.setEncoding('utf8');
      const body = (await response.toArray()).join('');
      socket.terminate();
      return { status: response.statusCode, body: JSON.parse(body) as unknown };
    };
    for (const [query, headers] of [
      [{}, { authorization: `Bearer ${token}` }],
      [{ access_token: token }, {}],
    ] as const) {
      const foreign = await begin(id, query, headers);
      expect(foreign).toMatchObject({ status: 404, body: { success: false } });
      expect(await begin('nope', query, headers)).toEqual(foreign);
    }
  });

  it('is not listed', async () => {
    for (const caller of [stranger, grantee]) {
      expect(fieldOf(await caller.call('listDeployments'), 'deployments')).toEqual([]);
    }
    expect(fieldOf(await stranger.call('listGrants'), 'grants')).toEqual([]);
    for (const caller of [owner, grantee]) {
      expect(fieldOf(await caller.call('listGrants'), 'grants')).toMatchObject([{ id: grant }]);
    }
  });

  it('does not exist for its grantee, either', async () => {
    for (const operation of ['getDeployment', 'closeDeployment', 'fetchLogs'] as const) {
      expect((await grantee.call(operation, { id })).status).toBe(404);
    }
    expect((await grantee.call('revokeGrant', { id: grant })).status).toBe(403);
  });

  it('is unchanged after all calls', async () => {
    // The deployment may still be starting.
    await waitFor(async () => {
      const { state, restartedAt } = await readDeployment(owner, id);
      expect({ state, restartedAt }).toEqual({ state: 'active', restartedAt: undefined });
    });
    const read = await owner.call('getFile', { id, ...at });
    expect(fieldOf(read, 'file')).toMatchObject({ content: 'mine' });
    const listed = fieldOf(await owner.call('listFiles', { id, name: 'web' }), 'files');
    expect(listed).toMatchObject([{ path: 'a/b.txt' }]);
    expect(await readdir(path.join(service.dataDir, 'deployments'))).toEqual([id]);
    expect((await readLogs(owner, id)).map((line) => line.logLine).slice(1)).toEqual(['started']);
    const [{ revoked_at: revoked } = {}] = fieldOf(await owner.call('listGrants'), 'grants') as {
      readonly revoked_at?: string;
    }[];
    expect(revoked).toBeUndefined();
  });

  it('cannot be reached by a path from an own resource', async () => {
    const own = await deploy(stranger, sdlOf({ web: idle }));
    const paths = [`../../../${id}/staged/web/a/b.txt`, `..%2F..%2F${id}`, `/${id}/a`, '..'];
    for (const target of paths) {
      const encoded = encodeURIComponent(target);
      const url = `/api/v1/deployments/${own.id}/services/web/files/${encoded}`;
      const answer = await fetch(new URL(url, service.host.baseUrl), {
        headers: { authorization: `Bearer ${stranger.token}` },
      });
      expect([404, 422]).toContain(answer.status);
      expect(await answer.text()).not.toContain('mine');
    }
    const json = { oldPath: `../../${id}/staged/web/a/b.txt`, newPath: 'stolen.txt' };
    const renamed = await stranger.call('renameFile', { id: own.id, name: 'web', json });
    expect(renamed.status).toBe(422);
    const through = { id: own.id, name: `../../${id}/staged/web`, path: 'a/b.txt' };
    expect((await stranger.call('getFile', through)).status).toBe(404);
  });
});
