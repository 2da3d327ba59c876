import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch } from '../e2e/harness.ts';
import { startFloodProcess } from './flooded.ts';
import { median, type Row } from './measure.ts';
import type { Stalls } from './stall-watch.ts';

/** What a flood did to the console. */
interface Flooded extends Stalls {
  /** Lines a second that it took in, as it says itself in row 1. */
  readonly rate: number;
}

/** Watches the console at 200x50 for some seconds of a flood, from its first lines on. */
async function floodedFor(seconds: number, rate: number): Promise<Flooded> {
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-bench-'));
  const file = path.join(folder, 'stalls.json');
  const watch = path.resolve(import.meta.dirname, 'stall-watch.ts');
  await using flood = await startFloodProcess(rate);
  await using session = launch({
    env: {
      HOSTDECK_BASE_URL: flood.baseUrl,
      HOSTDECK_TOKEN: 'bench',
      HOSTDECK_BENCH_STALLS: file,
      NODE_OPTIONS: `--import=${watch}`,
    },
    cols: 200,
    rows: 50,
  });
  await session.waitFor(/GET \/shops/);
  session.kill('SIGUSR2');
  await sleep(seconds * 1000);
  const [, shown = '0'] = /live ([\d,]+)\/s/.exec(session.screen) ?? [];
  session.kill('SIGUSR2');
  while (!existsSync(file)) await sleep(20);
  const stalls = JSON.parse(readFileSync(file, 'utf8')) as Stalls;
  rmSync(folder, { recursive: true });
  return { ...stalls, rate: Number(shown.replaceAll(',', '')) };
}

const rounds = 5;
const longestStall = 50;

/** How long the console's event loop stands still at most, against what nobody notices. */
export async function stallsUnderFlood(): Promise<readonly Row[]> {
  const runs: Flooded[] = [];
  for (let round = 0; round < rounds; round += 1) runs.push(await floodedFor(10, 50_000));
  const of = (value: (run: Flooded) => number): number => median(runs.map(value));
  const longest = of((run) => run.longest);
  const beside = [
    `${(of((run) => run.rate) / 1000).toFixed(0)} k lines/s taken in`,
    `${(of((run) => run.cpu) * 100).toFixed(0)} % CPU`,
    `${of((run) => run.memory).toFixed(0)} MB at most`,
  ].join(', ');
  return [
    {
      what: `longest stall of the event loop in 10 s at 50,000 lines/s, 200x50 (${beside})`,
      ours: `${longest.toFixed(0)} ms`,
      reference: `${longestStall} ms`,
      ratio: longest / longestStall,
      goal: 1,
    },
  ];
}
