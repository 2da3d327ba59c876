import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { startFlood } from './flood.ts';
import { inTurn, type Row } from './measure.ts';

const rounds = 5;
const lines = 400_000;
const length = 200;

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const bareClient = path.resolve(import.meta.dirname, 'bare-client.ts');

/**
 * Lines a second from the stream into a pipe, starting included: ours, and a bare `ws` client that
 * writes each frame.
 */
export async function logPipe(): Promise<Row> {
  const flood = await startFlood(lines, length);
  const env = { ...process.env, HOSTDECK_BASE_URL: flood.baseUrl, HOSTDECK_TOKEN: 'bench' };

  /** Counts the lines that the program writes until all have come, then ends it. */
  async function linesASecond(args: readonly string[]): Promise<number> {
    const started = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    let count = 0;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      for (const byte of chunk) if (byte === 10) count += 1;
      if (count >= lines) break;
    }
    const seconds = (performance.now() - started) / 1000;
    child.kill('SIGTERM');
    await exited;
    return count / seconds;
  }

  const { ours, reference } = await inTurn(
    rounds,
    () => linesASecond([program, 'logs', flood.deployment, '--json']),
    () => linesASecond([bareClient]),
  );
  await flood.close();
  return {
    what: `\`logs --json\` into a pipe, ${length}-byte lines`,
    ours: `${(ours / 1000).toFixed(0)} k lines/s`,
    reference: `bare \`ws\` client: ${(reference / 1000).toFixed(0)} k lines/s`,
    ratio: ours / reference,
  };
}
