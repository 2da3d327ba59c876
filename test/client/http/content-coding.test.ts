import {
  brotliCompressSync,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type Client, createClient } from '../../../source/client/client.ts';
import { decodeBody } from '../../../source/client/http/content-coding.ts';
import type { Limits } from '../../../source/client/http/limits.ts';
import { answering, type Hostile, startHostile } from '../../servers/hostile.ts';

const content = `a line of é\n${'hello world\n'.repeat(600)}`;
const files = JSON.stringify({ files: [{ path: content, size: 1 }] });
const failure = JSON.stringify({ error: content.slice(0, 1000) });

type Encode = (bytes: Buffer) => Buffer;

const cut =
  (encode: Encode): Encode =>
  (bytes) =>
    encode(bytes).subarray(0, -3);
const followed =
  (encode: Encode): Encode =>
  (bytes) =>
    Buffer.concat([encode(bytes), Buffer.from('tail')]);
const plain: Encode = (bytes) => bytes;

const right = undefined;

/** Header, coding, and the reason why it cannot be read. */
const codings: readonly (readonly [string, string, Encode, string | undefined])[] = [
  ['gzip', 'gzip', gzipSync, right],
  ['x-gzip', 'X-GZip', gzipSync, right],
  ['deflate', 'deflate', deflateSync, right],
  ['deflate without its zlib header', 'deflate', deflateRawSync, right],
  ['br', 'br', brotliCompressSync, right],
  ['zstd', 'zstd', zstdCompressSync, right],
  ['identity', 'identity', plain, right],
  ['two codings', 'gzip, identity, br', (bytes) => brotliCompressSync(gzipSync(bytes)), right],
  ['gzip twice', 'gzip,gzip', (bytes) => gzipSync(gzipSync(bytes)), right],
  [
    'gzip of two members',
    'gzip',
    (bytes) =>
      Buffer.concat([bytes.subarray(0, 9), bytes.subarray(9)].map((part) => gzipSync(part))),
    right,
  ],
  ['gzip that is plain', 'gzip', plain, 'it is not valid gzip, which it says it is'],
  ['br that is plain', 'br', plain, 'it is not valid br, which it says it is'],
  ['gzip that is cut off', 'gzip', cut(gzipSync), 'its gzip coding is cut off'],
  ['zstd that is cut off', 'zstd', cut(zstdCompressSync), 'its zstd coding is cut off'],
  ['br and more', 'br', followed(brotliCompressSync), 'bytes follow the end of its br coding'],
  [
    'deflate and more',
    'deflate',
    followed(deflateSync),
    'bytes follow the end of its deflate coding',
  ],
  [
    'an inner coding that is cut off',
    'br, gzip',
    (bytes) => gzipSync(cut(brotliCompressSync)(bytes)),
    'its br coding is cut off',
  ],
  ['an unknown coding', 'compress', plain, 'its content coding "compress" is unknown'],
  ['a charset as a coding', 'utf-8', plain, 'its content coding "utf-8" is unknown'],
  ['six codings', 'br,br,br,br,br,br', plain, 'it has more than 5 content codings'],
];

describe('an answer', () => {
  let service: Hostile;
  let client: Client;
  let folder: string;
  let answer: { body: Buffer; coding: string; status: number };

  beforeAll(async () => {
    service = await startHostile((socket, head, count) => {
      const { body, coding, status } = answer;
      answering(status, body, { 'content-encoding': coding })(socket, head, count);
    });
    client = clientOf({ retries: 0 });
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-coding-'));
  });

  afterAll(async () => {
    await client.close();
    await service.close();
    await rm(folder, { recursive: true });
  });

  function clientOf(limits: Partial<Limits>): Client {
    return createClient({ baseUrl: service.baseUrl, token: 'secret-token', limits });
  }

  describe.each(codings)('in %s', (_, coding, encode, reason) => {
    const send = (text: string, status = 200): void => {
      answer = { body: encode(Buffer.from(text)), coding, status };
    };

    test('is a list, or an error that names the defect', async () => {
      send(files);
      const list = await client.files.list('a', 'web');
      if (reason === right) {
        expect(list).toMatchObject({ ok: true, value: [{ value: { path: content } }] });
      } else {
        const sentence = `Can't read the answer to list files: ${reason}.`;
        expect(list).toMatchObject({ ok: false, error: { code: 'unreadable', sentence } });
      }
    });

    test('is a file, or an error that names the defect', async () => {
      send(content);
      const file = await client.files.get('a', 'web', 'f.txt');
      if (reason === right) expect(file).toMatchObject({ ok: true, value: { text: content } });
      else {
        const sentence = `Can't read the answer to get file: ${reason}.`;
        expect(file).toMatchObject({ ok: false, error: { code: 'unreadable', sentence } });
      }
    });

    test('is saved whole, or leaves the local file as it was', async () => {
      send(content);
      const file = path.join(folder, 'f.txt');
      await writeFile(file, 'before');
      const saved = await client.files.save('a', 'web', 'f.txt', file);
      expect(saved.ok).toBe(reason === right);
      expect(await readFile(file, 'utf8')).toBe(reason === right ? content : 'before');
      expect(await readdir(folder)).toEqual(['f.txt']);
      if (!saved.ok) expect(saved.error.sentence).toContain(`: ${reason}.`);
    });

    test('with a status of failure keeps the status, and its text where it can be read', async () => {
      send(failure, 422);
      const list = await client.files.list('a', 'web');
      const rejected = `List files failed: 127.0.0.1:${new URL(service.baseUrl).port} rejected the content (422).`;
      expect(list).toMatchObject({
        ok: false,
        error: {
          code: 'invalid',
          sentence:
            reason === right ? rejected : `${rejected} The error's text can't be read: ${reason}.`,
          errorMessage: reason === right ? content.slice(0, 1000).trim() : undefined,
        },
      });
    });
  });

  test('of no bytes is empty in any coding', async () => {
    answer = { body: Buffer.alloc(0), coding: 'gzip', status: 200 };
    expect(await client.files.update('a', 'web', 'f.txt', 'text')).toMatchObject({ ok: true });
  });

  test('that cannot be decoded leaves the outcome of a write unknown', async () => {
    answer = { body: Buffer.from('{}'), coding: 'gzip', status: 200 };
    const updated = await client.files.update('a', 'web', 'f.txt', 'text');
    expect(updated).toMatchObject({ ok: false, error: { unknownOutcome: true } });
  });

  test('that is small until it is decoded counts decoded', async () => {
    const limited = clientOf({ maxAnswer: 2 ** 20, retries: 0 });
    onTestFinished(() => limited.close());
    answer = { body: gzipSync(Buffer.alloc(2 ** 20 + 1, ' ')), coding: 'gzip', status: 200 };
    expect(await limited.files.list('a', 'web')).toMatchObject({
      ok: false,
      error: { code: 'oversized-answer', sentence: expect.stringContaining('larger than 1 MiB') },
    });
  });

  test('on this machine is asked for without a coding', () => {
    expect(service.heads.length).toBeGreaterThan(0);
    for (const head of service.heads) expect(head).toMatch(/^accept-encoding: identity$/im);
  });
});

test('a coded body is the same, wherever its parts begin', async () => {
  const encoders: Readonly<Record<string, Encode>> = {
    gzip: gzipSync,
    deflate: deflateSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ minLength: 1, maxLength: 3000 }),
      fc.array(fc.constantFrom('gzip', 'deflate', 'br', 'zstd'), { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 1, max: 4000 }),
      async (bytes, names, size) => {
        const coded = names.reduce<Buffer>(
          (body, name) => encoders[name]?.(body) ?? body,
          Buffer.from(bytes),
        );
        async function* parts() {
          for (let at = 0; at < coded.length; at += size) yield coded.subarray(at, at + size);
        }
        const decoded: Uint8Array[] = [];
        for await (const part of decodeBody(parts(), names.join(', '))) decoded.push(part);
        expect(Buffer.concat(decoded).equals(bytes)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
