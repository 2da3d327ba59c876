import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../source/client/client.ts';
import { type ConnectOptions, createClient } from '../../../source/client/client.ts';
import type { Limits } from '../../../source/client/http/limits.ts';
import { startForeign } from '../../servers/foreign.ts';
import {
  answering,
  cutting,
  endless,
  hangUp,
  type HostileOptions,
  inTurn,
  type Script,
  silence,
  stalling,
  startHostile,
} from '../../servers/hostile.ts';

const token = 'secret-token-93c1';
function clientOf(
  baseUrl: string,
  limits: Partial<Limits> = {},
  more: Partial<ConnectOptions> = {},
): Client {
  const client = createClient({ baseUrl, token, limits: { retryDelay: 5, ...limits }, ...more });
  onTestFinished(() => client.close());
  return client;
}

async function hostile(script: Script, options?: HostileOptions) {
  const server = await startHostile(script, options);
  onTestFinished(() => server.close());
  return server;
}

async function errorOf(answer: Promise<{ ok: boolean; error?: unknown }>) {
  const result = await answer;
  if (result.ok) throw new Error('it succeeded');
  return (result as Extract<Awaited<ReturnType<Client['grants']['list']>>, { ok: false }>).error;
}

const empty = answering(200, '[]');

describe('a request', () => {
  test('is sent below the path of the base URL, with the token and without a body', async () => {
    const { baseUrl, heads } = await hostile(empty);
    const client = clientOf(`${baseUrl}/a/b%20c/`);
    expect(await client.logs.fetch('x/y', { limit: 5, search: 'a&b' })).toMatchObject({ ok: true });
    const [head = ''] = heads;
    expect(head).toMatch(
      /^GET \/a\/b%20c\/api\/v1\/deployments\/x%2Fy\/logs\?limit=5&search=a%26b HTTP/,
    );
    expect(head.toLowerCase()).toContain(`authorization: bearer ${token}`);
    expect(head.toLowerCase()).not.toContain('content-length');
  });

  test('leaves no listener behind after fifty at once', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error) => warnings.push(warning);
    process.on('warning', warn);
    const { baseUrl } = await hostile(empty);
    const client = clientOf(baseUrl);
    const { signal } = new AbortController();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => client.deployments.list(signal)),
    );
    expect(answers.every(({ ok }) => ok)).toBe(true);
    // Node emits warnings in the next tick.
    await new Promise((resolve) => {
      process.nextTick(resolve);
    });
    process.off('warning', warn);
    expect(warnings).toEqual([]);
  });

  test('for an unaddressable name is not sent', async () => {
    const { baseUrl, heads } = await hostile(empty);
    const client = clientOf(baseUrl);
    for (const id of ['', '.', '..']) {
      expect((await errorOf(client.deployments.restart(id))).code).toBe('local');
    }
    expect(heads).toEqual([]);
  });

  test.each([
    ['with a line break', `${token}\n`],
    ['with a character no header can carry', `${token}\u{2026}`],
  ])('with a token %s is an error value', async (_, broken) => {
    const { baseUrl, heads } = await hostile(empty);
    const client = clientOf(baseUrl, {}, { token: broken });
    const error = await errorOf(client.deployments.list());
    expect(error.code).toBe('local');
    expect(JSON.stringify(error)).not.toContain(token);
    expect(heads).toEqual([]);
  });
});

describe('a connection', () => {
  test('to a closed port is refused after a few attempts', async () => {
    const { baseUrl, ...server } = await startHostile(silence);
    await server.close();
    const error = await errorOf(clientOf(baseUrl).deployments.list());
    expect(error).toMatchObject({ code: 'refused', unknownOutcome: false });
    expect(error.sentence).toBe(`${new URL(baseUrl).host} refused the connection.`);
    expect((await errorOf(clientOf(baseUrl).deployments.restart('a'))).unknownOutcome).toBe(false);
  });

  test('to a name that does not exist is a dns error', async () => {
    const error = await errorOf(clientOf('http://nowhere.invalid').deployments.list());
    expect(error).toMatchObject({
      code: 'dns',
      sentence: "Can't find the address of nowhere.invalid.",
    });
  });

  test('with an untrusted certificate is a tls error', async () => {
    const { baseUrl, heads } = await hostile(empty, { tls: true });
    const error = await errorOf(clientOf(baseUrl).deployments.close('a'));
    expect(error).toMatchObject({ code: 'tls', unknownOutcome: false });
    expect(error.sentence).toMatch(/: self-signed certificate\.$/);
    expect(error.next).toContain('NODE_EXTRA_CA_CERTS');
    expect(heads).toEqual([]);
  });

  test('by https to an http server is a tls error', async () => {
    const service = await startForeign();
    onTestFinished(() => service.close());
    const client = clientOf(service.baseUrl.replace('http:', 'https:'));
    const error = await errorOf(client.deployments.list());
    expect(error).toMatchObject({
      code: 'tls',
      sentence: `Can't connect securely to ${client.host}: wrong version number.`,
      next: 'Check whether the base URL should start with http instead of https.',
    });
  });

  test('that is not accepted in time is a timeout', async () => {
    // Documentation addresses (RFC 5737) are not routed; some networks report that at once.
    const client = clientOf('http://192.0.2.1', { connectTimeout: 100, retries: 0 });
    const error = await errorOf(client.deployments.restart('a'));
    expect(['timeout', 'refused']).toContain(error.code);
    expect(error.unknownOutcome).toBe(false);
  });
});

describe('an answer', () => {
  test('that does not start or end in time is a timeout', async () => {
    const slow = [
      '',
      'HTTP/1.1 200 OK\r\nx-slow: ',
      'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n[1,',
    ];
    const servers = await Promise.all(slow.map((beginning) => hostile(stalling(beginning))));
    const clients = servers.map(({ baseUrl }) => clientOf(baseUrl, { answerTimeout: 100 }));
    const reads = clients.map((client) => errorOf(client.grants.list()));
    const writes = clients.map((client) => errorOf(client.deployments.restart('a')));
    for (const error of await Promise.all(reads)) {
      expect(error).toMatchObject({ code: 'timeout', unknownOutcome: false });
    }
    for (const error of await Promise.all(writes)) {
      expect(error).toMatchObject({
        code: 'timeout',
        unknownOutcome: true,
        next: 'Check its log before you restart it again.',
      });
    }
    expect(servers.map(({ heads }) => heads.length)).toEqual([2, 2, 2]);
  });

  test('that is truncated is not joined with another one', async () => {
    const { baseUrl, heads } = await hostile(cutting(100, '[{"path":"a"},'));
    expect((await errorOf(clientOf(baseUrl).files.list('a', 'web'))).code).toBe('disconnected');
    expect(heads).toHaveLength(1);
  });

  test('that is missing leaves the outcome of a write unknown, and the write is not retried', async () => {
    const { baseUrl, heads } = await hostile(hangUp);
    const error = await errorOf(clientOf(baseUrl).files.update('a', 'web', 'b', 'c'));
    expect(error).toMatchObject({ code: 'disconnected', unknownOutcome: true });
    expect(heads).toHaveLength(1);
  });

  test('without an end is rejected', async () => {
    const { baseUrl } = await hostile(endless);
    const client = clientOf(baseUrl, { maxAnswer: 2 ** 20 });
    expect(await errorOf(client.deployments.list())).toMatchObject({
      code: 'oversized-answer',
      sentence: expect.stringContaining('larger than 1 MiB'),
    });
  });

  test('of more than 64 MiB is rejected by its announced length', async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${64 * 2 ** 20 + 1}\r\n\r\n[`;
    const { baseUrl } = await hostile(stalling(head));
    expect((await errorOf(clientOf(baseUrl).deployments.list())).code).toBe('oversized-answer');
  });

  test('that is not JSON is unreadable and kept for the detail view', async () => {
    const { baseUrl } = await hostile(answering(200, '[{"path":"a"}'));
    expect(await errorOf(clientOf(baseUrl).files.list('a', 'web'))).toMatchObject({
      code: 'unreadable',
      status: 200,
      answer: '[{"path":"a"}',
    });
  });

  test('that is not HTTP is unreadable', async () => {
    const { baseUrl } = await hostile(stalling('SSH-2.0-OpenSSH_9.2\r\n'));
    expect((await errorOf(clientOf(baseUrl).deployments.list())).code).toBe('unreadable');
  });

  test.each([
    [
      'long headers',
      `HTTP/1.1 200 OK\r\nset-cookie: ${'c'.repeat(17_000)}\r\n\r\n`,
      'The headers of the answer to list deployments are larger than 16 KiB.',
    ],
    [
      'a header without a colon',
      'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
      'one of its headers is not valid',
    ],
    [
      'a chunk without a length',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nxyz\r\n',
      'a part of its body has no valid length',
    ],
    [
      'another protocol',
      'HTTP/1.1 101 Go\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
      'it switches to another protocol (101)',
    ],
    [
      'a part of itself',
      'HTTP/1.1 206 Part\r\ncontent-length: 2\r\n\r\n[]',
      'sent a part, but the whole was requested (206)',
    ],
    [
      'nothing new',
      'HTTP/1.1 304 Same\r\n\r\n',
      'says that nothing has changed, but no version was named (304)',
    ],
    ['nothing', 'HTTP/1.1 204 Empty\r\n\r\n', 'it is empty'],
  ])('with %s says so', async (_, bytes, reason) => {
    const { baseUrl } = await hostile((socket) => socket.write(bytes));
    const error = await errorOf(clientOf(baseUrl).deployments.list());
    expect(error.sentence).toContain(reason);
  });

  test('with an HTML page is an error, also after a write', async () => {
    const { baseUrl } = await hostile(answering(200, '<!doctype html><p>Sign in</p>'));
    const client = clientOf(baseUrl);
    expect((await errorOf(client.deployments.list())).sentence).toContain('it is an HTML page');
    expect(await errorOf(client.deployments.restart('a'))).toMatchObject({
      code: 'unreadable',
      unknownOutcome: true,
    });
  });

  test('with invalid UTF-8 loses only the character', async () => {
    const body = Buffer.concat([Buffer.from('["a'), Buffer.from([0xff]), Buffer.from('b"]')]);
    const { baseUrl } = await hostile(answering(200, body));
    expect(await clientOf(baseUrl).logs.fetch('a', {})).toMatchObject({
      value: { lines: [{ value: { logLine: 'a\uFFFDb' } }] },
    });
  });

  test.each(['', 'OK', '{"success":true}', 'null', '{"deployment":{}}'])(
    'of %j says that a write was done',
    async (body) => {
      const { baseUrl } = await hostile(answering(200, body));
      expect(await clientOf(baseUrl).deployments.restart('a')).toEqual({
        ok: true,
        value: undefined,
        status: 200,
      });
    },
  );

  test('with success: false is an error with its message', async () => {
    const { baseUrl } = await hostile(answering(200, '{"success":false,"error":"no funds"}'));
    const client = clientOf(baseUrl);
    const expected = { code: 'service-error', status: 200, errorMessage: 'no funds' };
    expect(await errorOf(client.deployments.restart('a'))).toMatchObject(expected);
    expect(await errorOf(client.deployments.list())).toMatchObject(expected);
  });

  test('with an endless error body is classified by its status', async () => {
    const { baseUrl } = await hostile((socket) => {
      socket.write('HTTP/1.1 422 No\r\ntransfer-encoding: chunked\r\n\r\n');
      const pour = (): void => {
        while (!socket.destroyed && socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`));
      };
      socket.on('drain', pour);
      pour();
    });
    const error = await errorOf(clientOf(baseUrl).grants.revoke('a'));
    expect(error).toMatchObject({ code: 'invalid', status: 422 });
    expect(error.errorMessage?.length).toBe(2000);
  });

  test('that begins with a byte order mark keeps its details', async () => {
    const body = '\uFEFF{"errors":[{"field":"sdl","message":"too long","line":3}]}';
    const { baseUrl } = await hostile(answering(422, body));
    expect(await errorOf(clientOf(baseUrl).deployments.create('a'))).toMatchObject({
      errorMessage: 'sdl: too long',
      errorDetails: [{ field: 'sdl', message: 'too long', line: 3 }],
    });
  });

  test('that echoes the token is shown without it', async () => {
    const body = JSON.stringify({ message: `token ${token} is unknown` });
    const { baseUrl } = await hostile(answering(401, body));
    const error = await errorOf(clientOf(baseUrl).deployments.list());
    expect(error.errorMessage).toBe('token [token] is unknown');
    expect(JSON.stringify(error)).not.toContain(token);
  });
});

describe('a GET that fails', () => {
  test('is retried, and a success hides the failures', async () => {
    const { baseUrl, heads } = await hostile(inTurn(answering(503, ''), hangUp, empty));
    expect(await clientOf(baseUrl).deployments.list()).toEqual({ ok: true, value: [] });
    expect(heads).toHaveLength(3);
  });

  test('permanently is an error with the last answer', async () => {
    const { baseUrl, heads } = await hostile(answering(503, '{"message":"starting"}'));
    expect(await errorOf(clientOf(baseUrl).deployments.list())).toMatchObject({
      code: 'service-error',
      status: 503,
      errorMessage: 'starting',
    });
    expect(heads).toHaveLength(3);
  });

  test('waits for Retry-After, or returns it when it is too long', async () => {
    const soon = await hostile(inTurn(answering(429, '', { 'retry-after': '0' }), empty));
    expect(await clientOf(soon.baseUrl).deployments.list()).toMatchObject({ ok: true });
    const late = await hostile(answering(429, '', { 'retry-after': '3600' }));
    expect(await errorOf(clientOf(late.baseUrl).deployments.list())).toMatchObject({
      code: 'rate-limited',
      retryAfter: 3600,
    });
    expect(late.heads).toHaveLength(1);
  });

  test('for lines of a log is sent once when it is limited: the log repeats it', async () => {
    const { baseUrl, heads } = await hostile(answering(429, ''));
    expect(await errorOf(clientOf(baseUrl).logs.fetch('d', {}))).toMatchObject({ status: 429 });
    expect(heads).toHaveLength(1);
  });

  test('can be cancelled while it waits', async () => {
    const { baseUrl, heads } = await hostile(answering(503, '', { 'retry-after': '5' }));
    const cancel = new AbortController();
    const answer = errorOf(clientOf(baseUrl).deployments.list(cancel.signal));
    await expect.poll(() => heads.length).toBe(1);
    cancel.abort(new Error('some reason'));
    expect(await answer).toMatchObject({ code: 'aborted', unknownOutcome: false });
    expect(heads).toHaveLength(1);
  });
});

describe('a write that fails', () => {
  test.each([429, 500, 502, 503, 504])('with %i is not retried', async (status) => {
    const { baseUrl, heads } = await hostile(answering(status, ''));
    const client = clientOf(baseUrl);
    const request = { grantee: 'x', limit: '1', expires_at: '2030-01-01T00:00:00Z' };
    for (const write of [
      () => client.deployments.create('x'),
      () => client.deployments.close('a'),
      () => client.deployments.restart('a'),
      () => client.files.update('a', 'web', 'b', 'c'),
      () => client.files.rename('a', 'web', 'b', 'c'),
      () => client.files.delete('a', 'web', 'b'),
      () => client.files.upload('a', 'web', [{ path: 'b', source: { bytes: Buffer.from('c') } }]),
      () => client.grants.create(request),
      () => client.grants.revoke('a'),
    ]) {
      const before = heads.length;
      expect(await errorOf(write())).toMatchObject({ status });
      expect(heads.length - before).toBe(1);
    }
  });
});

describe('a redirect', () => {
  test('within the service is followed for a GET', async () => {
    const { baseUrl, heads } = await hostile(
      inTurn(answering(307, '', { location: '/other/place?x=1' }), empty),
    );
    expect(await clientOf(baseUrl).deployments.list()).toEqual({ ok: true, value: [] });
    expect(heads[1]).toMatch(/^GET \/other\/place\?x=1 HTTP/);
    expect(heads[1]?.toLowerCase()).toContain('authorization');
  });

  test('is not followed for a write', async () => {
    const { baseUrl, heads } = await hostile(answering(307, '', { location: '/other' }));
    expect((await errorOf(clientOf(baseUrl).deployments.restart('a'))).code).toBe('redirected');
    expect(heads).toHaveLength(1);
  });

  test('to another host receives neither request nor token', async () => {
    const other = await hostile(empty);
    const { baseUrl } = await hostile(answering(302, '', { location: `${other.baseUrl}/x` }));
    const error = await errorOf(clientOf(baseUrl).deployments.list());
    expect(error).toMatchObject({ code: 'redirected', status: 302 });
    expect(error.next).toContain(other.baseUrl);
    expect(other.heads).toEqual([]);
  });

  test('without an end is stopped', async () => {
    const { baseUrl, heads } = await hostile((socket, head, count) =>
      answering(302, '', { location: `/again/${count}` })(socket, head, count),
    );
    expect((await errorOf(clientOf(baseUrl).deployments.list())).code).toBe('redirected');
    expect(heads.length).toBeLessThan(10);
  });
});

describe('closing the client', () => {
  test('aborts requests in flight and later ones', async () => {
    const { baseUrl, heads } = await hostile(silence);
    const client = clientOf(baseUrl);
    const read = errorOf(client.deployments.list());
    const write = errorOf(client.deployments.restart('a'));
    await expect.poll(() => heads.length).toBe(2);
    await client.close();
    expect(await read).toMatchObject({ code: 'aborted', unknownOutcome: false });
    expect(await write).toMatchObject({ code: 'aborted', unknownOutcome: true });
    expect(await errorOf(client.deployments.restart('a'))).toMatchObject({
      code: 'aborted',
      unknownOutcome: false,
    });
  });
});

test('the clock of the service is read from its answers', async () => {
  const date = new Date(Date.now() + 3_600_000).toUTCString();
  const { baseUrl } = await hostile(answering(200, '[]', { date }));
  const client = clientOf(baseUrl);
  expect(client.clockOffset()).toBe(0);
  await client.deployments.list();
  expect(Math.abs(client.clockOffset() - 3_600_000)).toBeLessThan(2_000);
});
