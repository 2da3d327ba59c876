import { once } from 'node:events';
import { beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createOpenApiDocument, openApiPath } from '../../source/contract/openapi/document.ts';
import type { Schema } from '../../source/contract/openapi/schema.ts';
import { logStreamPath, type OperationName, operations } from '../../source/contract/routes.ts';
import { mismatches } from '../contract/openapi/schema-check.ts';
import { deploy, fieldOf, readLines } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import {
  type Answer,
  type CallOptions,
  callHost,
  formOf,
  nodeService,
  sdlOf,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

interface Responses {
  readonly responses: Readonly<
    Record<string, { readonly $ref?: string; readonly content?: Content } | undefined>
  >;
}

type Content = Readonly<Record<string, { readonly schema: Schema } | undefined>>;

const document = createOpenApiDocument('4.5.6');
const errorSchema = { $ref: '#/components/schemas/Error' } as const;

const service = sharedHost({ version: '4.5.6' });
const owner = service.as('0xowner');
let id: string;

beforeAll(async () => {
  const web = nodeService(`console.log('out'); console.error('err'); setInterval(() => {}, 1e4)`);
  ({ id } = await deploy(owner, sdlOf({ web: { ...web, port: 18_240 } })));
  await waitFor(async () => {
    expect(await readLines(owner, id)).toEqual(expect.arrayContaining(['out', 'err']));
  });
});

/** Returns the differences of a response from the document's schema. */
function differences(operation: OperationName, { status, body, headers }: Answer) {
  const { method, path } = operations[operation];
  const item = document.paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
  const response = (item as Responses | undefined)?.responses[status];
  if (response === undefined) return [`status ${status} is not described`];
  expect(headers['content-type']).toBe('application/json; charset=utf-8');
  const schema = response.content?.['application/json']?.schema;
  return mismatches(document, schema ?? errorSchema, body);
}

async function check(
  operation: OperationName,
  status: number,
  options: CallOptions = {},
  caller = owner,
): Promise<Answer> {
  const answer = await caller.call(operation, options);
  expect({ operation, status: answer.status }).toEqual({ operation, status });
  expect({ operation, differences: differences(operation, answer) }).toEqual({
    operation,
    differences: [],
  });
  return answer;
}

describe('the OpenAPI document of a host', () => {
  it('needs no token', async () => {
    const answer = await fetch(new URL(openApiPath, service.host.baseUrl));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await answer.json()).toEqual(document);
  });

  it('is not served to pages of other sites', async () => {
    const url = new URL(openApiPath, service.host.baseUrl);
    const answer = await fetch(url, { headers: { origin: 'http://evil.example' } });
    expect(answer.status).toBe(403);
    expect(mismatches(document, errorSchema, await answer.json())).toEqual([]);
  });

  it('describes the responses of deployments and logs', async () => {
    await check('listDeployments', 200);
    await check('listDeployments', 200, { query: { state: 'active', limit: 1, offset: 0 } });
    await check('listDeployments', 422, { query: { limit: 0 } });
    await check('getDeployment', 200, { id });
    await check('getDeployment', 404, { id: 'nope' });
    await check('fetchLogs', 200, { id });
    await check('fetchLogs', 422, { id, query: { limit: 0 } });
    await check('createDeployment', 422, { json: { sdl: 'version: "2.0"\n' } });
    await check('createDeployment', 400);
    await check('createDeployment', 413, { json: { sdl: 'x'.repeat(1_100_000) } });
    const created = await check('createDeployment', 201, {
      json: { sdl: sdlOf({ job: nodeService('process.exit(3)') }) },
    });
    const { id: other } = fieldOf(created, 'deployment') as { readonly id: string };
    await waitFor(async () => {
      const { body } = await check('getDeployment', 200, { id: other });
      expect(body).toMatchObject({ deployment: { services: [{ exitCode: 3 }] } });
    });
    await check('restartDeployment', 200, { id: other });
    await check('closeDeployment', 200, { id: other });
    await check('restartDeployment', 409, { id: other });
  });

  it('describes the responses of files', async () => {
    const at = { id, name: 'web' };
    await check('uploadFiles', 200, { ...at, form: formOf({ 'a/b.txt': 'text' }) });
    await check('uploadFiles', 422, { ...at, form: formOf({ '../b.txt': 'text' }) });
    await check('updateFile', 200, { ...at, path: 'c.txt', json: { content: 'more' } });
    await check('updateFile', 409, { ...at, path: 'a', json: { content: 'more' } });
    await check('listFiles', 200, at);
    await check('listFiles', 404, { id, name: 'nope' });
    await check('getFile', 200, { ...at, path: 'a/b.txt' });
    const binary = formOf({ 'd.bin': new Uint8Array([0xff, 0xfe]) });
    await check('uploadFiles', 200, { ...at, form: binary });
    const { body } = await check('getFile', 200, { ...at, path: 'd.bin' });
    expect(body).toMatchObject({ file: { encoding: 'base64' } });
    await check('renameFile', 200, { ...at, json: { oldPath: 'c.txt', newPath: 'e.txt' } });
    await check('renameFile', 409, { ...at, json: { oldPath: 'e.txt', newPath: 'a/b.txt' } });
    await check('deleteFile', 200, { ...at, path: 'e.txt' });
    await check('deleteFile', 404, { ...at, path: 'e.txt' });
  });

  it('describes the responses of grants', async () => {
    const json = { grantee: '0xother', limit: 12.5, expires_at: '2100-01-01T00:00:00Z' };
    const created = await check('createGrant', 201, { json });
    const { id: grant } = fieldOf(created, 'grant') as { readonly id: string };
    await check('createGrant', 422, { json: { ...json, limit: 0 } });
    await check('revokeGrant', 403, { id: grant }, service.as('0xother'));
    await check('revokeGrant', 200, { id: grant });
    await check('revokeGrant', 404, { id: 'nope' });
    await check('listGrants', 200);
  });

  it('describes the response without a token, for every operation', async () => {
    for (const operation of Object.keys(operations) as readonly OperationName[]) {
      const parameters = { id, name: 'web', path: 'a.txt' };
      const answer = await callHost(service.host.baseUrl, undefined, operation, parameters);
      expect(answer.status).toBe(401);
      expect(differences(operation, answer)).toEqual([]);
    }
  });

  it('describes the response to a body that is too large, for every operation with one', async () => {
    // None of these requests has an effect before it is refused.
    const bytes = Buffer.alloc(1_100_000, 'x');
    const parameters = { id, name: 'web', path: 'a.txt', bytes };
    for (const operation of Object.keys(operations) as readonly OperationName[]) {
      const { method } = operations[operation];
      if (method === 'GET' || operation === 'updateFile') continue;
      await check(operation, 413, parameters);
    }
  });

  it('describes the response to too many unknown tokens, for every operation', async () => {
    const parameters = { id, name: 'web', path: 'a.txt' };
    const guess = (operation: OperationName) =>
      callHost(service.host.baseUrl, 'hd_guessed', operation, parameters);
    while ((await guess('listGrants')).status !== 429);
    for (const operation of Object.keys(operations) as readonly OperationName[]) {
      const answer = await guess(operation);
      expect(answer.status).toBe(429);
      expect({ operation, differences: differences(operation, answer) }).toEqual({
        operation,
        differences: [],
      });
    }
  });

  it('describes the frames of the log stream', async () => {
    const url = new URL(logStreamPath, service.host.baseUrl.replace('http', 'ws'));
    url.searchParams.set('deploymentId', id);
    const socket = new WebSocket(url, { headers: { authorization: `Bearer ${owner.token}` } });
    await once(socket, 'open');
    const framed = once(socket, 'message');
    await owner.call('restartDeployment', { id });
    const [data] = (await framed) as [Buffer];
    const schema = { $ref: '#/components/schemas/StreamMessage' };
    expect(mismatches(document, schema, JSON.parse(data.toString()))).toEqual([]);
    socket.terminate();
  });
});
