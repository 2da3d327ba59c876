import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { inTurn, type Row } from './measure.ts';

const file = (name: string) => path.resolve(import.meta.dirname, name);

/** More than any load is: nobody is let go. */
const unbounded = String(2 ** 40);

interface Load {
  readonly what: string;
  readonly subscribers: number;
  readonly lines: number;
  readonly rounds: number;
  readonly goal?: { readonly least: number };
}

const loads: readonly Load[] = [
  { what: 'one subscriber', subscribers: 1, lines: 500_000, rounds: 3, goal: { least: 0.5 } },
  { what: '50 subscribers', subscribers: 50, lines: 20_000, rounds: 3 },
];

/** Lines a second from a process to the last of its readers: ours, and a broadcast by bare `ws`. */
export async function hostLogs(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const { what, subscribers, lines, rounds, goal } of loads) {
    const { ours, reference } = await inTurn(
      rounds,
      () => linesASecond('log-host.ts', subscribers, lines),
      () => linesASecond('log-broadcast.ts', subscribers, lines),
    );
    rows.push({
      what: `host: log lines/s from process to ${what}`,
      ours: thousands(ours),
      reference: `bare \`ws\` broadcast, nothing stored: ${thousands(reference)}`,
      ratio: ours / reference,
      ...(goal === undefined ? {} : { goal }),
    });
  }
  return rows;
}

function thousands(rate: number): string {
  return `${(rate / 1000).toFixed(0)} k lines/s`;
}

async function linesASecond(
  server: 'log-host.ts' | 'log-broadcast.ts',
  subscribers: number,
  lines: number,
): Promise<number> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-bench-'));
  const start = path.join(folder, 'start');
  const own = server === 'log-host.ts' ? [path.join(folder, 'data'), unbounded] : [];
  const serving = run(file(server), ...own, file('line-writer.ts'), start, String(lines));
  try {
    const [url = '', token = ''] = (await serving.line()).split(' ');
    const counting = run(file('frame-counter.ts'), url, String(subscribers), String(lines), token);
    try {
      if ((await counting.line()) !== 'open') throw new Error('the stream did not open');
      const began = performance.now();
      await writeFile(start, '');
      const said = await counting.line();
      if (said !== 'counted') throw new Error(`the stream ended: ${said}`);
      return lines / ((performance.now() - began) / 1000);
    } finally {
      await end(counting.child);
    }
  } finally {
    await end(serving.child);
    await rm(folder, { recursive: true });
  }
}

function run(...args: readonly string[]) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  return { child, line: async (): Promise<string> => String((await said.next()).value) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
