import { assert, integer, nat, property } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LogFrames } from './log-frames.ts';
import { markOf, textCount } from './log-texts.ts';

const options = { deployment: 'd', services: ['web', 'api', 'worker', 'queue'] };

/** Payloads of text frames that follow each other. */
function payloads(bytes: Buffer): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    expect(bytes[at + 1]).toBe(126);
    const length = bytes.readUInt16BE(at + 2);
    found.push(bytes.toString('utf8', at + 4, at + 4 + length));
    at += 4 + length;
  }
  return found;
}

describe('frames of the log', () => {
  it.each([200, 4096])('have texts of %i bytes with their numbers in them', (length) => {
    const frames = new LogFrames({ ...options, length });
    const first = 123_456_000;
    for (const [index, payload] of payloads(
      frames.fill(frames.block(), first, first + 40),
    ).entries()) {
      const { logLine } = JSON.parse(payload) as { readonly logLine: string };
      expect(Buffer.byteLength(logLine)).toBe(length);
      expect(logLine).toContain(markOf(first + index));
    }
  });

  it('are the messages, whatever the block was before', () => {
    const frames = new LogFrames({ ...options, length: 200 });
    const block = frames.block();
    assert(
      property(
        nat(60_000),
        nat(textCount - 1),
        integer({ min: 1, max: 20 }),
        (base, offset, count) => {
          const first = base * textCount + offset;
          const end = Math.min(first + count, (base + 1) * textCount);
          const read = payloads(frames.fill(block, first, end)).map((text): unknown =>
            JSON.parse(text),
          );
          const messages = Array.from({ length: end - first }, (_, index) =>
            frames.message(first + index),
          );
          expect(read).toEqual(messages);
        },
      ),
    );
  });
});
