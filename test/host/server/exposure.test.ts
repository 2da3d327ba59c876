import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { Client } from 'undici';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { logStreamPath } from '../../../source/contract/routes.ts';
import type { Host } from '../../../source/host/server/serve.ts';
import { selfSigned } from '../../servers/self-signed.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { errorIn } from '../support/bodies.ts';
import { HostFolder, outcome, serving, withTakenPort } from '../support/host-folder.ts';
import { idle, sdlOf, callHost } from '../support/temporary-host.ts';

const folder = HostFolder.ofEachTest();

const tls = selfSigned();

/** Sends a request to a server under its own address or a name. */
async function send(
  baseUrl: string,
  headers: Readonly<Record<string, string>> = {},
  target = '/api/v1/deployments',
) {
  const client = new Client(baseUrl, { connect: { ca: tls.cert } });
  try {
    const response = await client.request({ method: 'GET', path: target, headers });
    const body = await response.body.json();
    return { status: response.statusCode, headers: response.headers, body };
  } finally {
    await client.close();
  }
}

/** Returns the status of a log stream's handshake: 101, or a refusal. */
async function stream(
  baseUrl: string,
  query: Readonly<Record<string, string>>,
  options: ClientOptions,
): Promise<number | undefined> {
  const url = new URL(logStreamPath, baseUrl.replace('http', 'ws'));
  url.search = new URLSearchParams(query).toString();
  const socket = new WebSocket(url, { ca: tls.cert, ...options });
  socket.on('error', () => undefined);
  try {
    return await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, response]) => {
        return (response as IncomingMessage).statusCode;
      }),
    ]);
  } finally {
    socket.terminate();
  }
}

async function deployed({ baseUrl, token }: Host): Promise<string> {
  const json = { sdl: sdlOf({ web: idle }) };
  const { body } = await callHost(baseUrl, token, 'createDeployment', { json });
  return (body as { readonly deployment: { readonly id: string } }).deployment.id;
}

const bearer = ({ token }: Host) => ({ authorization: `Bearer ${token}` });

describe('a host with a certificate', () => {
  const start = async () => {
    const host = await folder.start({ exposure: { address: '127.0.0.1', port: 0, tls } });
    return { host, url: host.exposedUrl ?? '' };
  };

  it('serves TLS, and plain HTTP on loopback', async () => {
    const { host, url } = await start();
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect(host.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    for (const each of [url, url.replace('127.0.0.1', 'localhost'), host.baseUrl]) {
      expect(await send(each, bearer(host))).toMatchObject({
        status: 200,
        body: { success: true },
      });
      expect(errorIn(await send(each))).toMatchObject({ status: 401 });
    }
  });

  it('accepts origins of its own scheme only', async () => {
    const { host, url } = await start();
    const origin = (from: string) => send(url, { ...bearer(host), origin: from });
    expect((await origin(url)).status).toBe(200);
    expect((await origin(url.replace('https', 'http'))).status).toBe(403);
    expect((await origin('https://evil.example')).status).toBe(403);
  });

  it('streams logs for a token in the header, not in the query', async () => {
    const { host, url } = await start();
    const deploymentId = await deployed(host);
    const queried = { deploymentId, access_token: host.token };
    expect(await stream(url, { deploymentId }, { headers: bearer(host) })).toBe(101);
    expect(await stream(url, queried, {})).toBe(401);
    expect(await stream(url, queried, { headers: bearer(host) })).toBe(101);
    expect(await stream(host.baseUrl, queried, {})).toBe(101);
  });

  it('closes connections without TLS and keeps running', async () => {
    const { host, url } = await start();
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
    expect(await text(socket).catch(() => '')).not.toContain('HTTP/1.1 2');
    expect((await send(url, bearer(host))).status).toBe(200);
  });
});

it.each([
  ['sends no handshake', (port: number) => connect(port, '127.0.0.1')],
  [
    'sends no request',
    (port: number) =>
      connectTls({ port, ca: tls.cert, host: '127.0.0.1', servername: 'localhost' }),
  ],
])('a client that connects over TLS and %s is disconnected', async (_, dial) => {
  const exposure = { address: '127.0.0.1', port: 0, tls };
  const host = await folder.start({ exposure, limits: { headersTimeoutMs: 200 } });
  const socket = dial(Number(new URL(host.exposedUrl ?? '').port));
  socket.on('error', () => undefined);
  socket.resume();
  await once(socket, 'close');
  expect(socket.destroyed).toBe(true);
});

describe('a host on all addresses', () => {
  const start = async (names: readonly string[] = []) => {
    const host = await folder.start({ exposure: { address: '0.0.0.0', port: 0 }, names });
    return { host, url: (host.exposedUrl ?? '').replace('0.0.0.0', '127.0.0.2') };
  };

  it('accepts the called address, localhost and its configured names', async () => {
    const { host, url } = await start(['Deck.example.com']);
    const { port } = new URL(url);
    for (const name of ['127.0.0.2', `127.0.0.2:${port}`, 'localhost', 'deck.EXAMPLE.com:80']) {
      expect((await send(url, { ...bearer(host), host: name })).status).toBe(200);
    }
  });

  it('refuses another Host, which a page may have resolved to it', async () => {
    const { host, url } = await start();
    const names = ['evil.example', '127.0.0.3', '0.0.0.0', 'deck.example.com', '', '[::2]'];
    for (const name of [...names, '127.0.0.2.evil']) {
      const answer = errorIn(await send(url, { ...bearer(host), host: name }));
      expect({ name, ...answer }).toMatchObject({ name, status: 403, code: 'forbidden' });
    }
  });

  it('rejects a token in the query, also from this machine', async () => {
    const { host, url } = await start();
    const deploymentId = await deployed(host);
    const queried = { deploymentId, access_token: host.token };
    for (const each of [url, url.replace('127.0.0.2', '127.0.0.1')]) {
      expect(await stream(each, queried, {})).toBe(401);
    }
  });
});

it('a host behind a local proxy accepts its name, but no token in a query', async () => {
  const host = await folder.start({ names: ['deck.example.com'] });
  const named = { host: 'deck.example.com' };
  expect((await send(host.baseUrl, { ...bearer(host), ...named })).status).toBe(200);
  const deploymentId = await deployed(host);
  const queried = { deploymentId, access_token: host.token };
  expect(await stream(host.baseUrl, queried, { headers: named })).toBe(401);
  expect(await stream(host.baseUrl, queried, {})).toBe(101);
});

it('a host on another loopback address is reachable there', async () => {
  const host = await folder.start({ address: '127.0.0.2' });
  expect(host.baseUrl).toMatch(/^http:\/\/127\.0\.0\.2:\d+$/);
  expect((await send(host.baseUrl, bearer(host))).status).toBe(200);
});

describe('hostdeck host --listen', () => {
  const files = async (cert = tls.cert, key = tls.key) => {
    const place = temporaryFolder();
    const names = { cert: path.join(place, 'c.pem'), key: path.join(place, 'k') };
    await writeFile(names.cert, cert);
    await writeFile(names.key, key);
    return names;
  };

  it('prints the URL for other machines and a warning', async () => {
    const exposure = { address: '127.0.0.1', port: 0, tls: await files() };
    const child = folder.run({ ...serving, exposure });
    const caller = await folder.caller();
    expect((await caller.call('listDeployments')).status).toBe(200);
    const ended = outcome(child);
    child.kill('SIGTERM');
    const { code, notes } = await ended;
    expect(code).toBe(0);
    expect(notes).toMatch(/Other machines reach it at https:\/\/127\.0\.0\.1:\d+\n/);
    expect(notes).toContain('Anyone with a token can run programs on this machine.');
    expect(notes).not.toContain('in the clear');
  });

  it('warns about unencrypted connections without a certificate', async () => {
    const exposure = { address: '0.0.0.0', port: 0 };
    const child = folder.run({ ...serving, exposure });
    await folder.caller();
    const ended = outcome(child);
    child.kill('SIGTERM');
    expect((await ended).notes).toContain('Without TLS, tokens and files are sent unencrypted');
  });

  it.each<[string, () => Promise<{ readonly cert: string; readonly key: string }>, RegExp]>([
    [
      'is missing',
      async () => ({ ...(await files()), key: 'nope.pem' }),
      /^nope\.pem cannot be read \(ENOENT\)\. Name/,
    ],
    ['is not a certificate', () => files('text'), /are not a certificate and its key/],
    [
      'belongs to another key',
      () => files(tls.cert, selfSigned().key),
      /are not a certificate and its key/,
    ],
  ])('with a certificate that %s does not start', async (_, made, message) => {
    await folder.start().then((host) => host.close());
    const exposure = { address: '127.0.0.1', port: 0, tls: await made() };
    const { code, notes } = await outcome(folder.run({ ...serving, exposure }));
    expect(code).toBe(1);
    expect(notes).toMatch(message);
    expect(notes).not.toContain('PRIVATE KEY');
  });

  it('does not start on an address of another machine or a port in use', async () => {
    const other = { address: '203.0.113.77', port: 0 };
    const { code, notes } = await outcome(folder.run({ ...serving, exposure: other }));
    expect({ code, notes }).toEqual({
      code: 1,
      notes:
        '203.0.113.77 is not an address of this machine. Name one of its addresses with --listen.\n',
    });
    const taken = await withTakenPort((port) =>
      outcome(folder.run({ ...serving, exposure: { address: '127.0.0.1', port } })),
    );
    expect(taken).toMatchObject({ code: 1 });
    expect(taken.notes).toMatch(/^Port \d+ is already in use\. Name another with --listen\.\n$/);
  });
});
