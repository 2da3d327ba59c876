import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import Fastify from 'fastify';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseCoding, compressAnswer } from '../../../source/host/server/compression.ts';

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['GZIP;Q=0.5', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=1.0, br;q=0.8', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0.1', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', undefined],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=1, gzip;q=0.5', undefined],
  ['zstd, compress', undefined],
  ['gzip;q=2, br;q=x', undefined],
])('Accept-Encoding %j is answered with %j', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding);
});

test('any Accept-Encoding has an answer', () => {
  fc.assert(
    fc.property(fc.string(), (header) => {
      expect([undefined, 'br', 'gzip']).toContain(chooseCoding(header));
    }),
  );
});

describe('an answer', () => {
  const text = JSON.stringify({ lines: Array.from({ length: 200 }, (_, n) => `line ${n} é`) });

  async function answered(payload: string | Buffer, type: string, accept?: string) {
    const app = Fastify();
    onTestFinished(() => app.close());
    app.addHook('onSend', compressAnswer);
    app.get('/', (_request, reply) => reply.type(type).send(payload));
    const { headers, rawPayload } = await app.inject({
      url: '/',
      headers: accept === undefined ? {} : { 'accept-encoding': accept },
    });
    return { coding: headers['content-encoding'], vary: headers.vary, headers, bytes: rawPayload };
  }

  test.each([
    ['br', brotliDecompressSync],
    ['gzip', gunzipSync],
  ])('that is long text is sent in %s, with its new length', async (coding, decode) => {
    const answer = await answered(text, 'application/json; charset=utf-8', coding);
    expect(answer).toMatchObject({ coding, vary: 'Accept-Encoding' });
    expect(Number(answer.headers['content-length'])).toBe(answer.bytes.length);
    expect(decode(answer.bytes).toString()).toBe(text);
  });

  test.each([
    ['short', '{}', 'application/json', 'gzip', undefined],
    ['octets', Buffer.alloc(5000), 'application/octet-stream', 'gzip', undefined],
    ['text for a client that names no coding', text, 'application/json', undefined, undefined],
    ['text that is asked for plain', text, 'application/json', 'identity', 'Accept-Encoding'],
  ])('that is %s is sent as it is', async (_, payload, type, accept, vary) => {
    const answer = await answered(payload, type, accept);
    expect(answer).toMatchObject({ coding: undefined, vary });
    expect(answer.bytes.equals(Buffer.from(payload))).toBe(true);
  });
});
