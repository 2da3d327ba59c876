import { gzipSync } from 'node:zlib';
import type { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { LogStream } from '../../../source/client/stream/log-stream.ts';
import { type ConnectOptions, createClient } from '../../../source/client/client.ts';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import type { LogLine } from '../../../source/contract/logs.ts';
import { type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import {
  answering,
  frame,
  type HostileOptions,
  type Script,
  silence,
  stalling,
  startHostile,
  upgrading,
} from '../../servers/hostile.ts';
import { lineHandlers } from '../../servers/log-frames.ts';
import { waitFor } from '../../support/wait-for.ts';

interface Recording {
  readonly stream: LogStream;
  readonly lines: LogLine[];
  readonly others: string[];
  readonly events: string[];
  readonly opened: Promise<void>;
  readonly closed: Promise<ServiceError>;
  /** Closes the whole client. */
  disconnect(): Promise<void>;
}

function listen(options: ConnectOptions, id: string): Recording {
  const client = createClient(options);
  onTestFinished(() => client.close());
  const lines: LogLine[] = [];
  const others: string[] = [];
  const events: string[] = [];
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<ServiceError>();
  const stream = client.logs.stream(
    id,
    lineHandlers({
      onOpen() {
        events.push('open');
        opened.resolve();
      },
      onLine(line) {
        events.push('line');
        lines.push(line);
      },
      onOther(kind) {
        events.push('other');
        others.push(kind);
      },
      onClose(error) {
        events.push('close');
        closed.resolve(error);
      },
    }),
  );
  return {
    stream,
    lines,
    others,
    events,
    opened: opened.promise,
    closed: closed.promise,
    disconnect: () => client.close(),
  };
}

async function foreign(options: Partial<ForeignOptions> = {}) {
  const service = await startForeign(options);
  onTestFinished(() => service.close());
  return service;
}

async function hostile(script: Script, options?: HostileOptions) {
  const server = await startHostile(script, options);
  onTestFinished(() => server.close());
  return { baseUrl: server.baseUrl, token: 'secret-token-93c1', server };
}

describe('a log stream', () => {
  test('delivers every line in order, between messages of other kinds', async () => {
    const service = await foreign({ chatter: 'unreadable' });
    const recorded = listen(service, service.sample);
    await recorded.opened;
    for (let count = 0; count < 200; count += 1)
      service.append(service.sample, 'web', `line ${count}`);
    await expect.poll(() => recorded.lines.length).toBe(200);
    expect(recorded.lines.map(({ logLine }) => logLine)).toEqual(
      Array.from({ length: 200 }, (_, count) => `line ${count}`),
    );
    expect(new Set(recorded.others)).toEqual(
      new Set(['welcome', 'stats', 'keep-alive', 'not an object', 'not JSON']),
    );
    expect(recorded.lines[0]).toMatchObject({
      id: expect.any(Number),
      deploymentId: service.sample,
      serviceName: 'web',
      timestamp: expect.stringMatching(/Z$/),
      stream: 'stdout',
    });
  });

  test('opens before it delivers, and loses nothing sent with the upgrade', async () => {
    const first = Buffer.concat([
      frame('{"type":"log","id":1,"logLine":"a"}'),
      frame('{"type":"x"}'),
    ]);
    const place = await hostile(upgrading((socket) => socket.write(first)));
    const recorded = listen(place, 'a');
    await expect.poll(() => recorded.events).toEqual(['open', 'line', 'other']);
  });

  test('loses nothing of many small pieces when the connection ends behind them', async () => {
    const texts = Array.from({ length: 200 }, (_, count) => `line ${count}`);
    const place = await hostile(
      upgrading((socket) => {
        const [...rest] = texts;
        const send = (): void => {
          const text = rest.shift();
          if (text === undefined) socket.end();
          else socket.write(frame(`{"type":"log","logLine":"${text}"}`), () => setImmediate(send));
        };
        send();
      }),
    );
    const recorded = listen(place, 'a');
    await recorded.closed;
    expect(recorded.lines.map(({ logLine }) => logLine)).toEqual(texts);
  });

  test('connects below the path of the base URL with the deployment id', async () => {
    const { server, ...place } = await hostile(upgrading(() => {}));
    const recorded = listen({ ...place, baseUrl: `${place.baseUrl}/a/b` }, 'x&y');
    await recorded.opened;
    expect(server.heads[0]).toMatch(
      /^GET \/a\/b\/api\/v1\/deployments\/logs\/stream\?deploymentId=x%26y HTTP/,
    );
    expect(server.heads[0]?.toLowerCase()).not.toContain('permessage-deflate');
  });

  test.each(['header', 'subprotocol', 'query'] as const)(
    'shows its token in the %s',
    async (auth) => {
      const service = await foreign({ streamAuth: auth });
      const { baseUrl, token, sample } = service;
      const recorded = listen({ baseUrl, token, streamAuth: auth }, sample);
      await recorded.opened;
      service.append(sample, 'web', 'hello');
      await expect.poll(() => recorded.lines.length).toBe(1);
      const wrong = listen({ baseUrl, token: 'wrong-token', streamAuth: auth }, sample);
      expect(await wrong.closed).toMatchObject({
        code: 'unauthorized',
        status: 401,
        errorMessage: 'refused',
      });
      expect(wrong.events).toEqual(['close']);
    },
  );

  test('with a token that is not allowed in a subprotocol fails', async () => {
    const { baseUrl, sample } = await foreign({ streamAuth: 'subprotocol' });
    const token = 'a/b=c,d-secret';
    const error = await listen({ baseUrl, token, streamAuth: 'subprotocol' }, sample).closed;
    expect(error.code).toBe('local');
    expect(JSON.stringify(error)).not.toContain(token);
  });

  test('keeps the digits of large ids', async () => {
    const service = await foreign({ logIds: 'huge' });
    const recorded = listen(service, service.sample);
    await recorded.opened;
    const id = service.append(service.sample, 'web', 'hello');
    await expect.poll(() => recorded.lines[0]?.id).toBe(id);
  });

  test('survives a frame with invalid UTF-8', async () => {
    const line = Buffer.from('{"type":"log","id":1,"logLine":"a?b"}');
    line[line.indexOf('?')] = 0xff;
    const place = await hostile(upgrading((socket) => socket.write(frame(line))));
    const recorded = listen(place, 'a');
    await expect.poll(() => recorded.lines[0]?.logLine).toBe('a\uFFFDb');
  });

  test('applies back pressure while it is paused, and then continues', async () => {
    const accepted = Promise.withResolvers<Socket>();
    const place = await hostile(upgrading((socket) => accepted.resolve(socket)));
    const recorded = listen(place, 'a');
    await recorded.opened;
    recorded.stream.pause();
    const peer = await accepted.promise;
    const text = 'x'.repeat(60_000);
    let sent = 0;
    // Write until the kernel buffers are full, which is the back pressure.
    for (let full = false; !full && sent < 2_000; full = peer.writableNeedDrain) {
      peer.write(frame(JSON.stringify({ type: 'log', id: sent, logLine: text })));
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(sent).toBeLessThan(2_000);
    const before = recorded.lines.length;
    recorded.stream.resume();
    await expect.poll(() => recorded.lines.length).toBe(sent);
    expect(before).toBeLessThan(sent);
    expect(recorded.lines.map(({ id }) => id)).toEqual(Array.from({ length: sent }, (_, id) => id));
  });

  test('yields to the event loop during a flood, and loses no line', async () => {
    const foreign = await startForeign();
    onTestFinished(() => foreign.close());
    const recorded = listen({ ...foreign, limits: { streamReadBudget: 0 } }, foreign.sample);
    await recorded.opened;
    const before: number[] = [];
    let watching = true;
    const watch = (): void => {
      before.push(recorded.lines.length);
      if (watching) setImmediate(watch);
    };
    watch();
    const text = 'x'.repeat(1000);
    const sent = 4000;
    for (let line = 0; line < sent; line += 1) {
      foreign.append(foreign.sample, 'web', `${line} ${text}`);
    }
    await waitFor(() => expect(recorded.lines).toHaveLength(sent));
    watching = false;
    expect(recorded.lines.map(({ logLine }) => Number.parseInt(logLine, 10))).toEqual(
      Array.from({ length: sent }, (_, line) => line),
    );
    const steps = before.map((count, turn) => count - (before[turn - 1] ?? 0));
    // A read of the socket returns at most 256 KiB.
    expect(Math.max(...steps)).toBeLessThan(260);
  });

  test('reads lines in binary messages, and says what else is unreadable', async () => {
    const line = (logLine: string): string => JSON.stringify({ type: 'log', logLine });
    const cut = Buffer.from(line('fragmented'));
    const invalid = Buffer.from(line('caf?'));
    invalid[invalid.indexOf('?')] = 0xe9;
    const frames = [
      frame(line('plain'), 2),
      Buffer.concat([Buffer.from([0x02, 9]), cut.subarray(0, 9)]),
      frame(cut.subarray(9), 0),
      frame(`[${line('first')}, ${line('second')}]`, 2),
      frame(invalid, 2),
      frame(line('x'.repeat(60_000)), 2),
      frame('', 2),
      frame('{"type":"stats"}', 2),
      frame('{"type":"log","logLine":"\0"}', 2),
      frame(gzipSync(line('compressed')), 2),
      frame(line('last')),
    ];
    const place = await hostile(upgrading((socket) => socket.write(Buffer.concat(frames))));
    const recorded = listen(place, 'a');
    await expect.poll(() => recorded.lines.at(-1)?.logLine).toBe('last');
    const texts = [
      'plain',
      'fragmented',
      'first',
      'second',
      'caf\ufffd',
      'x'.repeat(60_000),
      'last',
    ];
    expect(recorded.lines.map(({ logLine }) => logLine)).toEqual(texts);
    expect(recorded.others).toEqual(['keep-alive', 'stats', 'not JSON', 'not JSON']);
  });

  test('can be paused before it is open', async () => {
    const place = await hostile(upgrading((socket) => socket.write(frame('{"type":"x"}'))));
    const recorded = listen(place, 'a');
    recorded.stream.pause();
    await recorded.opened;
    recorded.stream.resume();
    await expect.poll(() => recorded.others).toEqual(['x']);
  });

  test('closed by the client emits no event', async () => {
    const service = await foreign();
    const recorded = listen(service, service.sample);
    await recorded.opened;
    recorded.stream.close();
    await expect.poll(() => service.streams()).toBe(0);
    expect(recorded.events.filter((event) => event === 'close')).toEqual([]);
  });

  test('closed before it opens emits no event', async () => {
    const { baseUrl, token, server } = await hostile(silence);
    const recorded = listen({ baseUrl, token }, 'a');
    await expect.poll(() => server.heads.length).toBe(1);
    recorded.stream.close();
    const after = listen({ baseUrl, token, limits: { connectTimeout: 50 } }, 'a');
    await after.closed;
    expect(recorded.events).toEqual([]);
  });

  test('ends as aborted when the client is closed', async () => {
    const service = await foreign();
    const recorded = listen(service, service.sample);
    await recorded.opened;
    await recorded.disconnect();
    expect(await recorded.closed).toMatchObject({ code: 'aborted', operation: 'stream logs' });
  });
});

describe('a log stream that breaks', () => {
  test('when the network is cut says so, once', async () => {
    const service = await foreign();
    const recorded = listen(service, service.sample);
    await recorded.opened;
    service.cutStreams();
    expect(await recorded.closed).toMatchObject({ code: 'disconnected', unknownOutcome: false });
    expect(recorded.events.filter((event) => event === 'close')).toHaveLength(1);
  });

  test('by a close of the service carries its reason', async () => {
    const reason = Buffer.concat([Buffer.from([0x03, 0xe9]), Buffer.from('restarting')]);
    const place = await hostile(upgrading((socket) => socket.write(frame(reason, 8))));
    expect(await listen(place, 'a').closed).toMatchObject({
      code: 'disconnected',
      errorMessage: 'restarting',
      sentence: expect.stringContaining('(1001)'),
    });
  });

  test('by completion of the service is ended, with its reason', async () => {
    const reason = Buffer.concat([Buffer.from([0x03, 0xe8]), Buffer.from('closed')]);
    const place = await hostile(upgrading((socket) => socket.write(frame(reason, 8))));
    expect(await listen(place, 'a').closed).toMatchObject({
      code: 'ended',
      errorMessage: 'closed',
      sentence: expect.stringContaining('is complete'),
    });
  });

  test.each([
    [3000, 'unauthorized'],
    [4401, 'unauthorized'],
    [3003, 'forbidden'],
    [4403, 'forbidden'],
    [4404, 'not-found'],
    [4429, 'rate-limited'],
    [1008, 'disconnected'],
  ])('with close code %i is %s', async (code, expected) => {
    const close = frame(Buffer.from([code >> 8, code & 0xff]), 8);
    const place = await hostile(upgrading((socket) => socket.write(close)));
    expect((await listen(place, 'a').closed).code).toBe(expected);
  });

  test('by a closed port is refused', async () => {
    const server = await startHostile(silence);
    await server.close();
    const error = await listen({ baseUrl: server.baseUrl, token: 'token' }, 'a').closed;
    expect(error.code).toBe('refused');
  });

  test('by an untrusted certificate is a tls error', async () => {
    const place = await hostile(silence, { tls: true });
    expect((await listen(place, 'a').closed).code).toBe('tls');
    expect(place.server.heads).toEqual([]);
  });

  test('by a missing upgrade is a timeout', async () => {
    const place = await hostile(stalling('HTTP/1.1 101 Switching'));
    const error = await listen({ ...place, limits: { connectTimeout: 50 } }, 'a').closed;
    expect(error.code).toBe('timeout');
  });

  test.each([
    [403, 'forbidden'],
    [404, 'not-found'],
    [429, 'rate-limited'],
    [503, 'service-error'],
    [200, 'unreadable'],
  ])('because the upgrade is answered with %i is %s', async (status, code) => {
    const place = await hostile(answering(status, '{"message":"because"}'));
    const error = await listen(place, 'a').closed;
    expect(error).toMatchObject({ code, status });
    if (status >= 400) expect(error.errorMessage).toBe('because');
  });

  test('by a redirect to another host does not send the token', async () => {
    const other = await hostile(silence);
    const place = await hostile(answering(302, '', { location: other.baseUrl }));
    expect((await listen(place, 'a').closed).code).toBe('redirected');
    expect(other.server.heads).toEqual([]);
  });

  test('by a refusal in a content coding has its message', async () => {
    const body = gzipSync('{"message":"because"}');
    const place = await hostile(answering(403, body, { 'content-encoding': 'gzip' }));
    expect((await listen(place, 'a').closed).errorMessage).toBe('because');
  });

  test('by a refusal with long headers says so', async () => {
    const place = await hostile(answering(403, '', { 'set-cookie': 'c'.repeat(17_000) }));
    expect((await listen(place, 'a').closed).sentence).toBe(
      'The headers of the answer to stream logs are larger than 16 KiB.',
    );
  });

  test('by a refusal with an endless body is classified by its status', async () => {
    const beginning = 'HTTP/1.1 403 No\r\ncontent-length: 99\r\n\r\nbecause';
    const place = await hostile(stalling(beginning));
    const error = await listen({ ...place, limits: { connectTimeout: 100 } }, 'a').closed;
    expect(error).toMatchObject({ code: 'forbidden', errorMessage: 'because' });
  });

  test.each([
    ['a frame that is too large', frame('x'.repeat(2000)), 'oversized-answer'],
    ['bytes that are no frame', Buffer.from([0xff, 0xff, 0xff, 0xff]), 'disconnected'],
  ])('by %s is %s', async (_, bytes, code) => {
    const place = await hostile(upgrading((socket) => socket.write(bytes)));
    const recorded = listen({ ...place, limits: { maxFrame: 1024 } }, 'a');
    expect((await recorded.closed).code).toBe(code);
    expect(recorded.lines).toEqual([]);
  });

  test('by a wrong handshake is disconnected', async () => {
    const head =
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n';
    const place = await hostile(stalling(`${head}sec-websocket-accept: wrong\r\n\r\n`));
    expect((await listen(place, 'a').closed).code).toBe('disconnected');
  });
});

describe('the heartbeat of a log stream', () => {
  const limits = { streamSilence: 60, pongTimeout: 60 };

  test('closes a stream that stops answering', async () => {
    const place = await hostile(upgrading(() => {}));
    const recorded = listen({ ...place, limits }, 'a');
    expect(await recorded.closed).toMatchObject({
      code: 'timeout',
      sentence: expect.stringContaining('no data for 0.06 s'),
    });
  });

  test('keeps a silent stream whose peer answers pings', async () => {
    const service = await foreign({ chatter: 'none' });
    const { baseUrl, token, sample } = service;
    const patient = { streamSilence: 60, pongTimeout: 5_000 };
    const recorded = listen({ baseUrl, token, limits: patient }, sample);
    await recorded.opened;
    // A second stream that times out proves that more than one round has passed.
    const mute = await hostile(upgrading(() => {}));
    for (let round = 0; round < 3; round += 1) await listen({ ...mute, limits }, 'a').closed;
    expect(recorded.events).toEqual(['open']);
  });

  test('counts any byte as activity, also of an incomplete frame', async () => {
    // Sent over some 900 ms, longer than both timeouts together.
    const long = frame(JSON.stringify({ type: 'log', id: 1, logLine: 'x'.repeat(100) }));
    const place = await hostile(
      upgrading((socket) => {
        let at = 0;
        const timer = setInterval(() => {
          if (socket.destroyed || at >= long.length) return clearInterval(timer);
          socket.write(long.subarray(at, at + 10));
          at += 10;
        }, 60);
      }),
    );
    const recorded = listen({ ...place, limits: { streamSilence: 400, pongTimeout: 400 } }, 'a');
    await expect.poll(() => recorded.lines.length).toBe(1);
    expect(recorded.events).toEqual(['open', 'line']);
  });
});
