import { describe, expect, it } from 'vitest';
import type { CreateImageInfo } from '../../../source/host/engine/engine-api.ts';
import { inspectImage, pullImage } from '../../../source/host/engine/images.ts';
import { type Arrived, fakeEngine, json } from './fake-engine.ts';

const { signal } = new AbortController();

/** Resolves with the steps of a pull, and with the error when it failed. */
async function pulled(onRequest: (arrived: Arrived) => void) {
  const client = await (await fakeEngine(onRequest)).connect();
  const steps: CreateImageInfo[] = [];
  try {
    for await (const step of pullImage(client, 'r.example/a:1', { signal })) steps.push(step);
  } catch (error) {
    return { steps, error };
  }
  return { steps };
}

const none = {
  id: undefined,
  status: undefined,
  error: undefined,
  errorDetail: { message: undefined },
  progressDetail: { current: undefined, total: undefined },
};

describe('a pull', () => {
  it('yields each step for chunks of any size, and errors of older and newer engines', async () => {
    const lines = [
      '{"status":"Downloading","id":"a","progressDetail":{"current":1,"total":2}}\r\n',
      '{"errorDetail":{"message":"denied"},"error":"denied"}\r\n',
      '{"errorDetail":{"message":"unknown"}}',
    ].join('');
    const { steps } = await pulled(({ response }) => {
      response?.write(lines.slice(0, 50));
      setImmediate(() => response?.end(lines.slice(50)));
    });
    const layer = { id: 'a', status: 'Downloading', progressDetail: { current: 1, total: 2 } };
    expect(steps).toEqual([
      { ...none, ...layer },
      { ...none, error: 'denied', errorDetail: { message: 'denied' } },
      { ...none, errorDetail: { message: 'unknown' } },
    ]);
  });

  it('ignores invalid lines and fields', async () => {
    const { steps, error } = await pulled(({ response }) =>
      response?.end('<html>\nnull\n7\n[]\n{"error":7,"id":{},"progressDetail":"x"}\n'),
    );
    expect(error).toBe(undefined);
    expect(steps.every((step) => JSON.stringify(step) === JSON.stringify(none))).toBe(true);
  });

  it('fails when it is refused or breaks off', async () => {
    const refused = await pulled((arrived) => json(arrived, 404, { message: 'no such image' }));
    expect(refused).toMatchObject({ steps: [], error: { status: 404, message: 'no such image' } });
    const broken = await pulled(({ request, response }) => {
      response?.write('{"status":"Pulling"}\n');
      setImmediate(() => request.socket.destroy());
    });
    expect(broken).toMatchObject({ steps: [{ status: 'Pulling' }], error: { code: /./ } });
  });

  it('fails when its progress is endless', async () => {
    const line = `${JSON.stringify({ status: 'x'.repeat(60_000) })}\n`;
    const { error } = await pulled(({ response }) => {
      const write = () => {
        while (response?.write(line) === true);
      };
      response?.on('drain', write);
      write();
    });
    expect(error).toMatchObject({ message: 'the progress of the pull exceeds 64 MiB' });
  });

  it('sends a login in its header only', async () => {
    let header: unknown;
    const engine = await fakeEngine(({ request, response }) => {
      header = request.headers['x-registry-auth'];
      response?.end();
    });
    const auth = { serveraddress: 'r.example', username: 'me', password: 'sé>cret?' };
    const steps = pullImage(await engine.connect(), 'r.example/a@sha256:00', { auth, signal });
    for await (const _ of steps) expect(_).toBe(undefined);
    expect(JSON.parse(Buffer.from(String(header), 'base64url').toString())).toEqual(auth);
    expect(String(header)).toMatch(/^[\w-]+$/);
    expect(engine.requests).toEqual([
      'POST /v1.41/images/create?fromImage=r.example%2Fa%40sha256%3A00',
    ]);
  });
});

describe('the name of an image', () => {
  it('is a path below the images', async () => {
    const engine = await fakeEngine((arrived) => json(arrived, 200, {}));
    await inspectImage(await engine.connect(), 'localhost:5000/a b/c:1');
    expect(engine.requests).toEqual(['GET /v1.41/images/localhost%3A5000/a%20b/c%3A1/json']);
  });

  it.each(['../containers/x', 'a/./b', '', 'a//b'])('is not %j', async (image) => {
    const engine = await fakeEngine((arrived) => json(arrived, 200, {}));
    await expect(inspectImage(await engine.connect(), image)).rejects.toMatchObject({
      status: 400,
    });
    expect(engine.requests).toEqual([]);
  });
});
