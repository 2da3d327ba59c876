import { PassThrough } from 'node:stream';
import { createLineFormat } from '../../../source/commands/logs/line-format.ts';
import { type LogsRun, runLogs } from '../../../source/commands/logs/run-logs.ts';

/** A running `logs` command and what it has written. */
export interface RunningLogs {
  readonly exit: Promise<number>;
  readonly stdout: PassThrough;
  /** Complete lines so far, and what stands behind the last of them. */
  lines(): readonly string[];
  rest(): string;
  notes(): readonly string[];
  interrupt(): void;
}

/** Runs the command into a pipe that is read as fast as it comes. */
export function startLogs({
  json,
  id,
  ids = [id],
  ...run
}: Omit<LogsRun, 'targets' | 'stdout' | 'note' | 'fail' | 'signal'> & {
  readonly json: boolean;
  readonly id: string;
  /** Several deployments, in place of one. */
  readonly ids?: readonly string[];
}): RunningLogs {
  // A pipe copies the bytes that are written to it; the writer may reuse their memory.
  const stdout = new PassThrough({
    transform(piece: Buffer, _, done) {
      done(null, Buffer.from(piece));
    },
  });
  const abort = new AbortController();
  const written = collectLines(stdout);
  const notes: string[] = [];
  return {
    exit: runLogs({
      ...run,
      targets: ids.map((each) => ({
        id: each,
        label: ids.length === 1 ? undefined : each,
        format: createLineFormat({
          form: json ? 'json' : 'text',
          id: each,
          label: ids.length === 1 ? undefined : { text: each, style: 'cyan' },
          now: () => 0,
        }),
      })),
      stdout,
      note: (sentence) => void notes.push(sentence),
      fail({ sentence, exit }) {
        notes.push(sentence);
        return exit;
      },
      signal: abort.signal,
    }),
    stdout,
    lines: () => written.lines,
    rest: () => written.rest(),
    notes: () => notes,
    interrupt: () => abort.abort(),
  };
}

function collectLines(output: PassThrough): { readonly lines: readonly string[]; rest(): string } {
  const lines: string[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const parts = `${rest}${chunk.toString()}`.split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) lines.push(part);
  });
  return { lines, rest: () => rest };
}
