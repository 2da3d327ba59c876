import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { floodDeployment } from './flood-answers.ts';
import { inTurn, type Row } from './measure.ts';
import { bytesWritten } from './process-figures.ts';
import { environmentOf } from './tail-console.ts';
import { startTorrent } from './torrent.ts';

const rounds = 3;
const lines = 1_000_000;
/** Bytes of a line's text; its message is longer. */
const length = 200;
/** Milliseconds without a byte written after which nothing more comes. */
const quiet = 500;

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const bareClient = path.resolve(import.meta.dirname, 'bare-client.ts');

/** Lines a second from the stream to /dev/null: ours, and a bare `ws` client that writes frames. */
export async function tailJson(): Promise<Row> {
  const { ours, reference } = await inTurn(
    rounds,
    () => linesASecond([program, 'logs', floodDeployment, '--json']),
    () => linesASecond([bareClient]),
  );
  return {
    what: '`logs --json` into /dev/null, 200-byte lines',
    ours: `${(ours / 1000).toFixed(0)} k lines/s`,
    reference: `bare \`ws\` client: ${(reference / 1000).toFixed(0)} k lines/s`,
    ratio: ours / reference,
    goal: { least: 0.7 },
  };
}

/** From the first line that is written after the connection to the last. */
async function linesASecond(args: readonly string[]): Promise<number> {
  await using torrent = await startTorrent(length);
  const nowhere = openSync('/dev/null', 'w');
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environmentOf(torrent) },
    stdio: ['ignore', nowhere, 'inherit'],
  });
  closeSync(nowhere);
  const pid = child.pid ?? 0;
  // The first one is taken when the client is there.
  await torrent.write(1);
  await sleep(quiet);
  const before = bytesWritten(pid);
  const started = performance.now();
  await torrent.write(lines);
  let bytes = bytesWritten(pid);
  let last = performance.now();
  while (performance.now() - last < quiet) {
    const now = bytesWritten(pid);
    if (now > bytes) last = performance.now();
    bytes = now;
    await sleep(2);
  }
  child.kill('SIGTERM');
  await once(child, 'exit');
  if (bytes - before < lines * length) throw new Error(`not all lines came out: ${bytes} bytes`);
  return (lines / (last - started)) * 1000;
}
