import { Writable } from 'node:stream';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { createLinesBatch, createLinesWriter } from '../../../source/commands/logs/run-logs.ts';

/** Bytes that a pipe takes at once (PIPE_BUF). */
const atomic = 4096;

const line = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) },
  { weight: 1, arbitrary: fc.nat({ max: 9000 }).map((length) => 'x'.repeat(length)) },
);

it('writes lines that were copied or given as texts whole, in order, as many as a pipe takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(line, fc.boolean()), { maxLength: 60 }),
      fc.nat({ max: 5000 }),
      async (given, size) => {
        const lines = given.map(
          ([text, isCopied]) => [text.replaceAll('\n', ' '), isCopied] as const,
        );
        const batch = createLinesBatch(size);
        batch.text('of the batch before\n');
        batch.clear();
        for (const [text, isCopied] of lines) {
          const bytes = Buffer.from(`<${text}>`);
          if (isCopied) batch.copy(bytes, 1, bytes.length - 1);
          else batch.text(`${text}\n`);
        }
        const pieces: Buffer[] = [];
        const output = new Writable({
          write(piece: Buffer, _, done) {
            pieces.push(piece);
            done();
          },
        });
        const writer = createLinesWriter(output);
        expect(await writer.write(batch.lines())).toEqual({ kind: 'done' });
        writer.stop();
        expect(Buffer.concat(pieces).toString()).toBe(lines.map(([text]) => `${text}\n`).join(''));
        for (const piece of pieces) {
          expect(piece.at(-1)).toBe(0x0a);
          expect(piece.length <= atomic || piece.indexOf(0x0a) === piece.length - 1).toBe(true);
        }
      },
    ),
    { numRuns: 100 },
  );
});
