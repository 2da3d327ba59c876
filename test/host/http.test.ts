import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import { errorIn } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import type { Answer } from './support/temporary-host.ts';

const service = sharedHost();
const owner = service.as('0xowner');

async function send(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method: 'GET' | 'POST' | 'PUT' = 'GET',
  body?: string | Buffer,
): Promise<Answer> {
  const client = new Client(service.host.baseUrl);
  const response = await client.request({
    method,
    path: target,
    headers: { authorization: `Bearer ${owner.token}`, ...headers },
    body: body ?? null,
  });
  const answer = await response.body.json();
  await client.close();
  return { status: response.statusCode, headers: response.headers, body: answer };
}

/** Sends raw bytes and returns the response. */
async function say(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.host.baseUrl).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.end(bytes);
  return await text(socket);
}

describe('an error', () => {
  it.each([
    ['/', 404],
    ['/api/v1/nope', 404],
    ['/api/v2/deployments', 404],
    ['/api/v1/deployments/%zz', 400],
    ['/api/v1/deployments/%ff', 400],
    [`/api/v1/deployments/${'x'.repeat(15_000)}`, 404],
  ])(
    'at %.40s uses the envelope and discloses no details of the machine',
    async (target, status) => {
      const answer = await send(target);
      expect(errorIn(answer)).toMatchObject({ status, success: false, details: [] });
      const shown = JSON.stringify(answer.body);
      expect(shown).not.toContain(service.dataDir);
      expect(shown).not.toMatch(/node_modules|\.ts|\.js|at \w+ \(/);
      expect(answer.headers['date']).toBeDefined();
    },
  );

  it.each(['NOT HTTP\r\n\r\n', 'GET / HTTP/1.1\r\nBad Header\r\n\r\n'])(
    'of the HTTP protocol uses the envelope, too: %j',
    async (bytes) => {
      const answer = await say(bytes);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/\r\nDate: \w{3}, /);
      expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({
        success: false,
        error: { code: 'bad-request', details: [] },
      });
    },
  );

  it.each<[string, string | Buffer]>([
    ['{"sdl": ', 'text that is no JSON'],
    [Buffer.from('{"sdl":"\xff"}', 'latin1').toString('latin1'), 'x'],
  ])('for an unreadable body is 400: %j', async (body) => {
    const answer = await send('/api/v1/deployments', {}, 'POST', Buffer.from(body, 'latin1'));
    expect(errorIn(answer)).toMatchObject({ status: 400, code: 'bad-request' });
  });

  it('for a body that is too large is 413', async () => {
    const body = JSON.stringify({ sdl: 'x'.repeat(1_100_000) });
    const answer = await send('/api/v1/deployments', {}, 'POST', body);
    expect(errorIn(answer)).toMatchObject({ status: 413, code: 'too-large' });
  });

  it('for a field that is not text names the field', async () => {
    for (const json of [{}, { sdl: 1 }, { sdl: null }]) {
      const answer = await owner.call('createDeployment', { json });
      expect(errorIn(answer)).toMatchObject({
        status: 422,
        code: 'invalid',
        details: [{ field: 'sdl', expected: 'text' }],
      });
    }
  });
});

describe('a web page', () => {
  const port = () => new URL(service.host.baseUrl).port;

  it.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', '', '0.0.0.0'])(
    'that resolves its own name to the host is refused: Host %j',
    async (host) => {
      const answer = await send('/api/v1/deployments', { host });
      expect(errorIn(answer)).toMatchObject({ status: 403, code: 'forbidden' });
    },
  );

  it.each(['http://evil.example', 'null', 'http://localhost:1', 'https://127.0.0.1'])(
    'of another site is refused: Origin %s',
    async (origin) => {
      const answer = await send('/api/v1/deployments', { origin });
      expect(errorIn(answer)).toMatchObject({ status: 403, code: 'forbidden' });
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  it('of another site gets no log stream', async () => {
    const url = `${service.host.baseUrl.replace('http', 'ws')}${logStreamPath}?deploymentId=x`;
    const socket = new WebSocket(url, {
      origin: 'http://evil.example',
      headers: { authorization: `Bearer ${owner.token}` },
    });
    const [, response] = (await once(socket, 'unexpected-response')) as [
      unknown,
      { statusCode: number },
    ];
    expect(response.statusCode).toBe(403);
    socket.on('error', () => undefined);
    socket.terminate();
  });

  it('of the host itself and programs under any of its names are served', async () => {
    for (const host of [`127.0.0.1:${port()}`, `localhost:${port()}`, 'LOCALHOST', '[::1]']) {
      const answer = await send('/api/v1/deployments', { host });
      expect(answer.status).toBe(200);
    }
    const own = { host: `localhost:${port()}`, origin: `http://localhost:${port()}` };
    expect((await send('/api/v1/deployments', own)).status).toBe(200);
  });
});

describe('a token', () => {
  it('is accepted in the query on the log stream only', async () => {
    const answer = await send(`/api/v1/deployments?access_token=${owner.token}`, {
      authorization: '',
    });
    expect(answer.status).toBe(401);
  });

  it.each(['Basic abc', 'Bearer', 'Bearer a b', 'bearer'])(
    '%j is not a token',
    async (authorization) => {
      expect((await send('/api/v1/grants', { authorization })).status).toBe(401);
    },
  );

  it('is not stored, only its hash', async () => {
    const rows = service.dataDir;
    const { readFile } = await import('node:fs/promises');
    for (const file of ['host.db', 'host.db-wal']) {
      expect((await readFile(`${rows}/${file}`)).includes(owner.token)).toBe(false);
    }
  });
});
