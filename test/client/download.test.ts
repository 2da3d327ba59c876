import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../source/client/client.ts';
import { type ConnectOptions, createClient } from '../../source/client/client.ts';
import { deploy } from '../host/support/bodies.ts';
import { sharedHost } from '../host/support/shared-host.ts';
import { formOf, idle, sdlOf } from '../host/support/temporary-host.ts';
import { type ForeignOptions, startForeign } from '../servers/foreign.ts';
import { answering, cutting, endless, type Script, startHostile } from '../servers/hostile.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const mebibyte = 2 ** 20;

/** The limit of answers that are read into memory, in place of 64 MiB, so that files need not be as large. */
const limits = { retries: 0, maxAnswer: mebibyte };

let folder = '';
let file = '';

beforeEach(async () => {
  folder = temporaryFolder();
  file = path.join(folder, 'saved');
});

function clientOf(options: ConnectOptions): Client {
  const client = createClient(options);
  onTestFinished(() => client.close());
  return client;
}

async function hostile(script: Script): Promise<Client> {
  const server = await startHostile(script);
  onTestFinished(() => server.close());
  return clientOf({ baseUrl: server.baseUrl, token: 'token', limits });
}

async function foreign(options: Partial<ForeignOptions>) {
  const service = await startForeign(options);
  onTestFinished(() => service.close());
  return { ...service, files: clientOf(service).files };
}

describe("a file of hostdeck's own host", () => {
  const shared = sharedHost();
  const caller = shared.as('0xa');
  let id: string;

  beforeAll(async () => {
    ({ id } = await deploy(caller, sdlOf({ web: idle })));
  });

  test.each([
    ['larger than JSON answers', Buffer.alloc(3 * mebibyte, 'a line\n')],
    ['that looks like an envelope', Buffer.from('{"path":"it","content":"inner"}')],
    ['of no bytes', Buffer.alloc(0)],
    ['of any bytes', Buffer.from([0, 0xff, 0x7b, 0x0d, 0x0a])],
  ])('%s is saved unchanged', async (_, bytes) => {
    await caller.call('uploadFiles', { id, name: 'web', form: formOf({ it: bytes }) });
    const { files } = clientOf({ baseUrl: shared.host.baseUrl, token: caller.token, limits });
    const seen: (number | undefined)[] = [];
    const saved = await files.save(id, 'web', 'it', file, {
      onProgress: (received) => seen.push(received),
    });
    expect(saved).toEqual({ ok: true, value: { size: bytes.length, certainty: 'certain' } });
    expect((await readFile(file)).equals(bytes)).toBe(true);
    expect(await readdir(folder)).toEqual(['saved']);
    expect(seen.at(-1) ?? 0).toBe(bytes.length);
    // The viewer still reads the file from the host's envelope.
    if (bytes.length < mebibyte) {
      const read = await files.get(id, 'web', 'it');
      expect(read.ok && Buffer.from(read.value.bytes).equals(bytes)).toBe(true);
    }
  });
});

describe.each(['raw', 'envelope', 'bare-envelope', 'base64'] as const)(
  'of a service that answers content as %s',
  (content) => {
    test('files are saved unchanged', async () => {
      const service = await foreign({ content, pathForm: 'segments' });
      const { files, sample } = service;
      service.put(sample, 'web', 'config/odd.json', '{"path":"config/odd.json","content":"inner"}');
      for (const name of ['config/app.yaml', 'config/flags.json', 'config/odd.json']) {
        expect(await files.save(sample, 'web', name, file)).toMatchObject({
          ok: true,
          value: { certainty: 'certain' },
        });
        expect(await readFile(file)).toEqual(service.stored(sample, 'web', name));
      }
      expect(await readdir(folder)).toEqual(['saved']);
    });
  },
);

test('the other form of a path is tried, and only the successful answer is written', async () => {
  const service = await foreign({ pathForm: 'whole' });
  expect(await service.files.save(service.sample, 'web', 'config/app.yaml', file)).toMatchObject({
    ok: true,
  });
  expect(await readFile(file)).toEqual(service.stored(service.sample, 'web', 'config/app.yaml'));
});

test('a possible envelope above the size limit is written unchanged and is ambiguous', async () => {
  const body = Buffer.concat([
    Buffer.from('{"content":"'),
    Buffer.alloc(mebibyte, 'x'),
    Buffer.from('"}'),
  ]);
  const client = await hostile(answering(200, body, { 'content-type': 'application/json' }));
  expect(await client.files.save('a', 'web', 'large.txt', file)).toEqual({
    ok: true,
    value: { size: body.length, certainty: 'ambiguous' },
  });
  expect((await readFile(file)).equals(body)).toBe(true);
});

describe('the local file is unchanged when', () => {
  beforeEach(() => writeFile(file, 'as it was'));

  afterEach(async () => {
    expect(await readdir(folder)).toEqual(['saved']);
    expect(await readFile(file, 'utf8')).toBe('as it was');
  });

  test('the answer breaks off', async () => {
    const client = await hostile(cutting(1000, 'half'));
    expect(await client.files.save('a', 'web', 'it', file)).toMatchObject({
      error: { code: 'disconnected', unknownOutcome: false },
    });
  });

  test('the download is cancelled during the answer', async () => {
    const client = await hostile(endless);
    const cancel = new AbortController();
    const saved = await client.files.save('a', 'web', 'it', file, {
      signal: cancel.signal,
      onProgress: (received) => received > 4 * mebibyte && cancel.abort(),
    });
    expect(saved).toMatchObject({ error: { code: 'aborted' } });
  });

  test('the download is cancelled before the request', async () => {
    const client = await hostile(answering(200, 'x'));
    const signal = AbortSignal.abort();
    expect(await client.files.save('a', 'web', 'it', file, { signal })).toMatchObject({
      error: { code: 'aborted' },
    });
  });

  test.each([
    ['says that it failed', 200, '{"success":false,"message":"no"}', 'service-error'],
    ['knows no such file', 404, '{"message":"no"}', 'not-found'],
  ])('the service %s', async (_, status, body, code) => {
    const client = await hostile(answering(status, body));
    expect(await client.files.save('a', 'web', 'it.txt', file)).toMatchObject({
      error: { code, errorMessage: 'no' },
    });
  });

  test('the content of an envelope does not match its encoding', async () => {
    const body = '{"path":"it.txt","content":"%%%","encoding":"base64"}';
    const client = await hostile(answering(200, body));
    expect(await client.files.save('a', 'web', 'it.txt', file)).toMatchObject({
      error: { code: 'wrong-shape', field: 'content' },
    });
  });
});

test.each([
  ['the folder does not exist', 'nowhere/saved'],
  ['it is a folder', 'full'],
])('a local error is returned when %s', async (reason, name) => {
  await mkdir(path.join(folder, 'full', 'inside'), { recursive: true });
  const target = path.join(folder, name);
  const client = await hostile(answering(200, Buffer.alloc(4 * mebibyte, 'x')));
  expect(await client.files.save('a', 'web', 'it', target)).toMatchObject({
    error: { code: 'local', sentence: `Can't write ${target}: ${reason}.` },
  });
  expect(await readdir(folder)).toEqual(['full']);
});

test('a large file is streamed with little memory', async () => {
  const size = 200 * mebibyte;
  const piece = Buffer.alloc(mebibyte);
  const client = await hostile((socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n`);
    let left = size / mebibyte;
    const pour = () => {
      while (left > 0) {
        left -= 1;
        if (!socket.write(piece)) return;
      }
    };
    socket.on('drain', pour);
    pour();
  });
  let most = 0;
  const before = process.memoryUsage().rss;
  const saved = await client.files.save('a', 'web', 'it', file, {
    onProgress: () => (most = Math.max(most, process.memoryUsage.rss())),
  });
  expect(saved).toMatchObject({ ok: true, value: { size } });
  expect(most - before).toBeLessThan(150 * mebibyte);
});
