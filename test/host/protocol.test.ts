import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { beforeAll, describe, expect, it } from 'vitest';
import { logStreamPath } from '../../source/contract/routes.ts';
import { deploy } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, sdlOf } from './support/temporary-host.ts';

const service = sharedHost();
const owner = service.as('0xowner');
let id: string;

beforeAll(async () => {
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
});

/** Sends raw bytes. Returns the response until the host closes the connection. */
async function say(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.host.baseUrl).port), '127.0.0.1');
  socket.write(bytes);
  return await text(socket);
}

const deployments = '/api/v1/deployments';
const handshake = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];

/** Builds a request with a token, and `Connection: close` unless `Connection` is set. */
function request(line: string, more: readonly string[] = [], body = ''): string {
  const isSaid = more.some((header) => header.startsWith('Connection:'));
  const headers = [
    'Host: 127.0.0.1',
    `Authorization: Bearer ${owner.token}`,
    ...(isSaid ? [] : ['Connection: close']),
    ...more,
  ];
  return `${line}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

function envelopeOf(answer: string): { readonly status: number; readonly success: unknown } {
  const [head = '', body = ''] = answer.split('\r\n\r\n');
  expect(head).toMatch(/\r\ncontent-type: application\/json; charset=utf-8/i);
  expect(body).not.toMatch(/node_modules|\.ts\b|\.js\b|at \w+ \(/);
  const { success } = JSON.parse(body) as { readonly success: unknown };
  return { status: Number(/^HTTP\/1\.1 (\d+) /.exec(head)?.[1]), success };
}

describe('an invalid request is answered in the error envelope', () => {
  const chunked = ['Transfer-Encoding: chunked'];
  it.each<[string, number, () => string]>([
    ['without Host', 403, () => `GET ${deployments} HTTP/1.1\r\nConnection: close\r\n\r\n`],
    ['with two Hosts', 400, () => request(`GET ${deployments} HTTP/1.1\r\nHost: evil.example`)],
    [
      'with the same Host twice',
      400,
      () => request(`GET ${deployments} HTTP/1.1`, ['hOST: 127.0.0.1']),
    ],
    [
      'an upgrade with two Hosts',
      400,
      () =>
        request(`GET ${logStreamPath}?deploymentId=${id} HTTP/1.1`, [
          ...handshake,
          'Host: 127.0.0.1',
        ]),
    ],
    ['HTTP/2', 400, () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/3.7', 400, () => request('GET / HTTP/3.7')],
    [
      'two body lengths',
      400,
      () => request('POST /api/v1/grants HTTP/1.1', ['Content-Length: 2', ...chunked], '0\r\n\r\n'),
    ],
    [
      'a chunk without a length',
      400,
      () => request('POST /api/v1/grants HTTP/1.1', chunked, 'zz\r\n'),
    ],
    [
      'an overlong chunk extension',
      400,
      () => request('POST /api/v1/grants HTTP/1.1', chunked, `2;${'x'.repeat(20_000)}\r\n`),
    ],
    [
      'an unknown transfer coding',
      400,
      () => request('POST /api/v1/grants HTTP/1.1', ['Transfer-Encoding: gzip']),
    ],
    [
      'an invalid content type',
      400,
      () =>
        request('POST /api/v1/grants HTTP/1.1', ['Content-Type: ;;', 'Content-Length: 2'], '{}'),
    ],
    ['NUL in a path', 404, () => request(`GET ${deployments}/%00 HTTP/1.1`)],
    [
      'a property name of every object',
      404,
      () => request(`GET ${deployments}/__proto__ HTTP/1.1`),
    ],
    ['OPTIONS for *', 404, () => request('OPTIONS * HTTP/1.1')],
    [
      'an unknown expectation',
      422,
      () => request('POST /api/v1/grants HTTP/1.1', ['Expect: x', 'Content-Length: 2'], '{}'),
    ],
    [
      'an upload without boundary',
      400,
      () =>
        request(
          `POST ${deployments}/${id}/services/web/files HTTP/1.1`,
          ['Content-Type: multipart/form-data', 'Content-Length: 2'],
          '{}',
        ),
    ],
  ])('%s: %i', async (_, status, bytes) => {
    expect(envelopeOf(await say(bytes()))).toEqual({ status, success: false });
  });

  it('except for CONNECT, which is closed: the host is not a proxy', async () => {
    expect(await say(request('CONNECT 192.0.2.1:80 HTTP/1.1'))).toBe('');
  });
});

describe('an upgrade', () => {
  it.each([
    [
      'to HTTP/2',
      [
        'Connection: Upgrade, HTTP2-Settings, close',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABkAAQAAP__',
      ],
    ],
    ['to a WebSocket on another route', ['Connection: Upgrade, close', ...handshake.slice(1)]],
  ])('%s is ignored', async (_, headers) => {
    const answer = await say(request(`GET ${deployments} HTTP/1.1`, headers));
    expect(envelopeOf(answer)).toEqual({ status: 200, success: true });
  });

  it.each([
    ['version', 'Sec-WebSocket-Version: 7'],
    ['key', 'Sec-WebSocket-Key: short'],
  ])('to the log stream with a wrong %s is refused in the envelope', async (name, header) => {
    const headers = handshake.map((each) =>
      each.toLowerCase().includes(`-${name}:`) ? header : each,
    );
    const target = `${logStreamPath}?deploymentId=${id}`;
    const answer = await say(request(`GET ${target} HTTP/1.1`, headers));
    expect(envelopeOf(answer)).toEqual({ status: 400, success: false });
  });

  it('to the log stream with an invalid subprotocol is refused in the envelope', async () => {
    const target = `${logStreamPath}?deploymentId=${id}`;
    const headers = [...handshake, 'Sec-WebSocket-Protocol: ,,'];
    const answer = await say(request(`GET ${target} HTTP/1.1`, headers));
    expect(envelopeOf(answer)).toEqual({ status: 400, success: false });
  });

  it('to the log stream with another method is refused with 405', async () => {
    const headers = ['Connection: Upgrade, close', ...handshake.slice(1)];
    const answer = await say(request(`POST ${logStreamPath} HTTP/1.1`, headers));
    expect(envelopeOf(answer)).toEqual({ status: 405, success: false });
  });
});
