import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { WebSocketFrameReader, frameHeadroom } from '../../../source/client/stream/frame-reader.ts';
import { cutBytes } from './cut-bytes.ts';

interface Sent {
  readonly bytes: Buffer;
  /** Text of a message in one frame. */
  readonly text: string | undefined;
}

/** Builds a frame of a server (RFC 6455, 5.2). */
function frame(first: number, payload: Buffer): Buffer {
  const { length } = payload;
  if (length < 126) return Buffer.concat([Buffer.from([first, length]), payload]);
  const header = Buffer.alloc(length < 65_536 ? 4 : 10);
  header[0] = first;
  header[1] = length < 65_536 ? 126 : 127;
  if (length < 65_536) header.writeUInt16BE(length, 2);
  else header.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([header, payload]);
}

const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 300 }) },
  {
    weight: 1,
    arbitrary: fc.integer({ min: 60_000, max: 140_000 }).map((size) => 'x'.repeat(size)),
  },
);

function other(first: number): fc.Arbitrary<Sent> {
  return fc
    .uint8Array({ maxLength: 125 })
    .map((payload) => ({ bytes: frame(first, Buffer.from(payload)), text: undefined }));
}

const sent: fc.Arbitrary<Sent> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .tuple(fc.constantFrom(0x81, 0x81, 0x82), text)
      .map(([first, one]) => ({ bytes: frame(first, Buffer.from(one)), text: one })),
  },
  { weight: 1, arbitrary: fc.constantFrom(0x89, 0x8a).chain(other) },
  {
    weight: 1,
    // A message in three frames, with a ping between them.
    arbitrary: text.map((one) => ({
      bytes: Buffer.concat([
        frame(0x01, Buffer.from(one)),
        frame(0x89, Buffer.from('?')),
        frame(0x00, Buffer.from(one)),
        frame(0x80, Buffer.from('.')),
      ]),
      text: undefined,
    })),
  },
);

/**
 * Returns the output: texts, and the joined bytes that were passed between them.
 * @param rooms writable bytes before the chunks, in turn.
 */
function through(
  chunks: readonly Buffer[],
  maxFrame = 2 ** 24,
  rooms: readonly number[] = [0],
): readonly (string | Buffer)[] {
  const out: (string | Buffer)[] = [];
  let passed: Buffer[] = [];
  const joinPassed = (): void => {
    if (passed.length > 0) out.push(Buffer.concat(passed));
    passed = [];
  };
  const lane = new WebSocketFrameReader({
    maxFrame,
    onFrames({ bytes, count, starts, ends }) {
      joinPassed();
      for (let index = 0; index < count; index += 1) {
        out.push(Buffer.from(bytes.subarray(starts[index], ends[index])).toString());
      }
    },
    onOtherBytes(bytes) {
      passed.push(Buffer.from(bytes));
    },
  });
  // All chunks come in the same memory, as from a socket: large memory for tiny chunks would take most of the time.
  const longest = Math.max(...rooms) + Math.max(0, ...chunks.map(({ length }) => length));
  const memory = Buffer.alloc(longest, '?');
  for (const [turn, chunk] of chunks.entries()) {
    const room = rooms[turn % rooms.length] ?? 0;
    chunk.copy(memory, room);
    lane.read(memory.subarray(room, room + chunk.length), room);
    memory.fill('!', 0, room + chunk.length);
  }
  joinPassed();
  return out;
}

const sizes = fc.array(
  fc.oneof(fc.integer({ min: 200, max: 70_000 }), fc.integer({ min: 1, max: 20 })),
  { minLength: 1, maxLength: 6 },
);

const rooms = fc.array(fc.constantFrom(0, 10, 300, frameHeadroom), { minLength: 1, maxLength: 4 });

it('returns texts and passes all other bytes unchanged and in order, for any chunks', () => {
  fc.assert(
    fc.property(fc.array(sent, { maxLength: 12 }), sizes, rooms, (all, cuts, before) => {
      const stream = Buffer.concat(all.map(({ bytes }) => bytes));
      // Tiny chunks of very large frames take long and test nothing more.
      fc.pre(stream.length < 100_000 || Math.max(...cuts) > 100);
      const texts: string[] = [];
      const passed: Buffer[] = [];
      const expected = all.map((one) => one.text ?? one.bytes);
      const out = through(cutBytes(stream, cuts), undefined, before);
      for (const one of out) {
        if (typeof one === 'string') texts.push(one);
        else passed.push(one);
      }
      // A text above the buffer limit may be returned or passed.
      const short = expected.filter((one) => typeof one === 'string' && one.length < 60_000);
      expect(texts.filter((one) => one.length < 60_000)).toEqual(short);
      const isPassed = (one: Sent): boolean => !texts.includes(one.text ?? '\0');
      const rest = Buffer.concat(all.filter(isPassed).map(({ bytes }) => bytes));
      expect(Buffer.concat(passed).equals(rest)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

it('passes oversized frames, to be rejected', () => {
  const large = frame(0x81, Buffer.alloc(1000, 'x'));
  expect(through([large], 500)).toEqual([large]);
});

it('passes an invalid frame and all later bytes', () => {
  for (const wrong of [
    [0xff, 0xff],
    [0x81, 0x85],
    [0x83, 1],
    [0x89, 126],
    [0x09, 0],
  ]) {
    const bytes = Buffer.from(wrong);
    const after = frame(0x81, Buffer.from('text'));
    expect(through([bytes, after])).toEqual([Buffer.concat([bytes, after])]);
  }
});

it('ignores messages after a close frame', () => {
  const close = frame(0x88, Buffer.from([3, 232]));
  const before = frame(0x81, Buffer.from('before'));
  const after = frame(0x81, Buffer.from('after'));
  expect(through([Buffer.concat([before, close, after]), after])).toEqual(['before', close]);
  expect(through([close.subarray(0, 3), Buffer.concat([close.subarray(3), after])])).toEqual([
    close,
  ]);
});
