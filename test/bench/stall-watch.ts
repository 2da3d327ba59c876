/**
 * Loaded into the console by NODE_OPTIONS: watches how long the event loop stands still. A
 * SIGURG, which ends no console, begins, the next ends and writes what was seen to the file in
 * HOSTDECK_BENCH_STALLS.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';

export interface Stalls {
  /** Milliseconds that the loop stood still: the longest, and all but one in a hundred. */
  readonly longest: number;
  readonly p99: number;
  /** Share of one processor. */
  readonly cpu: number;
  /** Peak of resident memory in MB. */
  readonly memory: number;
}

/** Milliseconds; the least that can be told apart. */
const resolution = 1;

const delay = monitorEventLoopDelay({ resolution });
let since: { readonly time: number; readonly cpu: NodeJS.CpuUsage } | undefined;

process.on('SIGURG', () => {
  if (since === undefined) {
    since = { time: performance.now(), cpu: process.cpuUsage() };
    delay.reset();
    delay.enable();
    return;
  }
  const cpu = process.cpuUsage(since.cpu);
  const stalls: Stalls = {
    longest: delay.max / 1e6 - resolution,
    p99: delay.percentile(99) / 1e6 - resolution,
    cpu: (cpu.user + cpu.system) / 1000 / (performance.now() - since.time),
    memory: process.resourceUsage().maxRSS / 1024,
  };
  delay.disable();
  since = undefined;
  const file = process.env['HOSTDECK_BENCH_STALLS'] ?? '';
  // Once it is there, it is whole.
  writeFileSync(`${file}.part`, JSON.stringify(stalls));
  renameSync(`${file}.part`, file);
});
