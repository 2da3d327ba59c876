import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { json as readJson, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { EngineClient } from '../../../source/host/engine/engine-client.ts';
import { engineReason, engineStatus } from '../../../source/host/engine/engine-error.ts';
import { type SelfSigned, selfSigned } from '../../servers/self-signed.ts';
import { type Arrived, fakeEngine, json } from './fake-engine.ts';

/** Resolves with the result of a call to an engine with this answer. */
async function called(onRequest: (arrived: Arrived) => void, silenceMs?: number) {
  const client = await (await fakeEngine(onRequest)).connect();
  return await client.request('GET', '/containers/x/json', { silenceMs }).then(
    (value) => ({ value }),
    (error: unknown) => ({ status: engineStatus(error), reason: engineReason(error) }),
  );
}

const unreachable = { status: undefined, reason: 'the container engine does not answer' };
const timedOut = { status: undefined, reason: 'the container engine did not answer in time' };

const withBuffers = ({ cert, key }: SelfSigned) => ({
  cert: Buffer.from(cert),
  key: Buffer.from(key),
});

describe('the version of the API', () => {
  it.each([
    ['an older engine is its own', '1.41', '/v1.41'],
    ['a newer engine is ours', '1.99', '/v1.55'],
    ['the next major engine is ours', '2.0', '/v1.55'],
    ['an engine that names another thing is left out', 'latest/../..', ''],
  ])('of %s', async (_, named, prefix) => {
    const engine = await fakeEngine((arrived) => json(arrived, 200, {}), { 'Api-Version': named });
    const client = await engine.connect();
    await client.request('GET', '/containers/json', { query: { all: '1' } });
    await client.request('GET', '/v4.0.0/libpod/info');
    expect(engine.requests).toEqual([
      `GET ${prefix}/containers/json?all=1`,
      'GET /v4.0.0/libpod/info',
    ]);
  });

  it('is omitted for an engine without one', async () => {
    const engine = await fakeEngine((arrived) => json(arrived, 200, {}), {});
    await (await engine.connect()).request('GET', '/info');
    expect(engine.requests).toEqual(['GET /info']);
  });
});

describe('an answer', () => {
  it('is parsed as JSON, and undefined without a body', async () => {
    expect(await called((arrived) => json(arrived, 200, { Id: 'x' }))).toEqual({
      value: { Id: 'x' },
    });
    expect(await called(({ response }) => response?.writeHead(204).end())).toEqual({});
    expect(await called(({ response }) => response?.end('\n'))).toEqual({});
  });

  it('that ends with its connection, as in HTTP/1.0, is complete', async () => {
    expect(await called(({ socket }) => socket.end('HTTP/1.0 200 OK\r\n\r\n{"a":1}'))).toEqual({
      value: { a: 1 },
    });
  });

  it.each([304, 404, 409, 500])(
    'of status %d rejects with its status and message',
    async (status) => {
      const answer = await called((arrived) => json(arrived, status, { message: 'because' }));
      // A 304 has no body.
      const reason = status === 304 ? 'the container engine answered with status 304' : 'because';
      expect(answer).toEqual({ status, reason });
    },
  );

  it('of Podman rejects with its status and message', async () => {
    const body = { cause: 'exists', message: 'name in use: exists', response: 409 };
    expect(await called((arrived) => json(arrived, 409, body))).toEqual({
      status: 409,
      reason: 'name in use: exists',
    });
  });

  it('that redirects is an error', async () => {
    expect(
      await called(({ response }) => response?.writeHead(301, { location: '/info' }).end()),
    ).toMatchObject({ status: 301 });
  });

  it.each([
    ['text', 'OK'],
    ['a page', '<html></html>'],
    ['bytes', '\u0000\u00ff'],
    ['half of its JSON', '{"Id":"x'],
  ])('that is %s is an error: not JSON', async (_, body) => {
    expect(await called(({ response }) => response?.end(body))).toEqual({
      status: undefined,
      reason: "the container engine's answer is not JSON",
    });
  });

  it.each([
    ['in the middle', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"Id":'],
    ['in a chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n50\r\n{"Id":'],
    ['in its head', 'HTTP/1.1 200 O'],
    ['before it begins', ''],
  ])('that breaks off %s is an error', async (_, bytes) => {
    expect(await called(({ socket }) => socket.end(bytes))).toEqual(unreachable);
  });

  it('that is not HTTP is an error', async () => {
    expect(await called(({ socket }) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))).toEqual({
      status: undefined,
      reason: "the container engine's answer is not HTTP",
    });
  });

  it('that does not arrive times out', async () => {
    const ended = Promise.withResolvers<void>();
    expect(await called(({ socket }) => void socket.once('close', ended.resolve), 50)).toEqual(
      timedOut,
    );
    await ended.promise;
  });

  it('that stops, or trickles endlessly, times out', async () => {
    expect(await called(({ response }) => void response?.write('{'), 50)).toEqual(timedOut);
    const ended = Promise.withResolvers<void>();
    const dripping = called(({ response, socket }) => {
      const timer = setInterval(() => response?.write(' '), 10);
      socket.once('close', () => {
        clearInterval(timer);
        ended.resolve();
      });
    }, 200);
    expect(await dripping).toEqual(timedOut);
    await ended.promise;
  });

  it.each([200, 500])('of status %d with hundreds of MB is not read to the end', async (status) => {
    let written = 0;
    const ended = Promise.withResolvers<void>();
    const piece = Buffer.alloc(2 ** 20, ' ');
    const answer = await called(({ response, socket }) => {
      response?.writeHead(status);
      const write = () => {
        while (written < 300 && response?.write(piece) === true) written += 1;
        written += 1;
      };
      response?.on('drain', write);
      socket.once('close', ended.resolve);
      write();
    });
    await ended.promise;
    expect(answer).toMatchObject(
      status === 200 ? { reason: expect.stringContaining('exceeds 16 MiB') } : { status },
    );
    expect(written).toBeLessThan(40);
  });
});

describe('a call', () => {
  it('sends a body of any length', async () => {
    const bodies: unknown[] = [];
    let head = 0;
    const engine = await fakeEngine((arrived) => {
      head = arrived.request.rawHeaders.join('').length + (arrived.request.url?.length ?? 0);
      void (async () => {
        bodies.push(await readJson(arrived.request));
        json(arrived, 201, { Id: 'x' });
      })();
    });
    const client = await engine.connect();
    const spec = { Env: ['A='.padEnd(200_000, 'x')] };
    await client.request('POST', '/containers/create', { json: spec });
    expect(bodies).toEqual([spec]);
    expect(head).toBeLessThan(1000);
  });

  it('ends when it is aborted, even in the middle of the answer', async () => {
    const begun = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const engine = await fakeEngine(({ response, socket }) => {
      response?.write('one');
      socket.once('close', ended.resolve);
      begun.resolve();
    });
    const client = await engine.connect();
    const controller = new AbortController();
    const body = await client.stream('GET', '/events', { signal: controller.signal });
    const read = text(body);
    await begun.promise;
    controller.abort(new Error('aborted'));
    await expect(read).rejects.toThrow('aborted');
    await ended.promise;
    await expect(client.request('GET', '/info', { signal: controller.signal })).rejects.toThrow(
      'aborted',
    );
  });

  it('applies backpressure while its answer is not read', async () => {
    let written = 0;
    const piece = Buffer.alloc(2 ** 16);
    const engine = await fakeEngine((arrived) => {
      const { request, response } = arrived;
      if (request.url !== '/v1.41/events') {
        json(arrived, 200, {});
        return;
      }
      const write = () => {
        for (let hasRoom = true; hasRoom && written < 2 ** 12; written += 1) {
          hasRoom = response?.write(piece) === true;
        }
      };
      response?.on('drain', write);
      write();
    });
    const client = await engine.connect();
    const body = await client.stream('GET', '/events');
    for (let turn = 0; turn < 50; turn += 1) await client.request('GET', '/info');
    expect(body.readableLength).toBeLessThan(2 ** 20);
    expect(written).toBeLessThan(2 ** 8);
    const closed = once(body, 'close');
    body.destroy();
    await closed;
  });

  it('fails without an engine', async () => {
    const nowhere = { address: 'unix:///nowhere.sock', socketPath: '/nowhere.sock' };
    await expect(EngineClient.connect(nowhere)).rejects.toThrow('ENOENT');
  });

  it('over TLS sends the client certificate', async () => {
    const [own, theirs] = [selfSigned(), selfSigned()];
    const server = createServer({ ...theirs, ca: own.cert, requestCert: true }, (_, response) => {
      response.end('OK');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const place = { address: 'tcp://localhost', origin: `https://127.0.0.1:${port}` };
    const certificates = { ca: Buffer.from(theirs.cert), ...withBuffers(own) };
    const client = await EngineClient.connect({ ...place, certificates });
    await client.command('GET', '/info');
    await expect(EngineClient.connect(place)).rejects.toThrow('self-signed certificate');
    const stranger = { ca: certificates.ca, ...withBuffers(selfSigned()) };
    await expect(EngineClient.connect({ ...place, certificates: stranger })).rejects.toThrow();
  });
});

describe('an archive', () => {
  const pieces = async function* (count: number) {
    for (let at = 0; at < count; at += 1) yield Buffer.alloc(2 ** 16);
  };

  it('arrives complete', async () => {
    let bytes = 0;
    const engine = await fakeEngine(({ request, response }) => {
      request.on('data', (chunk: Buffer) => (bytes += chunk.length));
      request.on('end', () => response?.end());
    });
    const client = await engine.connect();
    await client.command('PUT', '/containers/x/archive', { archive: pieces(100) });
    expect(bytes).toBe(100 * 2 ** 16);
  });

  it('that the engine refuses early is not sent on, and rejects with the reason', async () => {
    const engine = await fakeEngine((arrived) => {
      json(arrived, 404, { message: 'no such container' });
    });
    const client = await engine.connect();
    let sent = 0;
    const archive = (async function* () {
      for await (const piece of pieces(10_000)) {
        sent += 1;
        yield piece;
      }
    })();
    const copied = client.command('PUT', '/containers/x/archive', { archive });
    await expect(copied).rejects.toMatchObject({ status: 404, message: 'no such container' });
    expect(sent).toBeLessThan(1000);
  });

  it('that the engine stops reading times out', async () => {
    const engine = await fakeEngine(() => undefined);
    const client = await engine.connect();
    const call = { archive: pieces(10_000), silenceMs: 200, totalMs: 10_000 };
    const reason = await client.command('PUT', '/x', call).catch(engineReason);
    expect(reason).toBe(timedOut.reason);
  });

  it('that fails midway is not sent as a complete one', async () => {
    let isWhole = false;
    const ended = Promise.withResolvers<void>();
    const engine = await fakeEngine(({ request, socket }) => {
      request.resume().on('end', () => (isWhole = true));
      request.on('error', () => undefined);
      socket.once('close', ended.resolve);
    });
    const client = await engine.connect();
    const archive = (async function* () {
      yield Buffer.alloc(1000);
      throw new Error('a file is gone');
    })();
    await expect(client.command('PUT', '/x', { archive })).rejects.toThrow('a file is gone');
    await ended.promise;
    expect(isWhole).toBe(false);
  });

  it('rejects when the engine goes away', async () => {
    const engine = await fakeEngine(({ request, socket }) => {
      request.once('data', () => socket.destroy());
    });
    const client = await engine.connect();
    const reason = await client
      .command('PUT', '/x', { archive: pieces(10_000) })
      .catch(engineReason);
    expect(reason).toBe(unreachable.reason);
    await waitFor(() => expect(engine.requests).toHaveLength(1));
  });
});
