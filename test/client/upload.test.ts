import { isUtf8 } from 'node:buffer';
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
import { groupByRequest, isExactFilename } from '../../source/contract/exact-filename.ts';
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
      { path: "say 'hi' %20.txt", source: { bytes: Buffer.from('from memory') } },
    ];
    expect(await client.files.upload('a', 'web', parts)).toMatchObject({ ok: true });
    const boundary = /boundary=(\S+)/.exec(headers['content-type'] ?? '')?.[1];
    expect(headers['content-length']).toBe(String(Buffer.byteLength(sent)));
    expect(headers['transfer-encoding']).toBeUndefined();
    expect(sent.split(`--${boundary}`).map((part) => part.trim())).toEqual([
      '',
      'Content-Disposition: form-data; name="files"; filename="public/a b/ü.txt"\r\n' +
        'Content-Type: application/octet-stream\r\n\r\nfrom disk',
      'Content-Disposition: form-data; name="files"; filename="say \'hi\' %20.txt"\r\n' +
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
        const refused = new Set<string>();
        for (const group of groupByRequest(parts, (part) => part.path)) {
          const sent = await files.upload(service.sample, 'web', group);
          const isText = group.every(({ source }) => isUtf8(source.bytes));
          const isOneRequest = group.every((part) => isExactFilename(part.path));
          expect(sent.ok).toBe(isText || isOneRequest);
          if (!sent.ok) refused.add(group[0]?.path ?? '');
        }
        for (const [to, bytes] of Object.entries(contents)) {
          if (!refused.has(to))
            expect(service.stored(service.sample, 'web', to)).toEqual(Buffer.from(bytes));
        }
      }),
      { numRuns: 50 },
    );
  });

  describe('whose name no filename carries exactly', () => {
    const quoted = 'folder/say "hi".txt';
    const answer = async (status: number): Promise<[Client, readonly string[]]> => {
      const service = await startHostile(answering(status, '{}'));
      onTestFinished(() => service.close());
      return [clientOf(service.baseUrl), service.heads];
    };

    test('is sent with PUT, and its content is its progress', async () => {
      const service = await startForeign();
      onTestFinished(() => service.close());
      const { files } = clientOf(service.baseUrl, service.token);
      const file = path.join(folder, 'local');
      await writeFile(file, '\ufeffü\0\n');
      const seen: number[] = [];
      const onProgress = (bytes: number): number => seen.push(bytes);
      const parts = [{ path: quoted, source: { file } }];
      expect(await files.upload(service.sample, 'web', parts, { onProgress })).toMatchObject({
        ok: true,
      });
      expect(service.writes().map(({ method }) => method)).toEqual(['PUT']);
      expect(service.stored(service.sample, 'web', quoted)?.toString()).toBe('\ufeffü\0\n');
      expect(seen).toEqual([7]);
    });

    test.each([
      ['bytes that are no text', Buffer.of(0xff), 'invalid', 'only UTF-8 text'],
      ['more than 10 MiB', Buffer.alloc(10 * mebibyte + 1), 'too-large', 'at most 10 MiB'],
    ])('is not sent with %s', async (_, bytes, code, reason) => {
      const [client, requests] = await answer(200);
      const sent = await client.files.upload('a', 'web', [{ path: quoted, source: { bytes } }]);
      const sentence = `Can't upload ${quoted}: its name needs PUT, which carries `;
      expect(sent).toMatchObject({ ok: false, error: { code, next: 'Nothing was sent.' } });
      expect(sent.ok ? '' : sent.error.sentence).toBe(`${sentence}${reason}.`);
      expect(requests).toEqual([]);
    });

    test('is not sent when its file is gone, nor together with other files', async () => {
      const [client, requests] = await answer(200);
      const gone = { path: quoted, source: { file: path.join(folder, 'gone') } };
      expect(await client.files.upload('a', 'web', [gone])).toMatchObject({
        error: { code: 'local', sentence: `Can't read ${quoted}: no such file.` },
      });
      const other = { path: 'b', source: { bytes: Buffer.of() } };
      expect(await client.files.upload('a', 'web', [other, gone])).toMatchObject({
        error: { code: 'local', next: 'Nothing was sent.' },
      });
      expect(requests).toEqual([]);
    });

    test('is named when the service creates no files by PUT', async () => {
      const [client] = await answer(404);
      const source = { bytes: Buffer.from('x') };
      const sent = await client.files.upload('a', 'web', [{ path: 'a"b', source }]);
      expect(sent).toMatchObject({
        error: { code: 'invalid', status: 404, unknownOutcome: false },
      });
      expect(sent.ok ? '' : sent.error.sentence).toMatch(
        /^Can't upload a"b: its name needs PUT, which 127.0.0.1:\d+ refuses for new files \(404\)\.$/,
      );
    });
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
