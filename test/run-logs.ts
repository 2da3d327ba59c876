import { PassThrough } from 'node:stream';
import type { LogsClient, Read } from '../source/client/client.ts';
import type { Result } from '../source/client/errors.ts';
import type { Deployment } from '../source/contract/deployments.ts';
import { type LogsCommand, runLogs } from '../source/logs-command.ts';

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
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const abort = new AbortController();
  const written = { stdout: '', stderr: '' };
  stdout.on('data', (chunk: Buffer) => {
    written.stdout += chunk.toString();
  });
  stderr.on('data', (chunk: Buffer) => {
    written.stderr += chunk.toString();
  });
  const whole = (text: string) => text.split('\n').slice(0, -1);
  return {
    exit: runLogs({ ...command, stdout, stderr, signal: abort.signal }),
    stdout,
    lines: () => whole(written.stdout),
    rest: () => written.stdout.split('\n').at(-1) ?? '',
    notes: () => whole(written.stderr),
    interrupt: () => abort.abort(),
  };
}

/** A client that knows these deployments, and one log. */
export function clientOf(
  logs: LogsClient,
  deployments: readonly Deployment[] | Result<never>,
): LogsCommand['client'] {
  const never = () => Promise.reject(new Error('not asked for'));
  const list = (): Promise<Result<readonly Read<Deployment>[]>> => {
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
