import { once } from 'node:events';
import { watch } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { request } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { routePath } from '../../source/contract/routes.ts';
import { deploy, errorIn, fieldOf } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { idle, sdlOf } from './support/temporary-host.ts';
import { webFiles } from './support/web-files.ts';
import { waitFor } from '../support/wait-for.ts';

const failures: unknown[] = [];
const service = sharedHost({
  limits: { maxUploadPartBytes: 2000, maxUploadParts: 5 },
  onFailure: (error) => failures.push(error),
});
const owner = service.as('0xowner');
let id = '';

// A test may use the deployment of the one before when that left no file and no part of an upload.
beforeEach(async () => {
  const left =
    id === '' ? [] : [...(await listed()), ...(await readdir(arriving()).catch(() => []))];
  if (id !== '' && left.length === 0) return;
  if (id !== '') await owner.call('closeDeployment', { id });
  ({ id } = await deploy(owner, sdlOf({ web: idle })));
});

const { place, put, upload, content, listed } = webFiles(owner, () => id);

const arriving = () => path.join(service.dataDir, 'deployments', id, 'arriving');

describe('an upload', () => {
  it('keeps the paths of its parts and replaces existing files', async () => {
    await put('a/b.txt', 'old');
    const answer = await upload({ 'a/b.txt': 'new', 'c quoted.txt': 'x', 'é/ü': 'y' });
    expect(fieldOf(answer, 'files')).toMatchObject([
      { path: 'a/b.txt', size: 3 },
      { path: 'c quoted.txt' },
      { path: 'é/ü' },
    ]);
    expect(await listed()).toEqual(['a/b.txt', 'c quoted.txt', 'é/ü']);
    expect(await content('a/b.txt')).toBe('new');
  });

  it.each<[string, Record<string, string>, number]>([
    ['a part leads outside', { 'ok.txt': 'x', '../bad': 'y' }, 422],
    ['a part is too large', { 'ok.txt': 'x', big: 'z'.repeat(2001), after: 'y' }, 413],
    ['there are too many parts', { a: '', b: '', c: '', d: '', e: '', f: '' }, 413],
    ['a part is a file and a folder', { a: 'x', 'a/b': 'y' }, 409],
  ])('stores nothing when %s', async (_, files, status) => {
    await put('before', '1');
    expect(errorIn(await upload(files))).toMatchObject({ status, success: false });
    expect(await listed()).toEqual(['before']);
    expect(await readdir(path.join(service.dataDir, 'deployments', id, 'arriving'))).toEqual([]);
  });

  it('far beyond the limits gets a response', async () => {
    const answer = await upload({ big: 'z'.repeat(30_000_000), more: 'y'.repeat(30_000_000) });
    expect(errorIn(answer)).toMatchObject({ status: 413, code: 'too-large' });
    expect((await put('next', 'x')).status).toBe(200);
  });

  const boundary = 'xyz';
  const part = (disposition: string, content = 'x') =>
    `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

  it.each<[string, string, string, number]>([
    ['another field', part('name="file"; filename="a"'), boundary, 422],
    ['no filename', part('name="files"'), boundary, 422],
    ['no parts', '', boundary, 422],
    ['an empty filename', part('name="files"; filename=""'), boundary, 422],
    ['a Windows path', part('name="files"; filename="C:\\dir\\a.txt"'), boundary, 422],
    ['a name of two meanings', part('name="files"; filename="a%22b"'), boundary, 422],
    ['a part without a disposition', `--xyz\r\n\r\nx\r\n`, boundary, 400],
    ['a part cut in its headers', '--xyz\r\nContent-Disposition: form-data\r\n', boundary, 400],
    ['a missing boundary', part('name="files"; filename="a"'), 'other', 400],
    ['the name of a prototype', part('name="__proto__"; filename="a"'), boundary, 400],
  ])('with %s is refused', async (_, parts, named, status) => {
    const response = await request(
      new URL(routePath('uploadFiles', place()), service.host.baseUrl),
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': `multipart/form-data; boundary=${named}`,
        },
        body: `${parts}--${boundary}--\r\n`,
      },
    );
    const body = await response.body.json();
    expect({ status: response.statusCode, body }).toMatchObject({
      status,
      body: { success: false },
    });
    expect(await listed()).toEqual([]);
  });

  it('takes each filename for its own content, between fields and in any form', async () => {
    const parts = [
      part('name="note"', 'first'),
      part('name="files"; filename="a"', 'of a'),
      part('name="other"; x=y', ''),
      part(`name="files"; filename="=?utf-8?B?w6k=?="; filename*=utf-8''%C3%A9%22`, 'of é'),
      part('name=files; filename=b', ''),
    ];
    const response = await request(
      new URL(routePath('uploadFiles', place()), service.host.baseUrl),
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: `${parts.join('')}--${boundary}--\r\n`,
      },
    );
    expect([response.statusCode, await listed()]).toEqual([200, ['a', 'b', 'é"']]);
    await response.body.dump();
    expect(await content('a')).toBe('of a');
    expect(await content('é"')).toBe('of é');
    expect(await content('b')).toBe('');
  });

  it('that is not multipart is refused', async () => {
    const answer = await owner.call('uploadFiles', { ...place(), json: { files: [] } });
    expect(errorIn(answer)).toMatchObject({ status: 400 });
  });

  it('that is aborted stores nothing', async () => {
    async function* broken() {
      yield part('name="files"; filename="a"');
      yield `--${boundary}\r\nContent-Disposition: form-data; name="files"`;
      throw new Error('gone');
    }
    const sending = request(new URL(routePath('uploadFiles', place()), service.host.baseUrl), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body: Readable.from(broken()),
    });
    await expect(sending).rejects.toThrow();
    await waitFor(async () => expect(await readdir(arriving())).toEqual([]));
    expect(await listed()).toEqual([]);
  });

  it('that is cut between or inside its parts stores nothing', async () => {
    const body = `${part('name="files"; filename="a"')}${part('name="files"; filename="b/c"')}`;
    const head = [
      `POST ${routePath('uploadFiles', place())} HTTP/1.1`,
      'Host: 127.0.0.1',
      `Authorization: Bearer ${owner.token}`,
      `Content-Type: multipart/form-data; boundary=${boundary}`,
      `Content-Length: ${body.length + 100}`,
    ].join('\r\n');
    const cuts = Array.from({ length: 20 }, (_, index) => Math.floor((body.length * index) / 19));
    await Promise.all(
      cuts.map(async (cut) => {
        const socket = connect(Number(new URL(service.host.baseUrl).port), '127.0.0.1');
        socket.write(`${head}\r\n\r\n${body.slice(0, cut)}`, () => {
          if (cut % 2 === 0) socket.end();
          else socket.resetAndDestroy();
        });
        await once(socket.resume(), 'close');
      }),
    );
    await waitFor(async () => {
      const names = await readdir(arriving()).catch(() => []);
      expect(names).toEqual([]);
    });
    expect(await listed()).toEqual([]);
    expect(failures).toEqual([]);
  });

  it('is refused when the deployment closes meanwhile', async () => {
    const head = part('name="files"; filename="a"');
    const rest = `${part('name="files"; filename="b"')}--${boundary}--\r\n`;
    async function* slowly() {
      yield head;
      await waitFor(async () => expect(await readdir(arriving())).toHaveLength(1));
      await owner.call('closeDeployment', { id });
      yield rest;
    }
    const response = await request(
      new URL(routePath('uploadFiles', place()), service.host.baseUrl),
      {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.token}`,
          'content-type': `multipart/form-data; boundary=${boundary}`,
        },
        body: Readable.from(slowly()),
      },
    );
    await response.body.dump();
    expect(response.statusCode).toBe(409);
    expect(await listed()).toEqual([]);
    id = '';
  });

  it('concurrent with another of the same files stores all files of one of them', async () => {
    const names = ['a', 'b/c', 'b/d', 'e'];
    const filesOf = (text: string) => Object.fromEntries(names.map((name) => [name, text]));
    const answers = await Promise.all(['one', 'two', 'three'].map((text) => upload(filesOf(text))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await listed()).toEqual(names);
    const contents = new Set(await Promise.all(names.map(content)));
    expect(contents.size).toBe(1);
    expect(['one', 'two', 'three']).toContain([...contents][0]);
  });

  it.each([
    ['a name of more than 255 bytes', 'é'.repeat(128)],
    ['a path of more than 3072 bytes', Array.from({ length: 40 }, () => 'n'.repeat(100)).join('/')],
    ['too many folders', Array.from({ length: 200 }, () => 'n').join('/')],
  ])('with %s is refused with that reason', async (_, file) => {
    const answer = await upload({ before: 'x', [file]: 'y' });
    expect(errorIn(answer)).toMatchObject({ status: 422, details: [{ field: 'filename' }] });
    expect(await listed()).toEqual([]);
  });
});

describe('an upload of more parts than the limit', () => {
  const many = sharedHost({ limits: { maxUploadParts: 2000 } });
  const sender = many.as('0xsender');

  const partOf = (disposition: string, content: string) =>
    `--b\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

  /** Sends parts as bytes: a FormData of thousands of files takes many seconds to read. */
  const send = (deployment: string, parts: readonly string[]) =>
    sender.call('uploadFiles', {
      id: deployment,
      name: 'web',
      bytes: Buffer.from(`${parts.join('')}--b--\r\n`),
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
    });

  /** Uploads parts. Returns the response and the number of temporary files written. */
  async function outcomeOf(
    parts: number,
    disposition: (number: number) => string,
    content: string,
  ) {
    const { id: deployment } = await deploy(sender, sdlOf({ web: idle }));
    const folder = path.join(many.dataDir, 'deployments', deployment, 'arriving');
    await mkdir(folder);
    let stored = 0;
    const watcher = watch(folder, { recursive: true }, (event) => {
      if (event === 'rename') stored += 1;
    });
    const form = Array.from({ length: parts }, (_, n) => partOf(disposition(n), content));
    const answer = await send(deployment, form);
    // File events arrive in order, so this event follows all earlier ones.
    const event = once(watcher, 'change', { signal: AbortSignal.timeout(20_000) });
    await writeFile(path.join(folder, 'last'), '');
    await event;
    watcher.close();
    await sender.call('closeDeployment', { id: deployment });
    return { answer, stored };
  }

  it.each([
    ['empty files', ''],
    ['files of a kilobyte', 'x'.repeat(1000)],
  ])('is refused before the files are stored: %s', async (_, content) => {
    const file = (n: number) => `name="files"; filename="f${n}"`;
    const { answer, stored } = await outcomeOf(2001, file, content);
    expect(errorIn(answer)).toMatchObject({ status: 413, code: 'too-large' });
    // The folder of the upload and the last file.
    expect(stored).toBeLessThan(10);
  });

  it('is refused when the parts are not files', async () => {
    const { answer, stored } = await outcomeOf(2001, () => 'name="other"', '');
    expect(errorIn(answer)).toMatchObject({ status: 413, code: 'too-large' });
    expect(stored).toBeLessThan(10);
  });

  it('is accepted at the limit, with the last part of each name', async () => {
    const { id: deployment } = await deploy(sender, sdlOf({ web: idle }));
    const names = Array.from({ length: 1998 }, (_, n) => `${n % 100}/${n}`);
    const file = (name: string, content: string) =>
      partOf(`name="files"; filename="${name}"`, content);
    const form = names.map((name) => file(name, name));
    form.push(file('twice', 'first'), file('twice', 'last'));
    const answer = await send(deployment, form);
    expect(answer.status).toBe(200);
    expect(fieldOf(answer, 'files')).toHaveLength(1999);
    const twice = await sender.call('getFile', { id: deployment, name: 'web', path: 'twice' });
    expect(fieldOf(twice, 'file')).toMatchObject({ content: 'last' });
    await sender.call('closeDeployment', { id: deployment });
  });
});
