import type { Chance } from './chance.ts';
import { multipart } from './multipart.ts';
import { definition, deep, filePath, json, number, type Target, urlPath } from './values.ts';

/** An intended request, with its deliberate mistakes. */
export interface Request {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly string[];
  readonly body: Buffer;
}

interface Parts {
  readonly method: string;
  readonly target: string;
  readonly headers?: readonly string[];
  readonly body?: string | Buffer;
}

/** Returns a random request to the host; each part is usually correct. */
export function request(chance: Chance, target: Target): Request {
  const { method, target: url, headers = [], body = '' } = operation(chance, target);
  const bytes = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const sent = chance.once(40) ? broken(chance, bytes) : bytes;
  const hasType = headers.some((header) => /^(content-type|connection):/i.test(header));
  return {
    method: chance.once(40) ? chance.of(['HEAD', 'OPTIONS', 'TRACE', 'PROPFIND', 'POST']) : method,
    target: chance.once(40) ? strange(chance, url) : url,
    headers: [
      ...authority(chance),
      ...authorization(chance, target),
      ...headers,
      ...(hasType || !chance.once(3) ? [] : ['Content-Type: application/json']),
      ...(chance.once(20) ? extra(chance) : []),
    ],
    body: sent,
  };
}

function operation(chance: Chance, target: Target): Parts {
  const id = chance.weighed([
    [30, target.id],
    [2, target.foreign],
    [1, `${target.id}%00`],
    [1, target.id.toUpperCase()],
    [1, '__proto__'],
    [1, '%2e%2e'],
    [1, 'x'.repeat(3000)],
  ]);
  const deployments = '/api/v1/deployments';
  const service = chance.weighed([
    [20, 'web'],
    [1, '%77eb'],
    [1, 'WEB'],
    [1, 'web%2f..%2fjob'],
    [1, '..'],
    [1, '__proto__'],
    [1, ''],
  ]);
  const files = `${deployments}/${id}/services/${service}/files`;
  const file = () => `${files}/${urlPath(chance, filePath(chance, target))}`;
  const text = () => JSON.stringify(filePath(chance, target));
  return chance.weighed<() => Parts>([
    [4, () => ({ method: 'GET', target: deployments })],
    [4, () => ({ method: 'GET', target: `${deployments}/${id}` })],
    [8, () => ({ method: 'POST', target: deployments, body: sdlBody(chance) })],
    [
      1,
      () => ({
        method: 'POST',
        target: `${deployments}/${chance.of([target.spare, target.foreign, 'nobody'])}/close`,
      }),
    ],
    [1, () => ({ method: 'POST', target: `${deployments}/${restarted(chance, target)}/restart` })],
    [15, () => ({ method: 'GET', target: file(), headers: accepted(chance) })],
    [4, () => ({ method: 'GET', target: files })],
    [15, () => ({ method: 'PUT', target: file(), body: contentBody(chance) })],
    [
      8,
      () => ({
        method: 'PATCH',
        target: `${files}/rename`,
        body: chance.once(8) ? json(chance) : `{"oldPath":${text()},"newPath":${text()}}`,
      }),
    ],
    [10, () => ({ method: 'DELETE', target: file() })],
    [12, () => ({ method: 'POST', target: files, ...multipart(chance, target) })],
    [6, () => ({ method: 'GET', target: `${deployments}/${id}/logs?${logQuery(chance)}` })],
    [3, () => ({ method: 'GET', target: '/api/v1/grants' })],
    [6, () => ({ method: 'POST', target: '/api/v1/grants', body: grantBody(chance) })],
    [2, () => ({ method: 'DELETE', target: `/api/v1/grants/${urlPath(chance, chance.of(ids))}` })],
    [
      4,
      () => ({
        method: 'GET',
        target: `${deployments}/logs/stream?deploymentId=${id}`,
        headers: handshake(chance),
      }),
    ],
    [1, () => ({ method: 'GET', target: chance.of(['/', '/api', '/openapi.json', '/api/v2/x']) })],
  ])();
}

const ids = ['1', 'nobody', '../1', '%00', 'x'.repeat(500)] as const;

/** Restarts take long, so only few succeed. */
function restarted(chance: Chance, target: Target): string {
  return chance.once(8) ? target.id : chance.of([target.foreign, target.spare, 'nobody']);
}

function accepted(chance: Chance): readonly string[] {
  return chance.of([
    [],
    ['Accept: application/octet-stream'],
    ['Accept: */*', 'Range: bytes=5-1'],
    [`Accept: ${'application/octet-stream,'.repeat(50)}`],
  ]);
}

function contentBody(chance: Chance): string {
  return chance.weighed([
    [10, () => JSON.stringify({ content: 'x'.repeat(chance.below(300)) })],
    [2, () => `{"content":${json(chance)}}`],
    [1, () => `{"content":"${'\\u0000'.repeat(chance.below(3000))}"}`],
    [1, () => JSON.stringify({ content: 'x'.repeat(9000) })],
    [1, () => json(chance)],
    [1, () => deep(chance)],
    [1, () => ''],
  ])();
}

function sdlBody(chance: Chance): string {
  return chance.weighed([
    [10, () => JSON.stringify({ sdl: definition(chance) })],
    [1, () => json(chance)],
    [1, () => deep(chance)],
  ])();
}

function grantBody(chance: Chance): string {
  const value = (usual: string) => (chance.once(2) ? json(chance) : usual);
  return chance.once(8)
    ? json(chance)
    : `{"grantee":${value('"0xfriend"')},"limit":${value(number(chance))},"expires_at":${value('"2099-01-01T00:00:00Z"')}}`;
}

function logQuery(chance: Chance): string {
  const part = () =>
    chance.weighed<() => string>([
      [3, () => `limit=${encodeURIComponent(number(chance))}`],
      [3, () => `offset=${encodeURIComponent(number(chance))}`],
      [2, () => `service=${chance.of(['web', 'nobody', '%00', '__proto__'])}`],
      [2, () => `search=${chance.of(['x', '%25', '_', '%ff', '(', '%F0%9F%99%82'])}`],
      [1, () => 'limit[]=1&limit=2'],
      [1, () => '%'],
    ])();
  return [part(), part()].join('&');
}

function handshake(chance: Chance): readonly string[] {
  return [
    'Connection: Upgrade',
    `Upgrade: ${chance.of(['websocket', 'WebSocket', 'websocket', 'h2c'])}`,
    `Sec-WebSocket-Version: ${chance.of(['13', '13', '13', '8', 'x'])}`,
    `Sec-WebSocket-Key: ${chance.of(['dGhlIHNhbXBsZSBub25jZQ==', 'dGhlIHNhbXBsZSBub25jZQ==', 'short', '', '='.repeat(24)])}`,
    ...(chance.once(6) ? ['Sec-WebSocket-Extensions: permessage-deflate; x="'] : []),
    ...(chance.once(6) ? ['Sec-WebSocket-Protocol: ,,'] : []),
  ];
}

function authority(chance: Chance): readonly string[] {
  return chance.weighed<readonly string[]>([
    [60, ['Host: 127.0.0.1']],
    [1, []],
    [1, ['Host: evil.example']],
    [1, ['Host: 127.0.0.1', 'Host: evil.example']],
    [1, ['Host: [::1', 'Origin: null']],
    [1, ['Host: 127.0.0.1', 'Origin: http://evil.example']],
  ]);
}

function authorization(chance: Chance, { token }: Target): readonly string[] {
  return chance.weighed<readonly string[]>([
    [60, [`Authorization: Bearer ${token}`]],
    [1, []],
    [1, ['Authorization: Bearer']],
    [1, [`Authorization: Bearer ${token}x`]],
    [1, [`Authorization: Basic ${token}`]],
    [1, [`Authorization: Bearer ${'x'.repeat(9000)}`]],
    [1, [`Authorization: Bearer ${token}`, 'Authorization: Bearer other']],
  ]);
}

function extra(chance: Chance): readonly string[] {
  return chance.of<readonly string[]>([
    Array.from({ length: 3000 }, (_, index) => `X-${index}: y`),
    [`X-Long: ${'y'.repeat(40_000)}`],
    ['Expect: 100-continue'],
    ['Expect: the unexpected'],
    ['__proto__: x', 'constructor: y'],
    ['Accept-Encoding: br;q=x', 'Cookie: ;;;=', 'If-None-Match: *'],
    ['Content-Encoding: gzip'],
    ['Content-Type: ;;'],
    ['X-HTTP-Method-Override: DELETE', 'X-Forwarded-For: 1.2.3.4', 'X-Forwarded-Host: evil'],
  ]);
}

function strange(chance: Chance, target: string): string {
  return chance.of([
    `//evil.example${target}`,
    `http://evil.example${target}`,
    `http://127.0.0.1${target}`,
    target.replace('/api', '/./api'),
    target.replace('/v1', '/x/../v1'),
    `${target}/`,
    `${target}?${'a=b&'.repeat(500)}`,
    `${target}#fragment`,
    target.toUpperCase(),
    `${target}${'/x'.repeat(10_000)}`,
    '*',
    '',
  ]);
}

/** Cuts, doubles or changes bytes at a random position. */
function broken(chance: Chance, bytes: Buffer): Buffer {
  const at = chance.below(bytes.length + 1);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  return chance.of([
    before,
    Buffer.concat([before, chance.bytes(1 + chance.below(8)), after]),
    Buffer.concat([before, Buffer.from([0]), after.subarray(1)]),
    Buffer.concat([Buffer.from('\ufeff'), bytes]),
    Buffer.concat([bytes, bytes]),
  ]);
}
