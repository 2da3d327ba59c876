import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { framesOf } from '../../../source/host/logs/frames.ts';
import { asRuns, messagesOf, type SomeLines, someLines } from './log-folder.ts';

/** The texts of unmasked frames, as RFC 6455, section 5.2 has them. */
function textsIn(frames: Uint8Array): readonly string[] {
  const bytes = Buffer.from(frames.buffer, frames.byteOffset, frames.byteLength);
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    expect(bytes[at]).toBe(0x81);
    const short = bytes[at + 1] ?? 0;
    const head = short === 126 ? 4 : short === 127 ? 10 : 2;
    let length = short;
    if (short === 126) length = bytes.readUInt16BE(at + 2);
    if (short === 127) length = Number(bytes.readBigUInt64BE(at + 2));
    // The shortest form is the only one that is allowed.
    expect(length).toBeGreaterThanOrEqual(short < 126 ? 0 : short === 126 ? 126 : 0x1_0000);
    texts.push(bytes.toString('utf8', at + head, at + head + length));
    at += head + length;
  }
  return texts;
}

describe('frames', () => {
  it('carry each line as one message of the contract', () => {
    fc.assert(
      fc.property(fc.array(someLines, { maxLength: 8 }), (all) => {
        const frames = framesOf('deployment-1', asRuns(1, all));
        expect(textsIn(frames).map((text) => JSON.parse(text) as unknown)).toEqual(
          messagesOf('deployment-1', all),
        );
      }),
      { numRuns: 300 },
    );
  });

  it.each(['x', 'é'])('are whole for lines of any length, of %s', (unit) => {
    const shortest = JSON.stringify(messagesOf('', [described('')])[0]).length;
    // Lengths around which the head changes its form.
    const counts = [126, 0x1_0000]
      .flatMap((edge) => [-2, -1, 0, 1, 2].map((step) => edge - shortest + step))
      .filter((count) => count >= 0);
    const all = [...counts, 200, 65_000].map((count) => described(unit.repeat(count)));
    const texts = textsIn(framesOf('', asRuns(1, all)));
    expect(texts).toEqual(messagesOf('', all).map((message) => JSON.stringify(message)));
  });
});

function described(line: string): SomeLines {
  return { service: 's', stream: 'stdout', at: 0, lines: [line] };
}
