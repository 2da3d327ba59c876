import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { numbersBegin } from './log-texts.ts';
import { inTurn, type Row } from './measure.ts';
import { environmentOf } from './tail-console.ts';
import { linesBefore, startTorrent } from './torrent.ts';

const rounds = 3;
const intakeScript = path.resolve(import.meta.dirname, 'patterns-intake.ts');
const memoryScript = path.resolve(import.meta.dirname, 'pattern-memory.ts');

/** Lines that all differ, up to the first figure of their memory. */
const differentLines = 50_000;

interface Taken {
  readonly seconds: number;
  readonly lines: number;
  readonly read: number;
}

/** Lines a second that a log takes in with its patterns and without, and the memory of patterns. */
export async function patterns(): Promise<readonly Row[]> {
  return [
    await intake('200-byte lines', { length: 200, lines: 2_000_000 }),
    await intake('4 KiB lines', { length: 4096, lines: 400_000 }),
    await memory(),
  ];
}

async function intake(
  name: string,
  { length, lines }: { readonly length: number; readonly lines: number },
): Promise<Row> {
  let share = 0;
  const { ours, reference } = await inTurn(
    rounds,
    async () => {
      const taken = await takeIn(length, lines, 'patterns');
      share = taken.read / Math.max(1, taken.lines);
      return lines / taken.seconds;
    },
    async () => lines / (await takeIn(length, lines, 'none')).seconds,
  );
  return {
    what: `lines taken in and grouped into patterns, ${name}, without a screen (${(100 * share).toFixed(0)} % of them read)`,
    ours: `${(ours / 1000).toFixed(0)} k lines/s`,
    reference: `without patterns: ${(reference / 1000).toFixed(0)} k lines/s`,
    ratio: ours / reference,
    goal: { least: 0.85 },
  };
}

async function takeIn(length: number, lines: number, option: 'patterns' | 'none'): Promise<Taken> {
  await using torrent = await startTorrent(length);
  const last = numbersBegin + linesBefore + lines;
  const child = spawn(process.execPath, [intakeScript, String(last), option], {
    env: { ...process.env, ...environmentOf(torrent) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  await said.next();
  void torrent.write(lines);
  const taken = JSON.parse(String((await said.next()).value)) as Taken;
  child.kill();
  await once(child, 'exit');
  return taken;
}

async function memory(): Promise<Row> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--expose-gc',
    memoryScript,
    String(differentLines),
  ]);
  const { some, more, line } = JSON.parse(stdout) as Record<'some' | 'more' | 'line', number>;
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  return {
    what: `heap after grouping ${(10 * differentLines) / 1000} k lines that all differ (${line.toFixed(0)} µs a line)`,
    ours: megabytes(more),
    reference: `after ${differentLines / 1000} k: ${megabytes(some)}`,
    ratio: more / some,
    goal: 1.1,
  };
}
