import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type LaunchOptions, type Session } from '../e2e/harness.ts';
import type { LinkOptions } from '../servers/slow-link.ts';
import { startFloodProcess } from './flooded.ts';
import { startTorrent } from './torrent.ts';

/** The conditions of a measurement of key latencies. */
export interface KeyRun {
  /** Lines a second; without it as many as the socket takes. */
  readonly rate?: number;
  readonly cols: number;
  readonly rows: number;
  readonly keys: number;
  readonly link?: LinkOptions;
  /** The program, where it is not the built one. */
  readonly script?: string;
}

/** A key, and how the screen looks once it was answered. */
interface Step {
  readonly key: string;
  readonly answered: (session: Session) => boolean;
}

const cursorRow = (session: Session): number =>
  session.terminal.rows.findIndex((row) => row.startsWith('>'));

/** Returns keys that move the cursor of the deployments, or freeze the log where only it is shown. */
function steps(session: Session): () => Step {
  if (session.terminal.cols < 110) {
    let frozen = false;
    return () => {
      frozen = !frozen;
      const wanted = frozen;
      return { key: 'space', answered: ({ screen }) => / PAUSED/.test(screen) === wanted };
    };
  }
  let row = cursorRow(session);
  const first = row;
  let step = 1;
  return () => {
    if (row + step < first || row + step > first + 8) step = -step;
    row += step;
    const wanted = row;
    return { key: step > 0 ? 'j' : 'k', answered: (now) => cursorRow(now) === wanted };
  };
}

/** Milliseconds from each key to the screen that it changes, while the log floods in. */
export async function keyLatencies(run: KeyRun): Promise<readonly number[]> {
  await using flood =
    run.rate === undefined ? await startTorrent(200) : await startFloodProcess(run.rate);
  const options: LaunchOptions = {
    env: { HOSTDECK_BASE_URL: flood.baseUrl, HOSTDECK_TOKEN: 'bench' },
    cols: run.cols,
    rows: run.rows,
    ...(run.link === undefined ? {} : { link: run.link }),
    ...(run.script === undefined ? {} : { script: run.script }),
  };
  await using session = launch(options);
  await session.waitFor(/GET \/shops/);
  await session.waitFor(/live \d/);
  if ('write' in flood) void flood.write(Number.MAX_SAFE_INTEGER);
  // The output of the start is on the screen after this, and the link has found its pace.
  await sleep(2000);
  const next = steps(session);
  const latencies: number[] = [];
  for (let count = 0; count < run.keys; count += 1) {
    await sleep(150 + Math.random() * 200);
    const { key, answered } = next();
    const pressed = performance.now();
    session.press(key);
    await session.waitFor(answered);
    latencies.push(session.arrival - pressed);
  }
  return latencies;
}

/** Milliseconds there and back on a link, measured with a program that does nothing else. */
export async function roundTrips(link: LinkOptions, keys: number): Promise<readonly number[]> {
  const script = path.resolve(import.meta.dirname, 'echo.ts');
  await using session = launch({ script, link });
  await session.waitFor('ready');
  const times: number[] = [];
  for (let count = 1; count <= keys; count += 1) {
    const pressed = performance.now();
    session.press('j');
    await session.waitFor(`${count}.`);
    times.push(session.arrival - pressed);
  }
  return times;
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}
