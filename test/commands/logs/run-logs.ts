import { PassThrough } from 'node:stream';
import type { LogsClient } from '../../../source/client/logs.ts';
import type { DecodedRecord } from '../../../source/client/decode/fields.ts';
import type { Result } from '../../../source/client/http/errors.ts';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { type LogsCommand, runLogs } from '../../../source/commands/logs/run-logs.ts';

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
export function startLogs(command: Omit<LogsCommand, 'stdout' | 'stderr' | 'signal'>): RunningLogs {
  // A pipe copies the bytes that are written to it; the writer may reuse their memory.
  const stdout = new PassThrough({
    transform(piece: Buffer, _, done) {
      done(null, Buffer.from(piece));
    },
  });
  const stderr = new PassThrough();
  const abort = new AbortController();
  const written = collectLines(stdout);
  const notes = collectLines(stderr);
  return {
    exit: runLogs({ ...command, stdout, stderr, signal: abort.signal }),
    stdout,
    lines: () => written.lines,
    rest: () => written.rest(),
    notes: () => notes.lines,
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

/** A client that knows these deployments, and one log. */
export function clientOf(
  logs: LogsClient,
  deployments: readonly Deployment[] | Result<never>,
): LogsCommand['client'] {
  const never = () => Promise.reject(new Error('not asked for'));
  const list = (): Promise<Result<readonly DecodedRecord<Deployment>[]>> => {
    if ('ok' in deployments) return Promise.resolve(deployments);
    const value = deployments.map((deployment) => ({ value: deployment, unknown: {} }));
    return Promise.resolve({ ok: true, value });
  };
  return {
    host: 'example.com',
    logs,
    deployments: { list, get: never, create: never, close: never, restart: never },
  };
}
