import { Chance } from './chance.ts';
import { type Request, request } from './requests.ts';
import type { Target } from './values.ts';

/** The bytes written on one connection. */
export interface Attack {
  /** Pieces written one after the other, so that the host reads them separately. */
  readonly pieces: readonly Buffer[];
  /** Method of each intended request. */
  readonly methods: readonly string[];
  /** True when all requests are valid HTTP, so that each must be answered. */
  readonly isProper: boolean;
  /** True to reset the connection after the last piece. */
  readonly resets: boolean;
}

/** Returns the attack with this number, which is the same for the same seed. */
export function attackOf(seed: number, index: number, target: Target): Attack {
  const chance = new Chance(seed, index);
  const made = chance.weighed<() => Made>([
    [60, () => proper([request(chance, target)])],
    [8, () => proper([request(chance, target)], (one) => chunked(chance, one))],
    [
      8,
      () =>
        proper(Array.from({ length: 2 + chance.below(4) }, () => calm(request(chance, target)))),
    ],
    [4, () => ragged(misframed(chance, request(chance, target)))],
    [4, () => ragged(misChunked(chance, request(chance, target)))],
    [6, () => ragged(cut(chance, plain(request(chance, target))))],
    [4, () => ragged(changed(chance, plain(request(chance, target))))],
    [3, () => ragged(oddLines(chance, request(chance, target)))],
    [1, () => ragged(chance.bytes(chance.below(400)))],
  ])();
  return {
    pieces: chance.once(3) ? split(chance, made.bytes) : [made.bytes],
    methods: made.methods,
    isProper: made.isProper,
    resets: !made.isProper && chance.once(5),
  };
}

interface Made {
  readonly bytes: Buffer;
  readonly methods: readonly string[];
  readonly isProper: boolean;
}

function proper(requests: readonly Request[], write = plain): Made {
  const isProper = requests.every(
    ({ target, headers }) =>
      /^(?:\/|http:)[!-~]*$/.test(target) &&
      headers.every((header) => /^[\w-]+:[ -~]*$/.test(header)),
  );
  return {
    bytes: Buffer.concat(requests.map(write)),
    methods: requests.map(({ method }) => method),
    isProper,
  };
}

function ragged(bytes: Buffer): Made {
  return { bytes, methods: [/^\w+/.exec(bytes.toString('latin1'))?.[0] ?? ''], isProper: false };
}

/** Removes the upgrade of a request, so that others can follow it. */
function calm(one: Request): Request {
  return { ...one, headers: one.headers.filter((header) => !/^upgrade:/i.test(header)) };
}

function head({ method, target, headers }: Request, more: readonly string[]): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers, ...more];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'utf8');
}

function plain(one: Request): Buffer {
  const length = one.body.length === 0 && one.method === 'GET' ? [] : [lengthOf(one)];
  return Buffer.concat([head(one, length), one.body]);
}

const lengthOf = ({ body }: Request) => `Content-Length: ${body.length}`;

function chunked(chance: Chance, one: Request): Buffer {
  const chunks = split(chance, one.body).filter(({ length }) => length > 0);
  const extension = chance.once(6) ? ';a="b"' : '';
  const trailer = chance.once(6) ? 'X-Trailer: y\r\n' : '';
  return Buffer.concat([
    head(one, ['Transfer-Encoding: chunked']),
    ...chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}${extension}\r\n`),
      chunk,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`0\r\n${trailer}\r\n`),
  ]);
}

/** Sends a request with a wrong content length. */
function misframed(chance: Chance, one: Request): Buffer {
  const { length } = one.body;
  const lengths = chance.of([
    [`Content-Length: ${length + 1 + chance.below(100)}`],
    [`Content-Length: ${chance.below(length + 1)}`],
    ['Content-Length: -1'],
    ['Content-Length: 0x10'],
    ['Content-Length: 99999999999999999999'],
    ['Content-Length: 1e3'],
    ['Content-Length: 9007199254740991'],
    [lengthOf(one), 'Content-Length: 7'],
    [lengthOf(one), 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked, identity'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding : chunked'],
  ]);
  return Buffer.concat([head(one, lengths), one.body]);
}

function misChunked(chance: Chance, one: Request): Buffer {
  const body = chance.of([
    'zz\r\n',
    '-1\r\nx\r\n',
    'ffffffffffffffffff\r\nx',
    '7fffffffffffffff\r\nx',
    '5\r\nab\r\n0\r\n\r\n',
    '1\r\nabc\r\n0\r\n\r\n',
    `1;${'e'.repeat(40_000)}\r\na\r\n0\r\n\r\n`,
    '0\r\nBad Trailer\r\n\r\n',
    '1\na\n0\n\n',
    '0\r\n\r\n0\r\n\r\n',
    '',
  ]);
  return Buffer.concat([head(one, ['Transfer-Encoding: chunked']), Buffer.from(body), one.body]);
}

function cut(chance: Chance, bytes: Buffer): Buffer {
  return bytes.subarray(0, chance.below(bytes.length));
}

function changed(chance: Chance, bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  const changes = 1 + chance.below(4);
  for (let change = 0; change < changes; change += 1) {
    copy[chance.below(copy.length)] = chance.below(256);
  }
  return copy;
}

function oddLines(chance: Chance, one: Request): Buffer {
  const text = plain(one).toString('latin1');
  const odd = chance.of([
    () => text.replaceAll('\r\n', '\n'),
    () => text.replaceAll('\r\n', '\r'),
    () => text.replace('\r\n', '\r\n folded: line\r\n'),
    () => text.replace(': ', ' : '),
    () => text.replace('\r\n', '\r\n: nameless\r\n'),
    () => text.replace('\r\n', '\r\nX: \0\r\n'),
    () => text.replace('HTTP/1.1', 'HTTP/1.0'),
    () => text.replace('HTTP/1.1', 'HTTP/9.9'),
    () => text.replace(' HTTP/1.1', ''),
    () => `\r\n\r\n\r\n${text}`,
    () => ` ${text}`,
    () => text.replace(/^\w+/, 'CONNECT'),
    () => text.replace(/^\w+/, 'M'.repeat(3000)),
    () => `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${text}`,
    () => `\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03${text}`,
    () => text.replace('\r\n', '\r\nConnection: close, keep-alive, Upgrade\r\nUpgrade: h2c\r\n'),
  ])();
  return Buffer.from(odd, 'latin1');
}

function split(chance: Chance, bytes: Buffer): readonly Buffer[] {
  const places = Array.from({ length: 1 + chance.below(4) }, () => chance.below(bytes.length + 1));
  const ends = [...places.sort((a, b) => a - b), bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}
