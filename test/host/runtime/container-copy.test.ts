import { randomUUID } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createContainer,
  listContainers,
  removeContainer,
  startContainer,
  waitForEnd,
} from '../../../source/host/engine/containers.ts';
import type { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { AlteredEngine } from './altered-engine.ts';
import { image, sayWhySkipped, testEngine } from './engine.ts';
import { runContainer } from './run-container.ts';

const found = await testEngine();
if ('missing' in found) sayWhySkipped(found.missing);

describe.skipIf('missing' in found)('the files of a service in a container', () => {
  const engine = found as EngineClient;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-copy-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  const put = async (file: string, content: string | Uint8Array) => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), content);
  };

  /** Commits an image in which a script has run. Removed after the test. */
  const imageAfter = async (script: string, changes?: string) => {
    const Entrypoint = ['/bin/sh', '-c', script];
    const config = { Image: image, Labels: {}, Env: [], ExposedPorts: {}, HostConfig: {} };
    const name = `hostdeck-image-${randomUUID()}`;
    const { id } = await createContainer(engine, name, { ...config, Entrypoint });
    const ended = waitForEnd(engine, id, 'next-exit');
    await startContainer(engine, id);
    await ended;
    const query = {
      container: id,
      repo: `localhost/${name}`,
      tag: '1',
      ...(changes === undefined ? {} : { changes }),
    };
    await engine.command('POST', '/commit', { query, json: {}, silenceMs: 60_000 });
    await removeContainer(engine, id);
    onTestFinished(async () => {
      await engine.command('DELETE', `/images/localhost/${name}:1`, { query: { force: '1' } });
    });
    return `localhost/${name}:1`;
  };

  it('are copied with their modes, and changes stay in the container', async () => {
    await put('hello.txt', 'hello');
    await put(`ordner-ü/${'ä'.repeat(110)}.txt`, 'long');
    await put('run.sh', 'echo "ran in $(pwd)"');
    await chmod(path.join(folder, 'run.sh'), 0o755);
    const { lines, end } = await runContainer(
      folder,
      `cat hello.txt; echo; cat ordner-ü/*; echo; ./run.sh; stat -c '%a %u %n' . hello.txt run.sh ordner-ü
       echo more >>hello.txt && cat hello.txt`,
    );
    expect(lines).toEqual([
      'hello',
      'long',
      'ran in /app',
      '755 0 .',
      '644 0 hello.txt',
      '755 0 run.sh',
      '755 0 ordner-ü',
      'hellomore',
    ]);
    expect(end).toMatchObject({ code: 0 });
    // The next instance has the original files.
    expect((await runContainer(folder, 'cat hello.txt')).lines).toEqual(['hello']);
  });

  it('can be many and large', { timeout: 120_000 }, async () => {
    for (let at = 0; at < 20; at += 1) {
      await mkdir(path.join(folder, `folder-${at}`));
      await Promise.all(
        Array.from({ length: 150 }, (_, index) =>
          writeFile(path.join(folder, `folder-${at}/${index}.txt`), `${at} ${index}\n`),
        ),
      );
    }
    await put('large', Buffer.alloc(10_000_000, 'x'));
    const { lines, failure } = await runContainer(
      folder,
      'find . -type f | wc -l; wc -c <large; cat folder-19/149.txt',
    );
    expect(failure).toBe(undefined);
    expect(lines).toEqual(['3001', '10000000', '19 149']);
  });

  it('replace those of the image', async () => {
    const own = await imageAfter('echo image >/app/own; echo image >/app/both');
    await put('both', 'host\n');
    const { lines } = await runContainer(folder, 'cat own both', { image: own });
    expect(lines).toEqual(['image', 'host']);
  });

  it('are copied into volumes that the image declares', async () => {
    const volume = await imageAfter('mkdir -p /app/data', 'VOLUME ["/app", "/app/data"]');
    await put('one', 'one\n');
    await put('data/two', 'two\n');
    const { lines } = await runContainer(folder, 'cat one data/two', { image: volume });
    expect(lines).toEqual(['one', 'two']);
  });

  it.each([
    ['to a folder of the host', (canary: string) => canary],
    ['upwards, out of the container', (canary: string) => `../../../../../../../..${canary}`],
    ['through the root of a process', (canary: string) => `/proc/1/root${canary}`],
  ])('never follow a link of the image %s', async (_, target) => {
    const canary = await mkdtemp(path.join(tmpdir(), 'hostdeck-canary-'));
    onTestFinished(() => rm(canary, { recursive: true }));
    const hostile = await imageAfter(`rm -rf /app; ln -s '${target(canary)}' /app`);
    await put('one', 'one\n');
    const { lines, failure } = await runContainer(folder, 'cat one', { image: hostile });
    expect(await readdir(canary)).toEqual([]);
    expect({ lines, failure }).toEqual({ lines: ['one'], failure: undefined });
  });

  it('that cannot be copied leave no container, and the failure has the reason', async () => {
    await put('one', 'one\n');
    const altered = await AlteredEngine.open(engine.endpoint, ({ path: asked }) =>
      asked.includes('/archive?')
        ? { status: 500, body: { message: 'no space left on device' } }
        : undefined,
    );
    onTestFinished(() => altered.close());
    const { failure, lines } = await runContainer(folder, 'echo ran', { env: altered.environment });
    expect(failure).toBe("can't copy its files: no space left on device");
    expect(lines).toEqual([]);
    const copied = altered.asked.filter(({ path: asked }) => asked.includes('/archive?'));
    expect(copied.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
      expect.stringMatching(/^PUT \/containers\/[\da-f]+\/archive\?path=%2F$/),
    ]);
    const id = copied[0]?.path.split('/')[2];
    const left = await listContainers(engine, 'hostdeck.service=web');
    expect(left.filter(({ Id }) => Id === id)).toEqual([]);
  });
});
