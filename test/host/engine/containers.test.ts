import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as containers from '../../../source/host/engine/containers.ts';
import { engineReason, engineStatus } from '../../../source/host/engine/engine-error.ts';
import { listNetworks, removeNetwork } from '../../../source/host/engine/networks.ts';
import { type Arrived, fakeEngine, json } from './fake-engine.ts';

const clientOf = async (onRequest: (arrived: Arrived) => void) =>
  await (await fakeEngine(onRequest)).connect();

/** Answers every request with the same body. */
const always = (body: unknown) => (arrived: Arrived) => json(arrived, 200, body);

const rawStream = 'Content-Type: application/vnd.docker.raw-stream\r\n';

describe('an attach to a container', () => {
  it.each([
    [
      'upgrades the connection',
      `HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n${rawStream}\r\none`,
    ],
    ['answers until its connection ends', `HTTP/1.1 200 OK\r\n${rawStream}\r\none`],
    ['answers in HTTP/1.0', `HTTP/1.0 200 OK\r\n${rawStream}\r\none`],
  ])('yields all bytes of an engine that %s', async (_, head) => {
    const client = await clientOf(({ request, socket }) => {
      expect(request.url).toBe('/v1.41/containers/x/attach?stream=1&stdout=1&stderr=1');
      socket.write(head);
      setImmediate(() => socket.end(' two'));
    });
    expect(await text(await containers.attachContainer(client, 'x'))).toBe('one two');
  });

  it('yields all bytes of an engine that answers in chunks', async () => {
    const client = await clientOf(({ socket }) => {
      socket.write(`HTTP/1.1 200 OK\r\n${rawStream}Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n`);
      setImmediate(() => socket.end('4\r\n two\r\n0\r\n\r\n'));
    });
    expect(await text(await containers.attachContainer(client, 'x'))).toBe('one two');
  });

  it('fails with the status of a missing container', async () => {
    const body = '{"cause":"no such container","message":"no container x","response":404}';
    const client = await clientOf(({ socket }) =>
      socket.end(`HTTP/1.1 404 Not Found\r\nContent-Length: ${body.length}\r\n\r\n${body}`),
    );
    await expect(containers.attachContainer(client, 'x')).rejects.toMatchObject({
      status: 404,
      message: 'no container x',
    });
  });

  it('survives a broken stream, even without a reader', async () => {
    for (const status of ['101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp', '200 OK']) {
      const reset = Promise.withResolvers<() => void>();
      const client = await clientOf(({ request, socket }) => {
        socket.write(`HTTP/1.1 ${status}\r\n${rawStream}\r\none`);
        reset.resolve(() => request.socket.destroy());
      });
      const output = await containers.attachContainer(client, 'x');
      const closed = once(output, 'close');
      output.resume();
      (await reset.promise)();
      await closed;
    }
  });
});

describe('the wait for the end of a container', () => {
  it.each([
    ['answers at its end', (arrived: Arrived) => json(arrived, 200, { StatusCode: 0 })],
    ['is not told of it', (arrived: Arrived) => json(arrived, 404, { message: 'gone' })],
    ['goes away', ({ socket }: Arrived) => socket.destroy()],
    [
      'goes away in the middle of its answer',
      ({ request, response }: Arrived) => {
        response?.flushHeaders();
        setImmediate(() => request.socket.destroy());
      },
    ],
  ])('resolves when the engine %s', async (_, onRequest) => {
    const client = await clientOf(onRequest);
    expect(await containers.waitForEnd(client, 'x', 'next-exit')).toBe(true);
  });
});

describe('a silent engine', () => {
  it('makes a wait resolve with false after a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const waited = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const client = await clientOf(({ response, socket }) => {
      response?.flushHeaders();
      socket.once('close', ended.resolve);
      waited.resolve();
    });
    const waiting = containers.waitForEnd(client, 'x', 'not-running');
    await waited.promise;
    vi.advanceTimersByTime(60_000);
    expect(await waiting).toBe(false);
    await ended.promise;
  });
});

describe('an invalid answer', () => {
  const invalid: readonly unknown[] = [null, 3, 'x', [], {}, [null, 1, []], { Id: 4, State: [] }];

  it.each(invalid)('%j is an error', async (body) => {
    const client = await clientOf(always(body));
    const config = { Image: 'x', Labels: {}, Env: [], ExposedPorts: {}, HostConfig: {} };
    await expect(containers.createContainer(client, 'x', config)).rejects.toThrow(
      "the container engine's answer to ContainerCreate is not valid",
    );
    await expect(containers.inspectContainer(client, 'x')).rejects.toThrow(
      "the container engine's answer to ContainerInspect is not valid",
    );
    expect(await containers.listContainers(client, 'x=y')).toEqual([]);
    expect(await listNetworks(client, 'x=y')).toEqual([]);
  });

  it('is dropped from a list', async () => {
    const labels = { 'hostdeck.run': 'r', other: null };
    const client = await clientOf(
      always([
        { Id: 'a', Labels: null },
        { Id: 'b', Labels: labels },
      ]),
    );
    expect(await containers.listContainers(client, 'x=y')).toEqual([
      { Id: 'a', Labels: {}, State: 'undefined' },
      { Id: 'b', Labels: { 'hostdeck.run': 'r' }, State: 'undefined' },
    ]);
  });
});

describe('a new container', () => {
  it('has few warnings, each of them short', async () => {
    const Warnings = [null, ...Array.from({ length: 50 }, () => 'no\n'.repeat(1000))];
    const client = await clientOf(always({ Id: 'x', Warnings }));
    const config = { Image: 'x', Labels: {}, Env: [], ExposedPorts: {}, HostConfig: {} };
    const { id, warnings } = await containers.createContainer(client, 'x', config);
    expect(id).toBe('x');
    expect(warnings).toHaveLength(5);
    expect(warnings.join('').length).toBeLessThan(2000);
  });

  it('is encoded in a path, for any id', async () => {
    const engine = await fakeEngine((arrived) => json(arrived, 409, { message: 'in use' }));
    const client = await engine.connect();
    const status = (call: Promise<unknown>) => call.catch(engineStatus);
    expect(await status(containers.removeContainer(client, '../networks/x?force'))).toBe(409);
    expect(await status(removeNetwork(client, 'a/b'))).toBe(409);
    expect(await containers.stopContainer(client, 'x', 1500).catch(engineReason)).toBe('in use');
    expect(engine.requests).toEqual([
      'DELETE /v1.41/containers/..%2Fnetworks%2Fx%3Fforce?force=1&v=1',
      'DELETE /v1.41/networks/a%2Fb',
      'POST /v1.41/containers/x/stop?t=2',
    ]);
  });
});
