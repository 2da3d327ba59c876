import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeFrames } from '../../../source/host/logs/frames.ts';
import { toRuns, messagesOf, type LineGroup, anyLineGroup } from './log-folder.ts';

/** Decodes the texts of unmasked frames (RFC 6455, section 5.2). */
function decodeTexts(frames: Uint8Array): readonly string[] {
  const bytes = Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    let length = short;
    if (short === 126) length = bytes.readUInt16BE(at + 2);
    if (short === 127) length = Number(bytes.readBigUInt64BE(at + 2));
    // The shortest encoding of a length is required.
    expect(length).toBeGreaterThanOrEqual(short < 126 ? 0 : short === 126 ? 126 : 0x1_0000);
    texts.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

describe('frames', () => {
  it('carry each line as one message of the contract', () => {
    fc.assert(
      fc.property(fc.array(anyLineGroup, { maxLength: 8 }), (all) => {
        const frames = encodeFrames('deployment-1', toRuns(1, all));
        expect(decodeTexts(frames).map((text) => JSON.parse(text) as unknown)).toEqual(
          messagesOf('deployment-1', all),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each(['x', 'é'])('are complete for lines of any length, of %s', (unit) => {
    const shortest = JSON.stringify(messagesOf('', [described('')])[0]).length;
    // The head's encoding changes around these lengths.
    const counts = [126, 0x1_0000]
      .flatMap((edge) => [-2, -1, 0, 1, 2].map((step) => edge - shortest + step))
      .filter((count) => count >= 0);
    const all = [...counts, 200, 65_000].map((count) => described(unit.repeat(count)));
    const texts = decodeTexts(encodeFrames('', toRuns(1, all)));
    expect(texts).toEqual(messagesOf('', all).map((message) => JSON.stringify(message)));
  });
});

function described(line: string): LineGroup {
  return { service: 's', stream: 'stdout', at: 0, lines: [line] };
}
