import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { build } from 'esbuild';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { frameHeadroom, readFramesDirectly } from '../../../source/client/stream/frame-reader.ts';
import { startHostile, upgrading } from '../../servers/hostile.ts';
import { ScriptedConnection } from './scripted-connection.ts';
import { cutBytes } from './cut-bytes.ts';

/** Bytes of the largest message that is accepted here. */
const maxFrame = 70_000;

interface FrameShape {
  readonly final?: boolean;
  readonly reserved?: number;
  readonly opcode?: number;
  readonly payload?: Buffer;
  readonly isMasked?: boolean;
  /** Bytes of the length field: 0, 2 or 8; the shortest that fits where it is not given. */
  readonly lengthBytes?: 0 | 2 | 8;
  /** Length in the header, where it is not the payload's. */
  readonly length?: bigint;
}

/** Builds a frame (RFC 6455, 5.2), also one that no server may send. */
function frame({
  final = true,
  reserved = 0,
  opcode = 1,
  payload = Buffer.alloc(0),
  isMasked = false,
  length = BigInt(payload.length),
  lengthBytes = length < 126n ? 0 : length < 65_536n ? 2 : 8,
}: FrameShape): Buffer {
  const header = Buffer.alloc(2 + lengthBytes);
  header[0] = (final ? 0x80 : 0) | (reserved << 4) | opcode;
  const short = lengthBytes === 0 ? Number(length) : lengthBytes === 2 ? 126 : 127;
  header[1] = (isMasked ? 0x80 : 0) | short;
  if (lengthBytes === 2) header.writeUInt16BE(Number(length), 2);
  if (lengthBytes === 8) header.writeBigUInt64BE(length, 2);
  if (!isMasked) return Buffer.concat([header, payload]);
  const mask = Buffer.of(1, 2, 3, 4);
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] ?? 0));
  return Buffer.concat([header, mask, masked]);
}

const text = (payload: string | Buffer, more: FrameShape = {}): Buffer =>
  frame({ ...more, payload: Buffer.from(payload) });
const ping = (payload = '?'): Buffer => text(payload, { opcode: 9 });
const close = (code: number, reason = ''): Buffer =>
  text(Buffer.concat([Buffer.of(code >> 8, code & 255), Buffer.from(reason)]), { opcode: 8 });

interface Reading {
  /** Events of the WebSocket and direct text messages, in order. */
  readonly events: readonly (readonly unknown[])[];
  /** Frames that the client sent. */
  readonly sent: readonly string[];
  readonly isDirect: boolean;
}

/**
 * Reads chunks of a server's bytes.
 * @param rooms writable bytes before each chunk, in turn, where it is read into shared memory;
 * undefined reads with `ws` alone.
 */
async function readChunks(
  chunks: readonly Buffer[],
  rooms: readonly number[] | undefined,
  Socket = WebSocket,
): Promise<Reading> {
  const connection = new ScriptedConnection();
  const events: (readonly unknown[])[] = [];
  const webSocket = new Socket('ws://service/', {
    perMessageDeflate: false,
    skipUTF8Validation: true,
    maxPayload: maxFrame,
    createConnection: () => connection,
  });
  let take: ((chunk: NonSharedBuffer, room: number) => void) | undefined;
  let isDirect = false;
  const opened = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const addText = (payload: Buffer): void => void events.push(['text', payload.toString('latin1')]);
  webSocket
    .on('open', () => {
      isDirect =
        rooms !== undefined &&
        readFramesDirectly(webSocket, connection, {
          maxFrame,
          setReader(reader) {
            take = reader;
          },
          onRead() {},
          onFrames({ bytes, count, starts, ends }) {
            for (let index = 0; index < count; index += 1) {
              addText(Buffer.from(bytes.subarray(starts[index], ends[index])));
            }
          },
        });
      opened.resolve();
    })
    .on('message', (data) => addText(data as Buffer))
    .on('ping', (data) => events.push(['ping', data.toString('latin1')]))
    .on('error', (error) => events.push(['error', (error as NodeJS.ErrnoException).code]))
    .on('close', (code, reason) => {
      events.push(['close', code, reason.toString('latin1')]);
      closed.resolve();
    });
  await opened.promise;
  webSocket.on('pong', (data) => events.push(['pong', data.toString('latin1')]));
  // A later ws may begin to listen after it has opened.
  await nextTurn();
  for (const [turn, chunk] of chunks.entries()) {
    const room = rooms?.[turn % rooms.length] ?? 0;
    if (take === undefined || connection.isPaused() || connection.readableLength > 0) {
      connection.push(Buffer.from(chunk));
      continue;
    }
    const memory = Buffer.concat([Buffer.alloc(room, '?'), chunk]);
    take(memory.subarray(room), room);
    memory.fill('!');
  }
  connection.push(null);
  await closed.promise;
  return { events, sent: connection.sentFrames(), isDirect };
}

const noRoom = [0];
const readsInto = [frameHeadroom];

/** Expects the same from both ways of reading; returns what plain `ws` read. */
async function expectSame(chunks: readonly Buffer[], rooms = noRoom): Promise<Reading> {
  const plain = await readChunks(chunks, undefined);
  const direct = await readChunks(chunks, rooms);
  expect(direct).toEqual({ ...plain, isDirect: true });
  return plain;
}

/** Payload sizes beside each boundary of the length field. */
const boundaries = [0, 1, 124, 125, 126, 127, 65_535, 65_536, 65_537];

describe('frames taken past ws read as with ws alone', () => {
  test.each(boundaries)('with %i bytes, cut at every byte of the header', async (size) => {
    const payload = Buffer.alloc(size, 'abcdefghij');
    const bytes = Buffer.concat([text('before'), text(payload), text('after')]);
    const start = text('before').length;
    for (let at = start; at <= start + 11; at += 1) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)];
      const { events } = await expectSame(chunks, at % 2 === 0 ? noRoom : readsInto);
      expect(events.slice(0, 3)).toEqual([
        ['text', 'before'],
        ['text', payload.toString('latin1')],
        ['text', 'after'],
      ]);
    }
  });

  test.each<[string, readonly Buffer[]]>([
    ['fragments', [text('one', { final: false }), text('two', { opcode: 0 }), text('three')]],
    [
      'pings between fragments',
      [
        text('one', { final: false }),
        ping('first'),
        text('two', { opcode: 0, final: false }),
        ping('second'),
        text('three', { opcode: 0 }),
        text('four'),
      ],
    ],
    ['an empty fragment', [text('', { final: false }), text('', { opcode: 0 }), text('next')]],
    ['a continuation of nothing', [text('one'), text('two', { opcode: 0 }), text('three')]],
    ['a text inside fragments', [text('one', { final: false }), text('two'), text('three')]],
    ['binary', [text('one'), text('\0\xff', { opcode: 2 }), text('two')]],
    ['pongs', [text('one'), text('!', { opcode: 10 }), text('two')]],
    ['a masked text', [text('one'), text('two', { isMasked: true }), text('three')]],
    ['a masked ping', [text('one'), text('two', { isMasked: true, opcode: 9 })]],
    ['reserved bits', [text('one'), text('two', { reserved: 4 }), text('three')]],
    ['other reserved bits', [text('one'), text('two', { reserved: 1 })]],
    ['reserved opcodes', [text('one'), text('two', { opcode: 3 }), text('three')]],
    ['reserved control opcodes', [text('one'), text('two', { opcode: 11 })]],
    ['a fragmented ping', [text('one'), text('two', { opcode: 9, final: false })]],
    ['a long ping', [text('one'), text('x'.repeat(126), { opcode: 9 }), text('two')]],
    ['invalid UTF-8', [text(Buffer.of(0xff, 0xc3, 0x28)), text('next')]],
    [
      'invalid UTF-8 in fragments',
      [text(Buffer.of(0xff), { final: false }), text('', { opcode: 0 })],
    ],
    ['an oversized text', [text('one'), text('x'.repeat(maxFrame + 1)), text('two')]],
    ['the largest text', [text('x'.repeat(maxFrame)), text('two')]],
    [
      'oversized fragments',
      [text('x'.repeat(maxFrame), { final: false }), text('x', { opcode: 0 }), text('two')],
    ],
    ['more than any memory', [text('one'), frame({ length: 2n ** 63n, lengthBytes: 8 })]],
    [
      'long forms of short lengths',
      [text('one', { lengthBytes: 2 }), text('two', { lengthBytes: 8 }), text('three')],
    ],
    ['a close', [text('one'), close(1000, 'done'), text('two')]],
    ['a close without a code', [text('one'), text('', { opcode: 8 })]],
    ['a close with half a code', [text('one'), text('x', { opcode: 8 })]],
    ['a close with a reserved code', [text('one'), close(1005)]],
    ['a close with a code of its own', [text('one'), close(4401, 'no')]],
    ['a close inside fragments', [text('one', { final: false }), close(1001), text('two')]],
    ['an incomplete text', [text('one'), text('two').subarray(0, 3)]],
  ])('with %s, in one chunk, byte by byte and by frame', async (_, frames) => {
    const bytes = Buffer.concat(frames);
    await expectSame([bytes]);
    await expectSame([bytes], readsInto);
    await expectSame(frames);
    const single = bytes.length > 2000 ? cutBytes(bytes, [1, 1, 1, 1, 997]) : cutBytes(bytes, [1]);
    await expectSame(single);
    await expectSame(single, [frameHeadroom, 0, 3]);
  });

  test('with any frames in any chunks', async () => {
    const payload = fc.oneof(
      { weight: 6, arbitrary: fc.uint8Array({ maxLength: 130 }) },
      {
        weight: 1,
        arbitrary: fc
          .constantFrom(...boundaries, maxFrame, maxFrame + 1)
          .map((size) => Buffer.alloc(size, 'x')),
      },
    );
    const valid = fc.record({
      payload: payload.map((bytes) => Buffer.from(bytes)),
      opcode: fc.constantFrom(0, 1, 1, 1, 1, 2),
      final: fc.constantFrom(true, true, true, false),
    });
    const control = fc.record({
      payload: fc.uint8Array({ maxLength: 20 }).map((bytes) => Buffer.from(bytes)),
      opcode: fc.constantFrom(8, 9, 9, 9, 10),
    });
    const any = fc.record({
      payload: payload.map((bytes) => Buffer.from(bytes)),
      opcode: fc.nat(15),
      final: fc.boolean(),
      reserved: fc.constantFrom(0, 0, 0, 1, 4),
      isMasked: fc.constantFrom(false, false, false, true),
    });
    const shape = fc.oneof(
      { weight: 8, arbitrary: valid },
      { weight: 2, arbitrary: control },
      { weight: 1, arbitrary: any },
    );
    const size = fc.oneof(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 100, max: 80_000 }));
    await fc.assert(
      fc.asyncProperty(
        fc.array(shape, { maxLength: 12 }),
        fc.array(size, { minLength: 1, maxLength: 6 }),
        fc.array(fc.constantFrom(0, 10, 300, frameHeadroom), { minLength: 1, maxLength: 4 }),
        async (shapes, sizes, rooms) => {
          const bytes = Buffer.concat(shapes.map((each) => frame(each)));
          // Tiny chunks of large frames take long and test nothing more.
          fc.pre(bytes.length < 20_000 || Math.max(...sizes) > 100);
          await expectSame(cutBytes(bytes, sizes), rooms);
        },
      ),
      { numRuns: 200 },
    );
  });
});

/** Returns the WebSocket of a ws whose source has other text. */
async function changedWs(changes: readonly (readonly [string, string])[]) {
  await using folder = await mkdtempDisposable(path.join(tmpdir(), 'changed-ws-'));
  const outfile = path.join(folder.path, 'ws.mjs');
  const source = path.resolve(import.meta.dirname, '../../../node_modules/ws');
  const applied = new Set<string>();
  await build({
    entryPoints: [path.join(source, 'lib/websocket.js')],
    bundle: true,
    format: 'cjs',
    platform: 'node',
    outfile: outfile.replace('.mjs', '.cjs'),
    logLevel: 'error',
    plugins: [
      {
        name: 'change',
        setup(bundle) {
          bundle.onLoad({ filter: /ws\/lib\/\w+\.js$/ }, ({ path: file }) => {
            let contents = readFileSync(file, 'utf8');
            for (const [from, to] of changes) {
              if (contents.includes(from)) applied.add(from);
              contents = contents.replaceAll(from, to);
            }
            return { contents };
          });
        },
      },
    ],
  });
  expect([...applied]).toEqual(changes.map(([from]) => from));
  writeFileSync(outfile, "import socket from './ws.cjs'; export const WebSocket = socket;");
  const module = (await import(/* @vite-ignore */ outfile)) as { WebSocket: typeof WebSocket };
  return module.WebSocket;
}

const listening = "socket.on('data', socketOnData);";

describe('a ws with other internals', () => {
  const bytes = Buffer.concat([
    text('one'),
    ping(),
    text('two', { final: false }),
    text('three', { opcode: 0 }),
    text('four'),
    text('five', { opcode: 2 }),
    close(1000, 'done'),
  ]);

  test.each<[string, boolean, readonly (readonly [string, string])[]]>([
    [
      'other names is read past',
      true,
      [
        ['socketOnData', 'takeBytes'],
        ['_receiver', '_frames'],
        ['kWebSocket', 'kOwner'],
      ],
    ],
    ['a pipe is read past', true, [[listening, 'socket.pipe(receiver, { end: false });']]],
    [
      'a listener that reads by itself emits every message',
      false,
      [
        [
          listening,
          "socket.on('readable', () => { for (let b; (b = socket.read()) !== null; ) receiver.write(b); });",
        ],
      ],
    ],
    [
      'a listener that is attached later emits every message',
      false,
      [[listening, "process.nextTick(() => socket.on('data', socketOnData));"]],
    ],
    [
      'two listeners emits every message',
      false,
      [[listening, `${listening} socket.on('data', () => {});`]],
    ],
    [
      'a listener that parses later emits every message',
      false,
      [[listening, "socket.on('data', (bytes) => queueMicrotask(() => receiver.write(bytes)));"]],
    ],
  ])('that has %s', async (_, isDirect, changes) => {
    const Changed = await changedWs(changes);
    const expected = await readChunks([bytes], undefined);
    for (const sizes of [[bytes.length], [1], [5]]) {
      const found = await readChunks(cutBytes(bytes, sizes), noRoom, Changed);
      expect(found).toEqual({ ...expected, isDirect });
    }
  });
});

test('a log stream delivers its lines by a ws that reads in another way', async () => {
  const Changed = await changedWs([
    [listening, "process.nextTick(() => socket.on('data', socketOnData));"],
  ]);
  vi.resetModules();
  vi.doMock('ws', () => ({ WebSocket: Changed }));
  onTestFinished(() => {
    vi.doUnmock('ws');
    vi.resetModules();
  });
  const { createClient } = await import('../../../source/client/client.ts');
  const numbers = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  const server = await startHostile(
    upgrading((socket) => {
      for (const line of numbers) socket.write(text(JSON.stringify({ line })));
    }),
  );
  onTestFinished(() => server.close());
  const client = createClient({ baseUrl: server.baseUrl, token: 'token' });
  onTestFinished(() => client.close());
  const texts: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  client.logs.stream('one', {
    onOpen() {},
    onFrames({ bytes, count, starts, ends }) {
      for (let index = 0; index < count; index += 1) {
        const message = bytes.subarray(starts[index], ends[index]).toString();
        texts.push((JSON.parse(message) as { line: string }).line);
      }
      if (texts.length >= numbers.length) resolve();
    },
    onClose() {
      resolve();
    },
  });
  await promise;
  expect(texts).toEqual(numbers);
});
