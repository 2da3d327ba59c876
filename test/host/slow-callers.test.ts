import { once } from 'node:events';
import { readdir, truncate } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { deploy, errorIn } from './support/bodies.ts';
import { ManualClock } from './support/manual-clock.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

const clock = new ManualClock();
const windowMs = 15_000;
const service = sharedHost({
  clock,
  limits: { headersTimeoutMs: 300, responseIdleTimeoutMs: 300, maxConnections: 40 },
});
const owner = service.as('0xowner');
let id: string;

beforeAll(async () => {
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
});

const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

async function dial(): Promise<Socket> {
  const socket = connect(Number(new URL(service.host.baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  sockets.push(socket);
  await once(socket, 'connect');
  return socket;
}

/** Returns the headers of a request with a body. */
function head(method: string, target: string, more: readonly string[] = [], token = owner.token) {
  const lines = [`Host: 127.0.0.1`, `Authorization: Bearer ${token}`, ...more];
  return `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
}

/** Returns the response on a raw connection after it has closed. */
async function answerOn(socket: Socket) {
  const answer = await text(socket);
  const [top = '', body = ''] = answer.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d+) /.exec(top)?.[1]);
  expect(top).toMatch(/\r\nDate: /i);
  expect(body).not.toMatch(/node_modules|\.ts\b|\.js\b|at \w+ \(/);
  expect(body).not.toContain(service.dataDir);
  return errorIn({ status, headers: {}, body: JSON.parse(body) });
}

/** Checks that the host serves another caller, after all earlier bytes have arrived. */
async function isAlive() {
  expect((await owner.call('listDeployments')).status).toBe(200);
}

const files = () => `/api/v1/deployments/${id}/services/web/files`;

describe('an unfinished request', () => {
  it.each(['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nX-A: b\r\n'])(
    'with incomplete headers is answered with 408 and closed: %j',
    async (bytes) => {
      const socket = await dial();
      socket.write(bytes);
      expect(await answerOn(socket)).toMatchObject({
        status: 408,
        success: false,
        code: 'too-slow',
        details: [],
      });
    },
  );

  it.each<[string, () => string]>([
    ['JSON', () => head('PUT', `${files()}/a.txt`, ['Content-Length: 100']) + '{"content":'],
    ['chunks', () => head('POST', '/api/v1/grants', ['Transfer-Encoding: chunked']) + '5\r\n{"gra'],
    [
      'an upload',
      () =>
        head('POST', files(), [
          'Content-Length: 100000',
          'Content-Type: multipart/form-data; boundary=x',
        ]) + '--x\r\nContent-Disposition: form-data; name="files"; filename="a.txt"\r\n\r\nabc',
    ],
  ])('with an incomplete body is answered with 408 and closed: %s', async (_, bytes) => {
    const socket = await dial();
    socket.write(bytes());
    const answered = answerOn(socket);
    // Wait until the host reads the body; before that the host itself is slow.
    await waitFor(() => {
      clock.advance(windowMs);
      expect(socket.bytesRead).toBeGreaterThan(0);
    });
    expect(await answered).toMatchObject({ status: 408, success: false, code: 'too-slow' });
    const arriving = path.join(service.dataDir, 'deployments', id, 'arriving');
    await waitFor(async () => {
      expect(await readdir(arriving).catch(() => [])).toEqual([]);
    });
    expect((await owner.call('getFile', { id, name: 'web', path: 'a.txt' })).status).toBe(404);
  });

  it('that arrives in drops is closed as well', async () => {
    const socket = await dial();
    socket.write(head('PUT', `${files()}/a.txt`, ['Content-Length: 100000']));
    const answered = answerOn(socket);
    await isAlive();
    for (let second = 0; second < 30; second += 1) {
      socket.write(' ');
      clock.advance(1000);
    }
    expect(await answered).toMatchObject({ status: 408 });
  });

  it('that arrives fast enough continues', async () => {
    const socket = await dial();
    const content = 'x'.repeat(100_000);
    const body = JSON.stringify({ content });
    socket.write(head('PUT', `${files()}/slow.txt`, [`Content-Length: ${body.length}`]));
    for (let from = 0; from < body.length; from += 20_000) {
      socket.write(body.slice(from, from + 20_000));
      await isAlive();
      await isAlive();
      clock.advance(windowMs);
    }
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each<[number, string, string, string | undefined]>([
    [401, 'PUT', '/api/v1/deployments/a/services/b/files/c', 'hd_unknown'],
    [401, 'POST', '/api/v1/grants', 'hd_unknown'],
    [408, 'POST', '/nope', undefined],
    [408, 'PATCH', '/api/v1/grants', undefined],
    [400, 'POST', '/%zz', undefined],
  ])('is closed on any route, with %i: %s %s', async (status, method, target, token) => {
    const socket = await dial();
    const more = ['Content-Type: application/octet-stream', 'Content-Length: 1000000'];
    socket.write(head(method, target, more, token) + 'x');
    const data = once(socket, 'data') as Promise<[Buffer]>;
    await isAlive();
    const closed = once(socket, 'close');
    clock.advance(2 * windowMs);
    expect((await data)[0].toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    await closed;
    expect(socket.destroyed).toBe(true);
  });
});

it('an unread response is aborted, and its file closed', async () => {
  await owner.call('updateFile', { id, name: 'web', path: 'big', json: { content: 'x' } });
  await truncate(path.join(service.dataDir, 'deployments', id, 'staged', 'web', 'big'), 2 ** 28);
  const socket = await dial();
  socket.pause();
  socket.write(head('GET', `${files()}/big`, ['Accept: application/octet-stream']));
  const openFiles = async () => {
    const { readlink } = await import('node:fs/promises');
    const names = await readdir('/proc/self/fd');
    const targets = await Promise.all(
      names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')),
    );
    return targets.filter((target) => target.endsWith('/web/big')).length;
  };
  await waitFor(async () => {
    expect(await openFiles()).toBe(1);
  });
  await waitFor(async () => {
    expect(await openFiles()).toBe(0);
  });
  await isAlive();
});

describe('many callers', () => {
  it('beyond the limit are disconnected, and later callers served again', async () => {
    const all = await Promise.all(Array.from({ length: 60 }, dial));
    await waitFor(() => {
      expect(all.filter((socket) => socket.closed).length).toBeGreaterThanOrEqual(20);
    });
    for (const socket of all) socket.destroy();
    await waitFor(isAlive);
  });
});

describe('oversized', () => {
  it.each<[string, () => string, number]>([
    ['URL', () => head('GET', `/${'x'.repeat(100_000)}`), 431],
    ['header', () => head('GET', '/', [`X-A: ${'x'.repeat(100_000)}`]), 431],
    [
      'headers',
      () =>
        head(
          'GET',
          '/',
          Array.from({ length: 9000 }, (_, n) => `X-${n}: y`),
        ),
      431,
    ],
  ])('%s: %#', async (_, bytes, status) => {
    const socket = await dial();
    socket.write(bytes());
    expect(await answerOn(socket)).toMatchObject({ status, success: false });
  });

  it.each(['9'.repeat(19), '-1', '1e9', 'NaN'])('length of a body: %s', async (length) => {
    const socket = await dial();
    socket.write(head('POST', '/api/v1/grants', [`Content-Length: ${length}`]));
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 4(?:00|13) /);
    expect(data.toString()).toContain('"success":false');
  });

  it.each([
    ['nesting', '['.repeat(500_000)],
    ['nesting in a field', `{"sdl":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['nesting in an SDL', JSON.stringify({ sdl: '['.repeat(200_000) })],
    ['aliases in an SDL', JSON.stringify({ sdl: bomb() })],
  ])('%s', async (_, body) => {
    const socket = await dial();
    socket.write(
      head('POST', '/api/v1/deployments', [`Content-Length: ${body.length}`, 'Connection: close']),
    );
    socket.write(body);
    const { status, success } = await answerOn(socket);
    expect(success).toBe(false);
    expect([400, 422]).toContain(status);
  });
});

/** A YAML bomb: a few hundred bytes that expand to a few gigabytes. */
function bomb(): string {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 10; level += 1) {
    const alias = `*a${level - 1}`;
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => alias).join(', ')}]`);
  }
  return lines.join('\n');
}

it('a keep-alive connection accumulates no listeners over many requests', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  const socket = await dial();
  const request = head('POST', '/api/v1/grants', ['Content-Length: 2']);
  for (let count = 0; count < 30; count += 1) {
    socket.write(`${request}{}`);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(/^HTTP\/1\.1 422 /);
  }
  process.off('warning', note);
  expect(warnings).toEqual([]);
});
