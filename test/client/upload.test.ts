import { once } from 'node:events';
import { mkdir, open, truncate, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../source/client/client.ts';
import type { UploadPart } from '../../source/client/upload.ts';
import { createClient } from '../../source/client/client.ts';
import { startForeign } from '../servers/foreign.ts';
import { answering, startHostile } from '../servers/hostile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let folder = '';

beforeEach(() => {
  folder = temporaryFolder();
});

function clientOf(baseUrl: string, token = 'token'): Client {
  const client = createClient({ baseUrl, token });
  onTestFinished(() => client.close());
  return client;
}

/** Starts a server that handles each request before it reads the body. */
async function serve(handle: (request: IncomingMessage) => Promise<void>): Promise<Client> {
  const server = createServer((request, response) => {
    handle(request).then(
      () => response.end(),
      () => response.destroy(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return clientOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

/** Creates a sparse file of the given size. */
async function sparse(name: string, size: number): Promise<string> {
  const file = path.join(folder, name);
  const handle = await open(file, 'w');
  await handle.truncate(size);
  await handle.close();
  return file;
}

const mebibyte = 2 ** 20;

describe('an upload', () => {
  test('has one part for each file, with its path as the filename, and a known length', async () => {
    const file = path.join(folder, 'local name.txt');
    await writeFile(file, 'from disk');
    let sent = '';
    let headers: IncomingMessage['headers'] = {};
    const client = await serve(async (request) => {
      headers = request.headers;
      sent = (await buffer(request)).toString();
    });
    const parts: UploadPart[] = [
      { path: 'public/a b/ü.txt', source: { file } },
      { path: 'say "hi"\r\n.txt', source: { bytes: Buffer.from('from memory') } },
    ];
    expect(await client.files.upload('a', 'web', parts)).toMatchObject({ ok: true });
    const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1];
    expect(headers['content-length']).toBe(String(Buffer.byteLength(sent)));
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(sent.split(`--${boundary}`).map((part) => part.trim())).toEqual([
      '',
      'Content-Disposition: form-data; name="files"; filename="public/a b/ü.txt"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\nfrom disk',
      'Content-Disposition: form-data; name="files"; filename="say %22hi%22%0D%0A.txt"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\nfrom memory',
      '--',
    ]);
  });

  test('arrives unchanged for any paths and bytes', async () => {
    const service = await startForeign();
    onTestFinished(() => service.close());
    const { files } = clientOf(service.baseUrl, service.token);
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
      .filter(
        (text) => text !== '.' && text !== '..' && !/[/\0]/.test(text) && text.isWellFormed(),
      );
    const content = fc.uint8Array({ maxLength: 200 });
    const tree = fc.dictionary(
      fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/')),
      content,
      {
        minKeys: 1,
        maxKeys: 4,
      },
    );
    await fc.assert(
      fc.asyncProperty(tree, async (contents) => {
        const parts = Object.entries(contents).map(([to, bytes]) => ({
          path: to,
          source: { bytes },
        }));
        expect(await files.upload(service.sample, 'web', parts)).toMatchObject({ ok: true });
        for (const [to, bytes] of Object.entries(contents)) {
          expect(service.stored(service.sample, 'web', to)).toEqual(Buffer.from(bytes));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('of two thousand files arrives completely', async () => {
    const service = await startForeign();
    onTestFinished(() => service.close());
    const { files } = clientOf(service.baseUrl, service.token);
    await mkdir(path.join(folder, 'many'));
    const parts = await Promise.all(
      Array.from({ length: 2000 }, async (_, count) => {
        const file = path.join(folder, 'many', String(count));
        await writeFile(file, `${count}`);
        return { path: `many/${count}`, source: { file } };
      }),
    );
    expect(await files.upload(service.sample, 'web', parts)).toMatchObject({ ok: true });
    expect(service.stored(service.sample, 'web', 'many/1999')?.toString()).toBe('1999');
  });

  test('reports its progress up to the full size', async () => {
    const file = await sparse('large', 8 * mebibyte);
    const seen: number[] = [];
    const client = await serve(async (request) => void (await buffer(request)));
    const parts = [{ path: 'large', source: { file } }];
    await client.files.upload('a', 'web', parts, { onProgress: (bytes) => seen.push(bytes) });
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.length).toBeGreaterThan(10);
    expect(seen.at(-1)).toBe(8 * mebibyte);
  });

  test('reads no more than the server takes, and can be cancelled', async () => {
    const file = await sparse('huge', 512 * mebibyte);
    const arrived = Promise.withResolvers<void>();
    const client = await serve(() => new Promise(() => arrived.resolve()));
    const cancel = new AbortController();
    let sent = 0;
    const before = process.memoryUsage().rss;
    const upload = client.files.upload('a', 'web', [{ path: 'huge', source: { file } }], {
      signal: cancel.signal,
      onProgress(bytes) {
        sent = bytes;
      },
    });
    await arrived.promise;
    await expect.poll(() => sent).toBeGreaterThan(0);
    cancel.abort();
    expect(await upload).toMatchObject({ error: { code: 'aborted', unknownOutcome: true } });
    expect(sent).toBeLessThan(256 * mebibyte);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * mebibyte);
  });

  test('that is rejected while it is sent returns the error', async () => {
    const file = await sparse('huge', 256 * mebibyte);
    const server = await startHostile(answering(413, '{"message":"at most 1 MiB"}'));
    onTestFinished(() => server.close());
    const parts = [{ path: 'huge', source: { file } }];
    expect(await clientOf(server.baseUrl).files.upload('a', 'web', parts)).toMatchObject({
      error: { code: 'too-large', status: 413, errorMessage: 'at most 1 MiB' },
    });
  });

  test('of a file that changes during the upload fails with an unknown outcome', async () => {
    const file = await sparse('shrinking', 64 * mebibyte);
    const client = await serve(async (request) => {
      await truncate(file, 10);
      await buffer(request);
    });
    const parts = [{ path: 'shrinking', source: { file } }];
    expect(await client.files.upload('a', 'web', parts)).toMatchObject({
      ok: false,
      error: { code: 'local', unknownOutcome: true },
    });
  });

  test.each([
    ['does not exist', 'nowhere', 'no such file'],
    ['is a folder', '.', 'it is not a regular file'],
  ])('of a file that %s is not sent', async (_, name, reason) => {
    const server = await startHostile(answering(200, ''));
    onTestFinished(() => server.close());
    const parts = [{ path: 'to/here', source: { file: path.join(folder, name) } }];
    expect(await clientOf(server.baseUrl).files.upload('a', 'web', parts)).toMatchObject({
      error: {
        code: 'local',
        sentence: `Can't read to/here: ${reason}.`,
        unknownOutcome: false,
      },
    });
    expect(server.heads).toEqual([]);
  });
});
