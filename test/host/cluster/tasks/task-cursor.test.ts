import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TaskCursor, type TaskFrame } from '../../../../source/host/cluster/tasks/task-log.ts';
import { outputText } from '../../../../source/host/logs/run.ts';

const start = Date.parse('2026-03-01T12:00:00Z');

/** Returns the engine's time of a number of microseconds after the start. */
function timeAt(micros: number): string {
  const seconds = new Date(start + Math.floor(micros / 1e6) * 1000).toISOString().slice(0, 19);
  return `${seconds}.${String(micros % 1e6).padStart(6, '0')}000Z`;
}

function microsOf(since: string): number {
  const [seconds = '0', fraction = '0'] = since.split('.');
  return (
    (Number(seconds) * 1000 - start) * 1000 + Math.floor(Number(fraction.padEnd(9, '0')) / 1000)
  );
}

interface Written extends TaskFrame {
  readonly micros: number;
}

/** Lines of two streams: within a stream times grow; some lines come in several pieces. */
const outputs = fc
  .array(
    fc.record({
      stream: fc.constantFrom('stdout' as const, 'stderr' as const),
      after: fc.integer({ min: 1, max: 900_000 }),
      pieces: fc.integer({ min: 1, max: 3 }),
    }),
    { maxLength: 40 },
  )
  .map((lines) => {
    let micros = 0;
    return lines.flatMap(({ stream, after, pieces }, index): readonly Written[] => {
      micros += after;
      return Array.from({ length: pieces }, (_, piece) => {
        const text = `${index}.${piece} ${piece === pieces - 1 ? '\n' : ''}`;
        return { stream, at: timeAt(micros), micros, data: Buffer.from(text) };
      });
    });
  });

describe('the cursor of a task', () => {
  test('brings each line once, in the order of its stream, wherever a follow breaks', () => {
    fc.assert(
      fc.property(
        outputs,
        fc.array(fc.nat(40), { maxLength: 8 }),
        fc.boolean(),
        (output, breaks, isKilled) => {
          let cursor = new TaskCursor();
          const ends: Record<string, string> = {};
          const got: string[] = [];
          const read = (most: number) => {
            const since = cursor.restart();
            const from = since === undefined ? -1 : microsOf(since);
            for (const frame of output.filter(({ micros }) => micros >= from).slice(0, most)) {
              for (const { line, at } of cursor.push(frame)) {
                got.push(`${frame.stream} ${outputText(line)}`);
                ends[frame.stream] = at;
              }
            }
          };
          for (const most of breaks) {
            read(most);
            // Another host knows only what is stored.
            if (isKilled)
              cursor = new TaskCursor({ stdout: ends['stdout'], stderr: ends['stderr'] });
          }
          read(output.length);
          const whole = new Map<string, string>();
          const expected: string[] = [];
          for (const { stream, data } of output) {
            const line = (whole.get(stream) ?? '') + data.toString();
            whole.set(stream, line.endsWith('\n') ? '' : line);
            if (line.endsWith('\n')) expected.push(`${stream} ${line.slice(0, -1)}`);
          }
          for (const stream of ['stdout', 'stderr']) {
            const of = (lines: readonly string[]) =>
              lines.filter((line) => line.startsWith(stream));
            expect(of(got)).toEqual(of(expected));
          }
        },
      ),
    );
  });

  test('of an earlier host begins a second before its newest line, also with one stream', () => {
    const cursor = new TaskCursor({ stdout: undefined, stderr: timeAt(5e6) });
    expect(cursor.newest()).toBe(timeAt(5e6));
    expect(cursor.restart()).toBe(`${(start + 4000) / 1000}.000000000`);
  });

  test('gives the last line of a task that ended without a line break', () => {
    const cursor = new TaskCursor();
    expect(cursor.restart()).toBeUndefined();
    cursor.push({ stream: 'stdout', at: timeAt(5), data: Buffer.from('bye') });
    expect(cursor.end('stdout')).toEqual([{ line: 'bye', at: timeAt(5) }]);
    expect(cursor.end('stdout')).toEqual([]);
  });
});
