import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogLine } from '../../../source/contract/logs.ts';
import { encodeFrame } from '../../../source/tail/arena/frame.ts';
import { toRow } from '../../../source/tail/arena/row.ts';
import { RunReader } from '../../../source/tail/arena/run-reader.ts';
import { Sequence } from '../../../source/tail/arena/sequence.ts';
import { framesOfLines, lineCodec } from '../../servers/log-frames.ts';
import { codePoint } from '../../support/code-point.ts';

function createSequence(maxLines: number, maxBytes: number): Sequence<LogLine> {
  return new Sequence<LogLine>({
    row: toRow,
    ...lineCodec,
    maxLines,
    maxBytes,
  });
}

function lineOf(id: number, logLine: string, serviceName = 'web'): LogLine {
  return { id, deploymentId: 'd', serviceName, timestamp: 't', logLine, stream: 'stdout' };
}

/** Appends lines as the stream does, trimming like the owner of a sequence. */
function appender(sequence: Sequence<LogLine>) {
  const runs = new RunReader(sequence.services, sequence.decode);
  runs.learnShape(new TextDecoder().decode(encodeFrame(lineOf(1, 'x'))));
  return (lines: readonly LogLine[]): void => {
    const run = runs.read(framesOfLines(lines));
    if (run === undefined) throw new Error('the lines are no run');
    sequence.append(run, []);
    sequence.trim(() => []);
  };
}

const text = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 40 }) },
  { weight: 2, arbitrary: fc.string({ unit: codePoint, maxLength: 40 }) },
  { weight: 1, arbitrary: fc.constant('\\"\n\u001b[31m'.repeat(300)) },
);

describe('the memory of a sequence', () => {
  it('holds the newest lines, unchanged, within its bounds', () => {
    const maxBytes = 64 * 1024;
    fc.assert(
      fc.property(
        fc.array(fc.array(text, { minLength: 1, maxLength: 30 }), { minLength: 1, maxLength: 30 }),
        fc.constantFrom(100_000, 150),
        (batches, maxLines) => {
          const sequence = createSequence(maxLines, maxBytes);
          const append = appender(sequence);
          const all: LogLine[] = [];
          for (const batch of batches) {
            const names = ['web', 'api', 'a-worker'];
            const lines = batch.map((one, index) =>
              lineOf(all.length + index + 1, one, names[index % names.length]),
            );
            append(lines);
            all.push(...lines);
            expect(sequence.bytes).toBeLessThanOrEqual(maxBytes);
            expect(sequence.length).toBeLessThanOrEqual(maxLines);
          }
          const newest = all.slice(all.length - sequence.length);
          const entries = sequence.slice(0, sequence.length);
          expect(entries.map((entry) => entry.kind === 'line' && entry.line)).toEqual(newest);
          const scanned: [number, string, string | undefined][] = [];
          sequence.scan(0, sequence.length, (...visited) => scanned.push(visited));
          expect(scanned).toEqual(
            newest.map(({ logLine, serviceName }, index) => [index, logLine, serviceName]),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('accepts lines longer than a block', () => {
    const sequence = createSequence(1000, 64 * 1024);
    const append = appender(sequence);
    append([lineOf(1, 'short')]);
    append([lineOf(2, 'x'.repeat(40_000))]);
    append([lineOf(3, 'short again')]);
    expect(sequence.at(1)).toMatchObject({ line: { logLine: 'x'.repeat(40_000) } });
    append([lineOf(4, 'y'.repeat(100_000))]);
    append([lineOf(5, 'after')]);
    expect(sequence.at(sequence.length - 1)).toMatchObject({ line: { id: 5 } });
    expect(sequence.bytes).toBeLessThanOrEqual(64 * 1024);
  });

  it('fills its memory with lines', () => {
    const maxBytes = 4 * 1024 * 1024;
    const sequence = createSequence(1_000_000, maxBytes);
    const append = appender(sequence);
    const line = encodeFrame(lineOf(1, 'x'.repeat(200))).length;
    for (let id = 1; id <= 30_000; id += 100) {
      append(Array.from({ length: 100 }, (_, index) => lineOf(id + index, 'x'.repeat(200))));
    }
    expect(sequence.length * line).toBeGreaterThan(maxBytes * 0.75);
  });
});
