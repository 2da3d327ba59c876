import type { LinkOptions } from '../servers/slow-link.ts';
import { type KeyRun, keyLatencies, percentile, roundTrips } from './key-latency.ts';
import { median, type Row } from './measure.ts';
import { buildStock } from './stock.ts';

const rate = 50_000;
const rounds = 5;
/** Rounds of each row where a measurement has two rows. */
const fewRounds = 3;
const link: LinkOptions = { rate: 20_000, roundTrip: 150, buffer: 65_536 };

/** Keys on a slow link while the log floods in, against the link's own round trip. */
export async function keysOnSlowLink(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [cols, lines] of [
    [200, 50],
    [80, 24],
  ] as const) {
    const { ours, reference } = await inTurnWithLink({ rate, cols, rows: lines, keys: 20, link });
    rows.push({
      what: `key to changed screen, p95 of ${ours.length}, ${cols}x${lines}, 50,000 lines/s, link of 20 KB/s and 150 ms`,
      ours: `${percentile(ours, 0.95).toFixed(0)} ms`,
      reference: `round trip: ${reference.toFixed(0)} ms`,
      ratio: percentile(ours, 0.95) / reference,
      goal: 1.4,
    });
  }
  const script = await buildStock();
  const run = { rate, cols: 200, rows: 50, keys: 2, link, script };
  const { ours, reference } = await inTurnWithLink(run);
  rows.push({
    what: `the same at 200x50 on Ink's own renderer, p95 of ${ours.length}`,
    ours: `${percentile(ours, 0.95).toFixed(0)} ms`,
    reference: `round trip: ${reference.toFixed(0)} ms`,
    ratio: percentile(ours, 0.95) / reference,
  });
  return rows;
}

async function inTurnWithLink(
  run: KeyRun & { readonly link: LinkOptions },
): Promise<{ readonly ours: readonly number[]; readonly reference: number }> {
  const ours: number[] = [];
  const trips: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(...(await keyLatencies(run)));
    trips.push(median(await roundTrips(run.link, 5)));
  }
  return { ours, reference: median(trips) };
}

const frame = 1000 / 60;

/** Keys on this machine while the log floods in, against one frame of a display. */
export async function keysHere(): Promise<readonly Row[]> {
  const ours: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    ours.push(...(await keyLatencies({ rate, cols: 200, rows: 50, keys: 60 })));
  }
  const p99 = percentile(ours, 0.99);
  return [
    {
      what: `key to changed screen, p99 of ${ours.length}, 200x50, 50,000 lines/s, local`,
      ours: `${p99.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: p99 / frame,
      goal: 1,
    },
  ];
}

/** Keys while the log comes as fast as the socket gives it: in a list beside it, and its freeze. */
export async function keysAtHighestRate(): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [cols, lines, what] of [
    [200, 50, 'cursor in a list'],
    [80, 24, 'freeze and follow'],
  ] as const) {
    const ours: number[] = [];
    for (let round = 0; round < fewRounds; round += 1) {
      ours.push(...(await keyLatencies({ cols, rows: lines, keys: 40 })));
    }
    const p99 = percentile(ours, 0.99);
    const middle = median(ours).toFixed(1);
    rows.push({
      what: `key to changed screen, p99 of ${ours.length}, ${cols}x${lines}, ${what}, as many lines as the socket gives (median ${middle} ms)`,
      ours: `${p99.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: p99 / frame,
      goal: 2,
    });
  }
  return rows;
}
