import { setTimeout as sleep } from 'node:timers/promises';
import { startFloodProcess } from './flooded.ts';
import { median, type Row } from './measure.ts';
import type { Stalls } from './stall-watch.ts';
import { launchWatched } from './watched-console.ts';

/** The effect of a flood on the console. */
interface Flooded extends Stalls {
  /** Lines a second that it took in, as it says itself in row 1. */
  readonly rate: number;
}

/** Watches the console at 200x50 for some seconds of a flood, from its first lines on. */
async function floodedFor(seconds: number, rate: number): Promise<Flooded> {
  await using flood = await startFloodProcess(rate);
  await using watched = launchWatched(flood.baseUrl, 'bench');
  const { session } = watched;
  await session.waitFor(/GET \/shops/);
  let shown = '0';
  const stalls = await watched.during(async () => {
    await sleep(seconds * 1000);
    shown = /live ([\d,]+)\/s/.exec(session.screen)?.[1] ?? '0';
  });
  return { ...stalls, rate: Number(shown.replaceAll(',', '')) };
}

const rounds = 5;
const longestStall = 50;

/** Measures the longest stall of the console's event loop, against a stall that nobody notices. */
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
