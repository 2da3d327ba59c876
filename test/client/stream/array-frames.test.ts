import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitArrays } from '../../../source/client/stream/frame-reader.ts';
import type { LogFrames } from '../../../source/contract/logs.ts';

function framesOf(texts: readonly string[]): LogFrames {
  const parts = texts.map((text) => Buffer.from(text));
  const ends: number[] = [];
  for (const { length } of parts) ends.push((ends.at(-1) ?? 0) + length);
  return {
    bytes: Buffer.concat(parts),
    count: parts.length,
    starts: Uint32Array.from([0, ...ends].slice(0, -1)),
    ends: Uint32Array.from(ends),
  };
}

function textsOf({ bytes, count, starts, ends }: LogFrames): readonly string[] {
  return Array.from({ length: count }, (_, index) =>
    Buffer.from(bytes.subarray(starts[index], ends[index])).toString(),
  );
}

function split(...texts: readonly string[]): readonly string[] {
  return textsOf(splitArrays(framesOf(texts)));
}

describe('several log messages in one frame', () => {
  it('are its messages, in their order among those of other frames', () => {
    expect(split('{"a":1}', '[{"b":2}, {"c":"],[{"}]', '{"d":4}')).toEqual([
      '{"a":1}',
      '{"b":2}',
      '{"c":"],[{"}',
      '{"d":4}',
    ]);
  });

  it('are the items of any array, as they were written', () => {
    const spaces = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(fc.array(fc.jsonValue(), { maxLength: 5 }), spaces, (items, space) => {
        const found = split(JSON.stringify(items, undefined, space)).map((text) =>
          JSON.parse(text),
        );
        expect(found).toEqual(JSON.parse(JSON.stringify(items)));
      }),
    );
  });

  it('may stand between spaces and line breaks', () => {
    expect(split('\n [{"a":1}, {"b":2}]\r\n', ' {"c":3}', ' [] ')).toEqual([
      '{"a":1}',
      '{"b":2}',
      ' {"c":3}',
    ]);
  });

  it('leave a frame that is no array as it is', () => {
    const frames = framesOf(['{"a":1}', 'keepalive', '', ' ']);
    expect(splitArrays(frames)).toBe(frames);
    for (const text of ['[', '[1', '[1,]', '[,1]', '[1]x', '["\\"]', '[[1]']) {
      expect(split(text)).toEqual([text]);
    }
  });

  it('leave any bytes within their frame', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('[', ']', '{', '}', ',', '"', '\\', ' ', 'a'), { maxLength: 12 }),
        (letters) => {
          const text = `[${letters.join('')}`;
          for (const item of split(text)) expect(text).toContain(item);
        },
      ),
    );
  });
});
