import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../source/client/client.ts';
import { createClient } from '../../source/client/client.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../servers/foreign.ts';

async function connect(options: Partial<ForeignOptions> = {}): Promise<Foreign & { files: Files }> {
  const service = await startForeign(options);
  const client = createClient(service);
  onTestFinished(() => service.close());
  onTestFinished(() => client.close());
  return { ...service, files: client.files };
}

type Files = Client['files'];

/** Returns methods and last path segments of the requests since the last call. */
function takeRequests({ requests }: Foreign): readonly string[] {
  const seen = requests.map(
    ({ method, path }) => `${method} ${path.split('/files').at(-1) || '/'}`,
  );
  (requests as unknown[]).length = 0;
  return seen;
}

describe.each(['raw', 'envelope', 'bare-envelope', 'base64'] as const)(
  'content as %s',
  (content) => {
    test('is read unchanged', async () => {
      const service = await connect({ content });
      const { files, sample } = service;
      const jsonInside = '{"path":"config/odd.json","content":"inner"}';
      service.put(sample, 'web', 'config/odd.json', jsonInside);
      for (const path of [
        'config/app.yaml',
        'config/flags.json',
        'config/odd.json',
        'index.html',
      ]) {
        const stored = service.stored(sample, 'web', path);
        const file = await files.get(sample, 'web', path);
        expect(file).toMatchObject({
          ok: true,
          value: { path, certainty: 'certain', text: stored?.toString() },
        });
        if (file.ok) expect(Buffer.from(file.value.bytes)).toEqual(stored);
      }
    });

    test('of a JSON file that could be an envelope is decided by one other file', async () => {
      const service = await connect({ content, files: 'records' });
      const { files, sample } = service;
      const first = await files.get(sample, 'web', 'config/flags.json');
      expect(first).toMatchObject({
        value: { certainty: 'certain', text: '{"content":"not an envelope","beta":true}\n' },
      });
      const probed = takeRequests(service).filter((request) => !request.includes('flags.json'));
      expect(probed).toEqual(['GET /', 'GET /README.md']);
      await files.get(sample, 'web', 'config/flags.json');
      expect(takeRequests(service)).toEqual(['GET /config%2Fflags.json']);
    });
  },
);

test('an undecided JSON file is returned unchanged and is ambiguous', async () => {
  const service = await connect({ content: 'bare-envelope' });
  const { files, deployments, sample } = service;
  const stored = deployments.get(sample)?.files.get('worker');
  stored?.clear();
  stored?.set('state.json', Buffer.from('x'));
  stored?.set('more.json', Buffer.from('{}'));
  expect(await files.get(sample, 'worker', 'state.json')).toMatchObject({
    value: { certainty: 'ambiguous', text: '{"content":"x"}' },
  });
});

test('an undecided JSON file is requested as bytes', async () => {
  const service = await connect({ content: 'raw' });
  const stored = service.deployments.get(service.sample)?.files.get('worker');
  stored?.clear();
  stored?.set('state.json', Buffer.from('{"content":"x"}'));
  expect(await service.files.get(service.sample, 'worker', 'state.json')).toMatchObject({
    value: { certainty: 'certain', text: '{"content":"x"}' },
  });
});

test('text with replacement characters is ambiguous', async () => {
  const service = await connect({ content: 'envelope' });
  service.put(service.sample, 'web', 'old.txt', Buffer.from([0x67, 0x72, 0xfc, 0x6e]));
  expect(await service.files.get(service.sample, 'web', 'old.txt')).toMatchObject({
    value: { certainty: 'ambiguous', text: 'gr\u{fffd}n' },
  });
});

test('a binary file has bytes only', async () => {
  const service = await connect({ content: 'base64' });
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0xff]);
  service.put(service.sample, 'web', 'logo.png', bytes);
  const file = await service.files.get(service.sample, 'web', 'logo.png');
  expect(file).toMatchObject({ value: { text: undefined, certainty: 'certain' } });
  if (file.ok) expect(Buffer.from(file.value.bytes)).toEqual(bytes);
});

describe.each(['whole', 'segments', 'both'] as const)('paths in the form %s', (pathForm) => {
  const learned = pathForm === 'whole' ? '%2F' : '/';

  test('are learned by a read before the first write', async () => {
    const service = await connect({ pathForm, files: 'records' });
    const { files, sample } = service;
    expect(await files.update(sample, 'web', 'config/new.yaml', 'a: 1\n')).toMatchObject({
      ok: true,
    });
    const seen = takeRequests(service);
    expect(seen.filter((request) => !request.startsWith('GET'))).toEqual([
      `PUT /config${learned}new.yaml`,
    ]);
    expect(seen.slice(0, 2)).toEqual(['GET /', 'GET /config/app.yaml']);
    expect(await files.delete(sample, 'web', 'config/new.yaml')).toMatchObject({ ok: true });
    expect(takeRequests(service)).toEqual([`DELETE /config${learned}new.yaml`]);
  });

  test('are learned by a write when there is no file to read', async () => {
    const service = await connect({ pathForm });
    const { files, sample } = service;
    expect(await files.update(sample, 'worker', 'a/b.py', '1')).toMatchObject({ ok: true });
    expect(service.stored(sample, 'worker', 'a/b.py')?.toString()).toBe('1');
    const writes = service.writes().map(({ path }) => path.split('/files/')[1]);
    expect(writes).toEqual(pathForm === 'whole' ? ['a/b.py', 'a%2Fb.py'] : ['a/b.py']);
  });

  test('keep every character of a name', async () => {
    const service = await connect({ pathForm });
    const { files, sample } = service;
    const names = [
      'sp ace/ü?.txt',
      'a%2Fb/c#d.txt',
      'per%cent/100%',
      '日本/ファイル',
      'a+b/c&d=e',
      '.../x',
    ];
    for (const path of names) {
      expect(await files.update(sample, 'web', path, path)).toMatchObject({ ok: true });
      expect(service.stored(sample, 'web', path)?.toString()).toBe(path);
      expect(await files.get(sample, 'web', path)).toMatchObject({ value: { path, text: path } });
    }
  });
});

test.each(['', 'a//b', '/a', 'a/', './a', 'a/../b', '..', '.'])(
  'the path %j is never requested',
  async (path) => {
    const service = await connect();
    const { files, sample } = service;
    const bytes = Buffer.from('x');
    for (const answer of [
      await files.get(sample, 'web', path),
      await files.update(sample, 'web', path, 'x'),
      await files.delete(sample, 'web', path),
      await files.rename(sample, 'web', path, 'b'),
      await files.rename(sample, 'web', 'index.html', path),
      await files.upload(sample, 'web', [{ path, source: { bytes } }]),
    ]) {
      expect(answer).toMatchObject({ ok: false, error: { code: 'local', unknownOutcome: false } });
    }
    expect(service.requests.filter(({ path }) => !path.endsWith('/files'))).toEqual([]);
    expect(service.writes()).toEqual([]);
  },
);

test('a list with such a path is returned', async () => {
  const service = await connect();
  service.put(service.sample, 'web', '/odd//name', 'x');
  const files = await service.files.list(service.sample, 'web');
  expect(files.ok && files.value.map(({ value }) => value.path)).toContain('/odd//name');
});

test('an unchanged list returns the same array, and a changed one is decoded', async () => {
  const service = await connect();
  const list = async () => {
    const files = await service.files.list(service.sample, 'web');
    if (!files.ok) throw new Error(files.error.sentence);
    return files.value;
  };
  const first = await list();
  expect(await list()).toBe(first);
  service.put(service.sample, 'web', 'another.txt', 'x');
  const second = await list();
  expect(second.map(({ value }) => value.path)).toContain('another.txt');
  await service.files.list(service.sample, 'worker');
  expect(await list()).toEqual(second);
});
