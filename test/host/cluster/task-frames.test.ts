import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { TaskFrames } from '../../../source/host/cluster/tasks/task-log.ts';

const at = '2026-03-01T12:00:00.000000001Z';

function frame(stream: number, body: Buffer): Buffer {
  const header = Buffer.alloc(8);
  header[0] = stream;
  header.writeUInt32BE(body.length, 4);
  return Buffer.concat([header, body]);
}

const line = (stream: number, text: Uint8Array) =>
  frame(stream, Buffer.concat([Buffer.from(`${at} `), text]));

test('reads frames of any bytes from chunks of any size', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom(1, 2), fc.uint8Array({ maxLength: 60 }))),
      fc.integer({ min: 1, max: 50 }),
      (written, size) => {
        const bytes = Buffer.concat(written.map(([stream, text]) => line(stream, text)));
        const frames = new TaskFrames();
        const read: unknown[] = [];
        for (let from = 0; from < bytes.length; from += size) {
          read.push(...frames.push(bytes.subarray(from, from + size)));
        }
        expect(read).toEqual(
          written.map(([stream, text]) => ({
            stream: stream === 1 ? 'stdout' : 'stderr',
            at,
            data: Buffer.from(text),
          })),
        );
      },
    ),
  );
});

test('throws the error that an engine sends in place of lines', () => {
  expect(() =>
    new TaskFrames().push(frame(3, Buffer.from('warning: incomplete log stream'))),
  ).toThrow('incomplete log stream');
});

test.each([
  ['a frame without a time', frame(1, Buffer.from('hello world'))],
  ['a frame of more than a mebibyte', frame(1, Buffer.alloc(0)).fill(255, 4)],
])('refuses %s', (_, bytes) => {
  expect(() => new TaskFrames().push(bytes)).toThrow("the engine's log is not valid");
});
