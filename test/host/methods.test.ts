import { Client } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openApiPath } from '../../source/contract/openapi/document.ts';
import { logStreamPath } from '../../source/contract/routes.ts';
import { errorIn } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';

const service = sharedHost();
const owner = service.as('0xowner');
let client: Client;

beforeAll(() => {
  client = new Client(service.host.baseUrl);
});

afterAll(() => client.close());

async function send(method: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  const {
    statusCode,
    headers: answered,
    body,
  } = await client.request({
    method,
    path,
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
  });
  const text = await body.text();
  return { status: statusCode, headers: answered, text, body: text === '' ? '' : JSON.parse(text) };
}

const deployments = '/api/v1/deployments';
const files = `${deployments}/some-id/services/web/files`;

const paths = [
  [deployments, 'GET, POST'],
  [`${deployments}?a=b`, 'GET, POST'],
  [`${deployments}/some-id`, 'GET'],
  [`${deployments}/some-id/close`, 'POST'],
  [`${deployments}/some-id/restart`, 'POST'],
  [`${deployments}/some-id/logs`, 'GET'],
  [files, 'POST, GET'],
  [`${files}/a.txt`, 'GET, PUT, DELETE'],
  [`${files}/folder/a.txt`, 'GET, PUT, DELETE'],
  [`${files}/folder%2Fa.txt`, 'GET, PUT, DELETE'],
  [`${files}/a%0Ab`, 'GET, PUT, DELETE'],
  [`${files}/rename`, 'GET, PUT, PATCH, DELETE'],
  [logStreamPath, 'GET'],
  ['/api/v1/grants', 'POST, GET'],
  ['/api/v1/grants/some-id', 'DELETE'],
  [openApiPath, 'GET'],
] as const;

const all = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

describe('a known path', () => {
  it.each(paths)('%s supports %s and refuses other methods with 405', async (path, methods) => {
    const allow = `${methods}, OPTIONS`;
    for (const method of all.filter((each) => !methods.split(', ').includes(each))) {
      const answer = await send(method, path);
      expect({ method, ...errorIn(answer) }).toMatchObject({
        method,
        status: 405,
        success: false,
        code: 'method-not-allowed',
        details: [],
      });
      expect(answer.headers['allow']).toBe(allow);
    }
    const head = await send('HEAD', path);
    expect({ ...head, headers: head.headers['allow'] }).toMatchObject({
      status: 405,
      text: '',
      headers: allow,
    });
  });

  it.each(paths)(
    '%s answers OPTIONS with its methods, without CORS headers',
    async (path, methods) => {
      const answer = await send('OPTIONS', path, { authorization: '' });
      expect(answer).toMatchObject({ status: 204, text: '' });
      expect(answer.headers['allow']).toBe(`${methods}, OPTIONS`);
      const preflight = await send('OPTIONS', path, {
        origin: 'http://evil.example',
        'access-control-request-method': 'GET',
      });
      expect(errorIn(preflight)).toMatchObject({ status: 403, success: false });
      for (const { headers } of [answer, preflight]) {
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual(
          [],
        );
      }
    },
  );
});

it.each([
  ['GET', `${deployments}/`],
  ['GET', `${deployments}//logs`],
  ['POST', `${deployments}//restart`],
  ['GET', `${deployments}/some-id/services//files`],
  ['DELETE', '/api/v1/grants/'],
])('an empty segment is no identifier: %s %s', async (method, path) => {
  expect(errorIn(await send(method, path))).toMatchObject({
    status: 404,
    message: 'There is no such operation; its path has an empty segment.',
  });
});

it.each([
  '/',
  '/api/v1/nope',
  `${deployments}/`,
  `${deployments}/a/b/c`,
  `${files}/`,
  '/openapi-json',
  '/%ff',
])('an unknown path is answered with 404 for any method: %s', async (path) => {
  for (const method of [...all, 'OPTIONS']) {
    const { status, success } = errorIn(await send(method, path));
    expect({ method, path, success }).toEqual({ method, path, success: false });
    expect([400, 404, 401, 422]).toContain(status);
  }
});
