import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CutLine, type OutputLine, outputText } from '../../../source/host/logs/run.ts';
import { LineSplitter, maxOutputLineBytes } from '../../../source/host/logs/splitter.ts';

function splitOutput(chunks: readonly Buffer[]): readonly OutputLine[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function split(chunks: readonly Buffer[]): readonly string[] {
  return splitOutput(chunks).map(outputText);
}

/** Returns the bytes in chunks that end at these offsets. */
function cutAt(bytes: Buffer, offsets: readonly number[]): readonly Buffer[] {
  const ends = [...offsets.map((place) => place % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  );
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const texts = fc
  .array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('\n', '\r\n', '\r', 'é', '🙂')))
  .map((parts) => parts.join(''));

describe('the line splitter', () => {
  it('yields the same lines for chunks of any size', () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat()), (text, offsets) => {
        const bytes = Buffer.from(text);
        expect(split(cutAt(bytes, offsets))).toEqual(split([bytes]));
      }),
    );
  });

  it('ends lines at LF and CRLF and keeps all other characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.split(/\r?\n/);
        if (lines.at(-1) === '') lines.pop();
        expect(split([Buffer.from(text)])).toEqual(lines);
      }),
    );
  });

  it('divides a line that is too long between two characters', () => {
    const unit = fc.constantFrom('a', 'é', '€', '🙂');
    fc.assert(
      fc.property(
        unit,
        fc.nat(9),
        fc.array(fc.nat()),
        fc.boolean(),
        (unit, extra, offsets, ends) => {
          const count = Math.ceil(maxOutputLineBytes / Buffer.byteLength(unit));
          const text = 'x'.repeat(extra) + unit.repeat(count + extra);
          const bytes = Buffer.from(ends ? `${text}\r\n` : text);
          const lines = split(cutAt(bytes, offsets));
          expect(lines.join('')).toBe(text);
          for (const line of lines) {
            expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxOutputLineBytes);
            expect(line).not.toContain('\uFFFD');
          }
          expect(lines).toEqual(split([bytes]));
          const areCut = splitOutput([bytes]).map((line) => line instanceof CutLine);
          expect(areCut).toEqual(lines.map((_, index) => index < lines.length - 1));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('yields no empty line for the CRLF after a line of exactly the longest length', () => {
    const line = 'y'.repeat(maxOutputLineBytes);
    for (const end of ['\n', '\r\n', '']) {
      expect(split([Buffer.from(line), Buffer.from(end)])).toEqual([line]);
      expect(split([...Buffer.from(`${line}${end}`)].map((byte) => Buffer.of(byte)))).toEqual([
        line,
      ]);
    }
  });

  it('replaces invalid UTF-8 and loses no line', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (array, offsets) => {
        const bytes = Buffer.from(array);
        const expected = [...bytes].filter((byte) => byte === 0x0a).length;
        const lines = split(cutAt(bytes, offsets));
        expect(lines).toHaveLength(expected + (bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0));
      }),
    );
  });
});
