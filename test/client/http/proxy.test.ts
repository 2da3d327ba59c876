import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../../source/client/client.ts';
import { chooseProxy, type Environment } from '../../../source/client/http/proxy.ts';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import { parseBaseUrl } from '../../../source/contract/base-url.ts';
import { type ConnectProxy, startConnectProxy } from '../../servers/connect-proxy.ts';
import { answering, frame, type Hostile, startHostile, upgrading } from '../../servers/hostile.ts';
import { selfSigned } from '../../servers/self-signed.ts';

function chosen(url: string, environment: Environment): string {
  const choice = chooseProxy(new URL(url), environment);
  if (choice.kind === 'proxy') return `${choice.proxy.variable} ${choice.proxy.name}`;
  return choice.kind === 'direct' ? choice.reason : choice.sentence;
}

describe('the proxy', () => {
  const all = { http_proxy: 'h:1', HTTPS_PROXY: 'http://s:2', ALL_PROXY: 'https://a' };
  const none = 'no HTTPS_PROXY or ALL_PROXY is set';

  test.each<[string, Environment, string]>([
    ['http://x.test', all, 'http_proxy h:1'],
    ['ws://x.test', all, 'http_proxy h:1'],
    ['https://x.test', all, 'HTTPS_PROXY s:2'],
    ['wss://x.test', all, 'HTTPS_PROXY s:2'],
    ['https://x.test', { ALL_PROXY: 'https://a' }, 'ALL_PROXY a:443'],
    ['https://x.test', { ALL_PROXY: 'a' }, 'ALL_PROXY a:80'],
    ['https://x.test', { https_proxy: 'low:1', HTTPS_PROXY: 'up:2' }, 'https_proxy low:1'],
    ['https://x.test', { https_proxy: '', HTTPS_PROXY: 'up:2', ALL_PROXY: 'a:3' }, none],
    ['https://x.test', { HTTP_PROXY: 'h:1' }, none],
    [
      'http://x.test',
      { HTTP_PROXY: 'h:1', REQUEST_METHOD: 'GET' },
      'no HTTP_PROXY or ALL_PROXY is set',
    ],
    ['https://x.test', { HTTPS_PROXY: 'http://[::1]:3128' }, 'HTTPS_PROXY [::1]:3128'],
    [
      'https://x.test',
      { HTTPS_PROXY: 'socks5://s:1080' },
      'HTTPS_PROXY names a proxy of the kind socks5, which is not supported.',
    ],
    [
      'https://x.test',
      { ALL_PROXY: 'socks5h://u:secret@s' },
      'ALL_PROXY names a proxy of the kind socks5h, which is not supported.',
    ],
    ['https://x.test', { HTTPS_PROXY: 'http://u:secret@s:99999' }, 'HTTPS_PROXY is not a URL.'],
    ['https://x.test', { HTTPS_PROXY: 'http://' }, 'HTTPS_PROXY is not a URL.'],
  ])('of %s with %j is: %s', (url, environment, expected) => {
    expect(chosen(url, environment)).toBe(expected);
  });

  test.each([
    'http://localhost:7420',
    'http://LOCALHOST.:7420',
    'http://a.localhost',
    'http://127.0.0.1',
    'http://127.255.0.9',
    'http://127.1',
    'http://0x7f000001',
    'http://2130706433',
    'http://[::1]:7420',
    'http://[0:0:0:0:0:0:0:1]',
    'http://[::ffff:127.0.0.1]',
    'http://0.0.0.0:7420',
    'http://[::]',
    'https://127.0.0.1',
  ])('is never used for %s', (url) => {
    expect(chosen(url, { HTTP_PROXY: 'p:1', HTTPS_PROXY: 'p:1' })).toBe(
      'this machine needs no proxy',
    );
  });

  test.each([
    ['https://api.x.test', '*', '*'],
    ['https://api.x.test', 'a.test, x.test', 'x.test'],
    ['https://API.x.test.', '.X.test', '.X.test'],
    ['https://api.x.test', '*.x.test', '*.x.test'],
    ['https://api.x.test', 'x.test:443', 'x.test:443'],
    ['https://api.x.test:8443', 'x.test:443 x.test:8443', 'x.test:8443'],
    ['https://x.test', '*.x.test', undefined],
    ['https://api.x.test', 'api', undefined],
    ['https://apix.test', 'x.test', undefined],
    ['https://api.x.test', 'x.test:80', undefined],
    ['https://api.x.test', '', undefined],
    ['https://10.1.2.3', '10.0.0.0/8', '10.0.0.0/8'],
    ['https://10.1.2.3', '10.1.2.3', '10.1.2.3'],
    ['https://11.1.2.3', '10.0.0.0/8,10.1.2.3/33', undefined],
    ['https://[2001:db8::1]', '2001:db8:0::1', '2001:db8:0::1'],
    ['https://[2001:db8::1]:444', '[2001:db8::1]:444', '[2001:db8::1]:444'],
    ['https://[2001:db8::1]', '2001:db8::/32', '2001:db8::/32'],
    ['https://[2001:db9::1]', '2001:db8::/32', undefined],
  ])('of %s, with NO_PROXY=%s, is left out by %s', (url, list, entry) => {
    const expected = entry === undefined ? 'HTTPS_PROXY p:1' : `no_proxy lists ${entry}`;
    expect(chosen(url, { HTTPS_PROXY: 'p:1', no_proxy: list })).toBe(expected);
  });

  test('is chosen of any text without an exception, and its password is in no text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, list) => {
        const environment = { HTTPS_PROXY: `http://user:hidden-word@${value}`, NO_PROXY: list };
        const choice = chooseProxy(new URL('https://api.x.test'), environment);
        expect(
          JSON.stringify({ ...choice, ...('proxy' in choice && { proxy: choice.proxy.name }) }),
        ).not.toContain('hidden-word');
      }),
    );
  });
});

test('every URL of this machine is accepted as a base URL', () => {
  expect(parseBaseUrl('http://127.1:7420')).toMatchObject({ ok: true });
});

const token = 'secret-token-93c1';
const credentials = 'http://user:p%40ss@';

describe.each(['http', 'https'])('a request of %s through a proxy', (scheme) => {
  const isSecure = scheme === 'https';
  const host = 'service.test';
  let service: Hostile;
  let proxy: ConnectProxy;
  const trusted = getCACertificates();

  beforeAll(async () => {
    const certificate = selfSigned();
    setDefaultCACertificates([...trusted, certificate.cert]);
    service = await startHostile(
      (socket, head, count) => {
        if (/^upgrade: websocket/im.test(head)) {
          upgrading((open) => {
            open.write(frame(JSON.stringify({ type: 'log', id: 1, logLine: 'x'.repeat(60_000) })));
            open.write(frame('{"type":"log","id":2,"logLine":"last"}'));
          })(socket, head, count);
        } else answering(200, '[]')(socket, head, count);
      },
      { tls: isSecure, certificate },
    );
    proxy = await startConnectProxy(service.baseUrl);
  });

  beforeEach(() => {
    proxy.status = 200;
  });

  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await proxy.close();
    await service.close();
  });

  function clientOf(through = `http://${proxy.name}`): Client {
    const client = createClient({
      baseUrl: `${scheme}://${host}`,
      token,
      environment: { ALL_PROXY: through },
      limits: { retries: 0, connectTimeout: 2_000 },
    });
    onTestFinished(() => client.close());
    return client;
  }

  async function failure(client: Client): Promise<ServiceError> {
    const listed = await client.deployments.list();
    if (listed.ok) throw new Error('it succeeded');
    return listed.error;
  }

  function streamEnd(client: Client): Promise<ServiceError> {
    return new Promise((resolve) => {
      client.logs.stream('a', {
        onOpen() {},
        onFrames() {},
        onClose: resolve,
      });
    });
  }

  test('reaches the service, which sees its own name and no credentials', async () => {
    const client = clientOf(credentials + proxy.name);
    expect(await client.deployments.list()).toMatchObject({ ok: true });
    expect(await client.files.update('a', 'web', 'f', 'text')).toMatchObject({ ok: true });
    const authorization = `Basic ${Buffer.from('user:p@ss').toString('base64')}`;
    const line = isSecure ? `CONNECT ${host}:443` : `GET http://${host}/api/v1/deployments`;
    expect(proxy.requests).toContainEqual({ line, authorization });
    const head = service.heads[0] ?? '';
    expect(head).toMatch(/^GET \/api\/v1\/deployments HTTP/);
    expect(head).toMatch(/^host: service\.test\r$/im);
    expect(head).toMatch(/^accept-encoding: gzip, deflate, br, zstd\r$/im);
    if (isSecure) expect(head.toLowerCase()).not.toContain('proxy-authorization');
  });

  test('a stream gets every frame through a tunnel', async () => {
    const client = clientOf();
    const received = Promise.withResolvers<number>();
    let bytes = 0;
    const stream = client.logs.stream('a', {
      onOpen() {},
      onFrames(frames) {
        bytes += frames.bytes.length;
        if (Buffer.from(frames.bytes).includes('last')) received.resolve(bytes);
      },
      onClose: (error) => received.reject(new Error(error.sentence)),
    });
    onTestFinished(() => stream.close());
    expect(await received.promise).toBeGreaterThan(60_000);
    expect(proxy.requests.at(-1)?.line).toBe(`CONNECT ${host}:${isSecure ? 443 : 80}`);
  });

  test('a stream whose tunnel is cut says so with the proxy', async () => {
    const client = clientOf();
    const ended = new Promise<ServiceError>((resolve) => {
      client.logs.stream('a', {
        onOpen: () => proxy.cut(),
        onFrames() {},
        onClose: resolve,
      });
    });
    expect((await ended).sentence).toContain(`${host} through the proxy ${proxy.name}`);
  });

  test.each([
    [407, 'requires a user and a password (407).'],
    [403, isSecure ? `refuses connections to ${host} (403).` : undefined],
    [502, isSecure ? `can't reach ${host} (502).` : undefined],
  ])('a refusal with %i names the proxy', async (status, words) => {
    proxy.status = status;
    const client = clientOf();
    const sentence = `The proxy ${proxy.name} ${words ?? ''}`;
    const error = await failure(client);
    if (words !== undefined) expect(error.sentence).toBe(sentence);
    else if (status >= 500) {
      expect(error.sentence).toBe(
        `List deployments failed (502), requested through the proxy ${proxy.name}.`,
      );
    }
    expect(error).toMatchObject({ status, unknownOutcome: false });
    const stream = await streamEnd(client);
    expect(stream.sentence).toMatch(new RegExp(`^The proxy ${proxy.name} .*\\(${status}\\)\\.$`));
  });

  test('wrong credentials are named without showing them', async () => {
    proxy.status = 407;
    const error = await failure(clientOf(credentials + proxy.name));
    expect(error.sentence).toBe(
      `The proxy ${proxy.name} rejected the user and the password of ALL_PROXY (407).`,
    );
    expect(JSON.stringify(error)).not.toMatch(/p@ss|p%40ss/);
    proxy.status = 401;
    const stream = await streamEnd(clientOf(credentials + proxy.name));
    expect(stream.sentence).toContain('rejected the user and the password of ALL_PROXY (401).');
  });

  test('a proxy that hangs up, or is not there, is named for requests and streams', async () => {
    proxy.status = 0;
    const client = clientOf();
    const lost = `${isSecure ? 'the proxy' : `${host} through the proxy`} ${proxy.name} to list deployments before the connection was lost.`;
    expect((await failure(client)).sentence).toBe(`No answer from ${lost}`);
    expect((await streamEnd(client)).sentence).toContain(`the proxy ${proxy.name}`);
    const closed = await startConnectProxy(service.baseUrl);
    await closed.close();
    const gone = clientOf(`http://${closed.name}`);
    const refused = {
      code: 'refused',
      sentence: `The proxy ${closed.name} refused the connection.`,
      next: `Check ALL_PROXY, or add ${host} to NO_PROXY.`,
    };
    expect(await failure(gone)).toMatchObject(refused);
    expect(await streamEnd(gone)).toMatchObject(refused);
    const restarted = await gone.deployments.restart('a');
    expect(restarted).toMatchObject({ ok: false, error: { unknownOutcome: false } });
  });

  test('a proxy that is unusable is named before anything is sent', async () => {
    const error = await failure(clientOf('socks5://127.0.0.1:1080'));
    expect(error).toMatchObject({
      code: 'local',
      sentence: 'ALL_PROXY names a proxy of the kind socks5, which is not supported.',
    });
  });
});
