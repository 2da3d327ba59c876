import type { Row } from './measure.ts';
import { peakMemory } from './process-figures.ts';
import { shown, startTail } from './tail-console.ts';

/** Lines after which the log that is kept has long been full. */
const first = 2_000_000;
const all = Number(process.env['HOSTDECK_BENCH_LINES'] ?? 50_000_000);

/** The most memory that the console has had after many lines, against after the first of them. */
export async function tailMemory(): Promise<Row> {
  await using tail = await startTail(200);
  const { session, torrent } = tail;
  const pour = async (lines: number): Promise<number> => {
    await shown(session, await torrent.write(lines));
    return peakMemory(session.pid);
  };
  const reference = await pour(first);
  const started = performance.now();
  const ours = await pour(all - first);
  const rate = (all - first) / (performance.now() - started);
  return {
    what: `peak memory after ${all / 1e6} M lines of 200 bytes (${rate.toFixed(0)} k lines/s taken in)`,
    ours: `${ours.toFixed(0)} MB`,
    reference: `after ${first / 1e6} M: ${reference.toFixed(0)} MB`,
    ratio: ours / reference,
    goal: 1.1,
  };
}
