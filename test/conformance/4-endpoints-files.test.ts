import { beforeAll, describe, expect } from 'vitest';
import { formOf } from '../host/support/temporary-host.ts';
import { line, own } from './line.ts';
import { contentIn, done, filesIn, pathsIn, refused } from './reading.ts';
import { deploy, idle, type MadeDeployment, serviceUnderTest } from './service.ts';

const service = await serviceUnderTest();
const { owner } = service;

let made: MadeDeployment;

beforeAll(async () => {
  made = await deploy(service, { web: idle, job: idle });
});

type Files = Parameters<typeof formOf>[0];

const upload = (files: Files) => owner.call('uploadFiles', { ...made.place, form: formOf(files) });

const put = (path: string, content: string) =>
  owner.call('updateFile', { ...made.place, path, json: { content } });

const get = (path: string) => owner.call('getFile', { ...made.place, path });

const read = async (path: string) => contentIn(await get(path), path).toString();

const rename = (oldPath: string, newPath: string) =>
  owner.call('renameFile', { ...made.place, json: { oldPath, newPath } });

const remove = (path: string) => owner.call('deleteFile', { ...made.place, path });

const paths = async () => pathsIn(await owner.call('listFiles', made.place));

describe('4. Endpoints: Files: Upload files', () => {
  const endpoint = 'POST /api/v1/deployments/:id/services/:name/files: multipart/form-data;';

  line(`${endpoint} the form field files …`, [], async () => {
    done(await upload({ 'upload-one.txt': 'one' }));
    expect(await read('upload-one.txt')).toBe('one');
  });

  line('… is repeated once per file part', [], async () => {
    const files = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`several-${index}.txt`, `content ${index}`]),
    );
    done(await upload(files));
    expect(await paths()).toEqual(expect.arrayContaining(Object.keys(files)));
    for (const [path, content] of Object.entries(files)) expect(await read(path)).toBe(content);
  });

  line('… into the named service and no other', [], async () => {
    done(await upload({ 'mine.txt': 'mine' }));
    for (const name of made.names.slice(1)) {
      const files = pathsIn(await owner.call('listFiles', { id: made.id, name }));
      expect(files).not.toContain('mine.txt');
    }
  });

  own('the filename is the path, and an existing file is replaced', async () => {
    done(await put('up/load/a.txt', 'old'));
    done(await upload({ 'up/load/a.txt': 'new', "up/b 'quoted' %20.txt": 'b' }));
    expect(await read('up/load/a.txt')).toBe('new');
    expect(await read("up/b 'quoted' %20.txt")).toBe('b');
  });

  own('any bytes arrive unchanged', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    done(await upload({ 'bytes.png': bytes }));
    expect(contentIn(await get('bytes.png'), 'bytes.png')).toEqual(Buffer.from(bytes));
  });

  own('returns the records of the files', async () => {
    const files = filesIn(await upload({ 'record-a.txt': 'aa', 'record-b.txt': 'b' }));
    expect(files).toMatchObject([
      { path: 'record-a.txt', size: 2 },
      { path: 'record-b.txt', size: 1 },
    ]);
  });

  own('nothing is written when one part leaves the root of the service', async () => {
    const answer = await upload({ 'stays-away.txt': 'x', '../out.txt': 'y' });
    expect(refused(answer).status).toBe(422);
    expect(await paths()).not.toContain('stays-away.txt');
  });

  own('another form field, no file and no multipart are rejected', async () => {
    const other = formOf({});
    other.append('file', new Blob(['x']), 'other-field.txt');
    expect((await owner.call('uploadFiles', { ...made.place, form: other })).status).toBe(422);
    const none = formOf({});
    none.append('note', 'no file');
    expect((await owner.call('uploadFiles', { ...made.place, form: none })).status).toBe(422);
    expect((await owner.call('uploadFiles', { ...made.place, json: { files: [] } })).status).toBe(
      400,
    );
    expect(await paths()).not.toContain('other-field.txt');
  });
});

describe('4. Endpoints: Files: List files', () => {
  line('GET /api/v1/deployments/:id/services/:name/files', [], async () => {
    const before = await paths();
    done(await upload({ 'listed-a.txt': 'a', 'listed-b.txt': 'b' }));
    expect(await paths()).toEqual([...before, 'listed-a.txt', 'listed-b.txt'].sort());
  });

  own('by path, folders only as parents of files', async () => {
    done(await put('folder/inside/a.txt', 'a'));
    const listed = filesIn(await owner.call('listFiles', made.place)).map(({ path }) => path);
    expect(listed).toEqual(listed.toSorted());
    expect(listed).not.toContain('folder');
    done(await remove('folder/inside/a.txt'));
    expect((await paths()).filter((path) => path.startsWith('folder'))).toEqual([]);
  });
});

describe('4. Endpoints: Files: Get file content', () => {
  line('GET /api/v1/deployments/:id/services/:name/files/:path', [], async () => {
    done(await upload({ 'get-me.txt': 'first line\nsecond line\n' }));
    expect(await read('get-me.txt')).toBe('first line\nsecond line\n');
  });

  own('an unknown file is not found', async () => {
    refused(await get('never-there.txt'));
  });

  own('{success, file: {path, content, encoding, size, modifiedAt}}', async () => {
    done(await put('shape.txt', 'text'));
    expect((await get('shape.txt')).json).toEqual({
      success: true,
      file: {
        path: 'shape.txt',
        content: 'text',
        encoding: 'utf-8',
        size: 4,
        modifiedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    });
  });

  own('invalid UTF-8 is returned as base64', async () => {
    const bytes = new Uint8Array([0xff, 0x00, 0x80]);
    done(await upload({ 'odd.bin': bytes }));
    const { file } = (await get('odd.bin')).json as { readonly file: object };
    expect(file).toMatchObject({
      content: Buffer.from(bytes).toString('base64'),
      encoding: 'base64',
      size: 3,
    });
  });

  own('a file of any size is returned raw for Accept: application/octet-stream', async () => {
    const large = 'z'.repeat(17 * 1024 * 1024);
    done(await upload({ 'large.bin': large }));
    expect((await get('large.bin')).status).toBe(413);
    const headers = { accept: 'application/octet-stream' };
    const answer = done(await owner.call('getFile', { ...made.place, path: 'large.bin', headers }));
    expect(answer.headers['content-type']).toBe('application/octet-stream');
    expect(answer.text === large).toBe(true);
    done(await remove('large.bin'));
  });

  own(':path with plain and with encoded slashes', async () => {
    for (const path of ['a/b/c.txt', 'b/rename', 'Grüße/日本 🙂/100%.txt', 'a%2Fb.txt']) {
      done(await put(path, `content of ${path}`));
      for (const pathForm of ['segments', 'whole'] as const) {
        const answer = await owner.call('getFile', { ...made.place, path, pathForm });
        expect(contentIn(answer, path).toString()).toBe(`content of ${path}`);
      }
    }
  });
});

describe('4. Endpoints: Files: Update file', () => {
  line(
    'PUT /api/v1/deployments/:id/services/:name/files/:path: JSON body with content (string, the new file content)',
    [],
    async () => {
      done(await upload({ 'updated.txt': 'old and longer' }));
      done(await put('updated.txt', 'new'));
      expect(await read('updated.txt')).toBe('new');
    },
  );

  line('… a file that itself is JSON is kept as it was written', [], async () => {
    const json = '{"content":"not an envelope","success":false}\n';
    done(await upload({ 'plain.txt': 'shows how contents come' }));
    expect(await read('plain.txt')).toBe('shows how contents come');
    done(await put('data.json', json));
    expect(await read('data.json')).toBe(json);
  });

  line('… a file called rename is a file', [], async () => {
    done(await upload({ rename: 'a name like any other' }));
    done(await put('rename', 'changed'));
    expect(await read('rename')).toBe('changed');
    done(await remove('rename'));
    expect(await paths()).not.toContain('rename');
  });

  own('an unknown file is created, with its folders', async () => {
    expect(done(await put('new/folder/file.txt', 'x')).json).toMatchObject({
      success: true,
      file: { path: 'new/folder/file.txt', size: 1 },
    });
  });

  own('without text content: 422, without a body: 400', async () => {
    done(await put('kept.txt', 'kept'));
    const at = { ...made.place, path: 'kept.txt' };
    for (const json of [{}, { content: 1 }, { content: null }, []]) {
      expect((await owner.call('updateFile', { ...at, json })).status).toBe(422);
    }
    expect((await owner.call('updateFile', at)).status).toBe(400);
    expect(await read('kept.txt')).toBe('kept');
  });

  own('onto a folder, or through a file: 409', async () => {
    done(await put('in/the-way.txt', 'x'));
    expect((await put('in', 'y')).status).toBe(409);
    expect((await put('in/the-way.txt/below.txt', 'y')).status).toBe(409);
    expect(await read('in/the-way.txt')).toBe('x');
  });

  own('a path outside the service, absolute or with a backslash: 422', async () => {
    const before = await paths();
    for (const path of ['%2e%2e%2fout', 'a%2f..%2f..%2fout', '%2fetc%2fpasswd', 'a%5cb', 'a%00b']) {
      const { id, name } = made.place;
      const url = `/api/v1/deployments/${id}/services/${name}/files/${path}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await owner.send('PUT', url, { headers, body: '{"content":"x"}' });
      expect(refused(answer).status).toBe(422);
    }
    expect(await paths()).toEqual(before);
  });
});

describe('4. Endpoints: Files: Rename file', () => {
  line(
    'PATCH /api/v1/deployments/:id/services/:name/files/rename: JSON body with oldPath (string) and newPath (string)',
    [],
    async () => {
      done(await upload({ 'old-name.txt': 'the same' }));
      done(await rename('old-name.txt', 'new-name.txt'));
      expect(await read('new-name.txt')).toBe('the same');
      refused(await get('old-name.txt'));
      const listed = await paths();
      expect(listed).toContain('new-name.txt');
      expect(listed).not.toContain('old-name.txt');
    },
  );

  own('an unknown file is not renamed', async () => {
    refused(await rename('never-there.txt', 'anything.txt'));
    expect(await paths()).not.toContain('anything.txt');
  });

  own('into another folder, which is created', async () => {
    done(await put('move.txt', 'moved'));
    expect(done(await rename('move.txt', 'to/other/move.txt')).json).toMatchObject({
      success: true,
      file: { path: 'to/other/move.txt' },
    });
    expect(await read('to/other/move.txt')).toBe('moved');
  });

  own('onto an existing file: 409, and both stay', async () => {
    done(await upload({ 'one.txt': '1', 'two.txt': '2' }));
    expect((await rename('one.txt', 'two.txt')).status).toBe(409);
    expect([await read('one.txt'), await read('two.txt')]).toEqual(['1', '2']);
  });

  own('of an unknown file: 404; without a path, or outside the service: 422', async () => {
    expect((await rename('never-there.txt', 'x.txt')).status).toBe(404);
    done(await put('here.txt', 'x'));
    for (const json of [{}, { oldPath: 'here.txt' }, { newPath: 'x.txt' }, { oldPath: 1 }]) {
      expect((await owner.call('renameFile', { ...made.place, json })).status).toBe(422);
    }
    expect((await rename('here.txt', '../x.txt')).status).toBe(422);
    expect(await read('here.txt')).toBe('x');
  });
});

describe('4. Endpoints: Files: Delete file', () => {
  line('DELETE /api/v1/deployments/:id/services/:name/files/:path', [], async () => {
    done(await upload({ 'short-lived.txt': 'x', 'long-lived.txt': 'y' }));
    done(await remove('short-lived.txt'));
    refused(await get('short-lived.txt'));
    const listed = await paths();
    expect(listed).not.toContain('short-lived.txt');
    expect(listed).toContain('long-lived.txt');
  });

  own('of an unknown file: 404, of a folder: 409', async () => {
    expect((await remove('never-there.txt')).status).toBe(404);
    done(await put('full/of.txt', 'x'));
    expect((await remove('full')).status).toBe(409);
    expect(await read('full/of.txt')).toBe('x');
  });
});
