import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Client, request } from 'undici';
import { beforeEach, describe, expect, it } from 'vitest';
import { routePath } from '../../source/contract/routes.ts';
import { deploy, errorIn, fieldOf } from './support/bodies.ts';
import { sharedHost } from './support/shared-host.ts';
import { type Answer, idle, sdlOf } from './support/temporary-host.ts';
import { webFiles } from './support/web-files.ts';

const limits = { maxUpdateBytes: 1000, maxJsonFileBytes: 1500 };

const service = sharedHost({ limits });
const owner = service.as('0xowner');
let id = '';

const stagedFolder = () => path.join(service.dataDir, 'deployments', id, 'staged', 'web');

// A test may use the deployment of the one before when that left nothing in its folder.
beforeEach(async () => {
  if (id !== '' && (await readdir(stagedFolder())).length === 0) return;
  if (id !== '') await owner.call('closeDeployment', { id });
  ({ id } = await deploy(owner, sdlOf({ web: idle, job: idle })));
});

const { place, get, put, upload, content, listed } = webFiles(owner, () => id);

const rename = (oldPath: string, newPath: string) =>
  owner.call('renameFile', { ...place(), json: { oldPath, newPath } });

const remove = (file: string) => owner.call('deleteFile', { ...place(), path: file });

/** Sends a request with a raw path below the files, which most clients would normalise. */
async function raw(method: 'GET' | 'PUT' | 'DELETE', encoded: string): Promise<Answer> {
  return await rawPath(method, `${routePath('listFiles', place())}/${encoded}`);
}

async function rawPath(method: 'GET' | 'PUT' | 'DELETE', target: string): Promise<Answer> {
  const client = new Client(service.host.baseUrl);
  const response = await client.request({
    method,
    path: target,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
    body: method === 'PUT' ? '{"content":"x"}' : null,
  });
  const body = await response.body.json();
  await client.close();
  return { status: response.statusCode, headers: response.headers, body };
}

describe('a file', () => {
  it('is written, read, listed, renamed and deleted', async () => {
    const written = await put('config/app.yaml', 'a: 1\n');
    expect(fieldOf(written, 'file')).toMatchObject({ path: 'config/app.yaml', size: 5 });
    expect(fieldOf(await get('config/app.yaml'), 'file')).toMatchObject({
      path: 'config/app.yaml',
      content: 'a: 1\n',
      encoding: 'utf-8',
      size: 5,
      modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await listed()).toEqual(['config/app.yaml']);
    expect(fieldOf(await rename('config/app.yaml', 'b/c/d.yaml'), 'file')).toMatchObject({
      path: 'b/c/d.yaml',
    });
    expect(await listed()).toEqual(['b/c/d.yaml']);
    expect((await remove('b/c/d.yaml')).body).toEqual({ success: true });
    expect(await listed()).toEqual([]);
    expect(await readdir(stagedFolder())).toEqual([]);
  });

  it.each([
    'plain.txt',
    'a/b/c.txt',
    'rename',
    'a/rename',
    'with space.txt',
    'ünïcödé/日本/🙂.txt',
    '100%.txt',
    'a%2Fb.txt',
    'a%252Fb.txt',
    'q?x=1#y',
    'semi;colon',
    '+plus&amp',
    '~tilde',
    '...',
    'new\nline',
    '\u001b[31mred',
    'n'.repeat(255),
  ])('is reachable by both forms of its path: %j', async (file) => {
    await put(file, `content of ${file}`);
    expect(await listed()).toEqual([file]);
    expect(await content(file)).toBe(`content of ${file}`);
    const whole = await raw('GET', encodeURIComponent(file));
    expect(whole.body).toMatchObject({ success: true, file: { path: file } });
    expect((await raw('DELETE', encodeURIComponent(file))).status).toBe(200);
    expect(await listed()).toEqual([]);
  });

  it('keeps every character: byte order mark, CRLF, no final newline', async () => {
    const text = '\uFEFFa\r\nb\u0000\u2028 no newline';
    await put('a', text);
    expect(await content('a')).toBe(text);
  });

  it('is returned as base64 when it is not UTF-8, and raw on request', async () => {
    const bytes = Buffer.from([0xff, 0x00, 0x80, 0x0a]);
    await upload({ 'logo.bin': new Uint8Array(bytes), empty: '' });
    expect(fieldOf(await get('logo.bin'), 'file')).toMatchObject({
      content: bytes.toString('base64'),
      encoding: 'base64',
      size: 4,
    });
    const response = await request(
      new URL(routePath('getFile', { ...place(), path: 'logo.bin' }), service.host.baseUrl),
      { headers: { authorization: `Bearer ${owner.token}`, accept: 'application/octet-stream' } },
    );
    expect(response.headers['content-type']).toBe('application/octet-stream');
    expect(Buffer.from(await response.body.arrayBuffer())).toEqual(bytes);
    const accept = { accept: 'application/octet-stream' };
    expect((await owner.call('getFile', { ...place(), path: 'empty', headers: accept })).body).toBe(
      '',
    );
  });

  it('that is too large for JSON is refused with 413, and returned raw', async () => {
    const large = 'x'.repeat(1501);
    await upload({ large });
    expect(errorIn(await get('large'))).toMatchObject({ status: 413, code: 'too-large' });
    const headers = { accept: 'application/octet-stream' };
    expect((await owner.call('getFile', { ...place(), path: 'large', headers })).body).toBe(large);
  });

  it('is listed in the order of full paths, for any number of files', async () => {
    const names = Array.from({ length: 1200 }, (_, index) => `d${index % 7}/f${index}`);
    const mixed = ['a', 'a.b/c', 'a-', 'a-/x', 'é', 'z/z/z', ...names].filter((n) => n !== 'a-');
    await upload(Object.fromEntries(mixed.map((name) => [name, ''])));
    expect(await listed()).toEqual(mixed.sort());
  });

  it('that is missing is answered with 404, also below another file', async () => {
    await put('a', '');
    for (const file of ['b', 'a/b', 'c/d']) {
      expect(errorIn(await get(file))).toMatchObject({ status: 404, code: 'not-found' });
      expect(errorIn(await remove(file))).toMatchObject({ status: 404, code: 'not-found' });
      expect(errorIn(await rename(file, 'x'))).toMatchObject({ status: 404, code: 'not-found' });
    }
  });

  it('of an unknown service is answered with 404', async () => {
    for (const name of ['nope', '..', 'web%2F..%2Fjob', '%2e%2e']) {
      const answer = await rawPath('GET', `/api/v1/deployments/${id}/services/${name}/files`);
      expect(errorIn(answer)).toMatchObject({ status: 404, code: 'not-found' });
    }
  });
});

describe('a folder', () => {
  it('is deleted when it becomes empty', async () => {
    await mkdir(path.join(stagedFolder(), 'left/empty'), { recursive: true });
    await put('a/b', 'x');
    expect(errorIn(await remove('a'))).toMatchObject({ status: 409, code: 'conflict' });
    expect(errorIn(await remove('left'))).toMatchObject({ status: 409, code: 'conflict' });
    expect((await remove('left/empty')).body).toEqual({ success: true });
    expect(errorIn(await remove('left/empty')).status).toBe(404);
    expect(await readdir(stagedFolder())).toEqual(['a']);
  });

  it('created for a refused rename is removed', async () => {
    await put('a', 'x');
    await put('b', 'y');
    expect(errorIn(await rename('a', 'b/c')).status).toBe(409);
    expect(errorIn(await rename('missing', 'new/folder/c')).status).toBe(404);
    expect(await readdir(stagedFolder())).toEqual(['a', 'b']);
  });
});

describe('a write', () => {
  it('onto a folder, or through a file, is a conflict', async () => {
    await put('a/b', '1');
    await put('f', '2');
    expect(errorIn(await put('a', ''))).toMatchObject({ status: 409, code: 'conflict' });
    expect(errorIn(await put('f/g', ''))).toMatchObject({ status: 409, code: 'conflict' });
    expect(errorIn(await rename('f', 'a'))).toMatchObject({ status: 409 });
    expect(errorIn(await rename('f', 'a/b'))).toMatchObject({ status: 409 });
    expect(errorIn(await rename('f', 'f'))).toMatchObject({ status: 409 });
    expect(errorIn(await rename('a', 'z'))).toMatchObject({ status: 409 });
    expect(errorIn(await remove('a'))).toMatchObject({ status: 409 });
    expect(await listed()).toEqual(['a/b', 'f']);
  });

  it.each(['../x', 'a/../../x', '/etc/x', 'a\\b', 'a\0b', './x', 'a//b', 'n'.repeat(256)])(
    'to %j is refused',
    async (file) => {
      const writes = [await raw('PUT', encodeURIComponent(file)), await rename('a', file)];
      await put('a', 'x');
      writes.push(await rename('a', file), await rename(file, 'b'), await upload({ [file]: 'x' }));
      expect(writes.map(({ status }) => status)).toEqual([422, 422, 422, 422, 422].with(1, 404));
      expect(await listed()).toEqual(['a']);
      await remove('a');
    },
  );

  it.each(['%2e%2e/x', '..%2fx', 'a/%2E%2e/%2e%2e/x', '%2Fetc%2Fpasswd', 'a%5cb', 'a%00'])(
    'to a path outside, encoded as %s, is refused',
    async (encoded) => {
      for (const method of ['GET', 'PUT', 'DELETE'] as const) {
        const answer = await raw(method, encoded);
        expect([404, 422]).toContain(answer.status);
      }
      expect(await listed()).toEqual([]);
    },
  );

  it('does not follow a link that a service created in its tree', async () => {
    const outside = path.join(service.dataDir, 'outside');
    await mkdir(outside, { recursive: true });
    await writeFile(path.join(outside, 'secret'), 'secret');
    await symlink(outside, path.join(stagedFolder(), 'out'));
    await symlink(path.join(outside, 'secret'), path.join(stagedFolder(), 'link'));
    for (const file of ['out/secret', 'link']) {
      expect(errorIn(await get(file)).status).toBe(404);
      expect(errorIn(await put(file, 'x')).status).toBe(409);
      expect(errorIn(await upload({ [file]: 'x' })).status).toBe(409);
    }
    expect(errorIn(await put('out/new', 'x')).status).toBe(409);
    expect(await readdir(outside)).toEqual(['secret']);
    expect(await listed()).toEqual([]);
  });

  it('of text without a UTF-8 form is refused', async () => {
    expect(errorIn(await put('a', '\ud800'))).toMatchObject({ status: 422, code: 'invalid' });
    const answer = await owner.call('renameFile', {
      ...place(),
      json: { oldPath: 'a', newPath: '\udc00' },
    });
    expect(errorIn(answer)).toMatchObject({ status: 422 });
  });

  it('beyond the size limit is refused, however it is escaped', async () => {
    const largest = '\u0001'.repeat(1000);
    expect((await put('a', largest)).status).toBe(200);
    expect(errorIn(await put('a', `${largest}x`))).toMatchObject({
      status: 413,
      code: 'too-large',
    });
    expect(errorIn(await put('a', 'x'.repeat(3_000_000)))).toMatchObject({ status: 413 });
    expect(await content('a')).toBe(largest);
  });

  it.each([
    ['no body', undefined, 400],
    ['an array', [], 422],
    ['no content', {}, 422],
    ['a number', { content: 1 }, 422],
  ])('with %s is refused', async (_, json, status) => {
    const answer = await owner.call('updateFile', { ...place(), path: 'a', json });
    expect(errorIn(answer).status).toBe(status);
  });

  it('is atomic under concurrent requests', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(400));
    await Promise.all(texts.map((text) => put('same', text)));
    expect(texts).toContain(await content('same'));
  });
});
