import { Pace } from '../../../source/terminal/link/pace.ts';
import { type LinkSettings, SimulatedLink } from '../link/simulated-link.ts';

/** The period of snapshots of log rows, in ms, and their bytes. */
export type Snapshots = { every: number; least: number; most: number };

const steadySnapshots: Snapshots = { every: 1000 / 30, least: 8000, most: 10_000 };
const firstFrame = 15_000;
const keyWrite = 300;

/** Results of a run of the screen over a link. Times in ms, sizes in bytes. */
export type Run = {
  /** Time from each key press to its effect on the terminal, by the time of the press. */
  keys: { at: number; latency: number }[];
  /** Log rows written, by time. */
  flow: { at: number; bytes: number }[];
  /** Log rows that a later snapshot replaced before they were written. */
  skipped: { at: number; bytes: number }[];
  /** Changes of the slow state, by time. */
  slow: { at: number; slow: boolean }[];
  pace: Pace;
};

/**
 * Runs the screen's loop in virtual time: a first frame, then snapshots of log rows, by default more
 * than a slow link can carry, written in slices as the pace allows, and a key every 150 to 450 ms whose
 * effect is written at once. `at` holds events on the link, in order of time.
 */
export function runScreen(
  settings: LinkSettings,
  duration: number,
  at: { time: number; event: (link: SimulatedLink) => void }[] = [],
  loses: () => boolean = () => false,
  snapshots = steadySnapshots,
): Run {
  const { random, roundTrip, jitter } = settings;
  const link = new SimulatedLink(settings);
  const pace = new Pace();
  const run: Run = { keys: [], flow: [], skipped: [], slow: [], pace };
  const answers: number[] = [];
  const events = [...at];
  const keys: { pressed: number; arrives: number }[] = [];
  let pending = 0;
  let nextKey = 500;
  let nextFrame = snapshots.every;
  let now = 0;

  function write(bytes: number): number {
    const { returned, shown, answered } = link.write(bytes, now);
    pace.recordWrite(bytes, now);
    if (!loses()) answers.push(answered);
    now = returned;
    return shown;
  }

  write(firstFrame);
  while (now < duration) {
    while (pending > 0) {
      const budget = pace.budget(now);
      if (budget === 0) break;
      let bytes = 0;
      while (bytes < pending) {
        const row = Math.min(pending - bytes, 150 + Math.floor(random() * 100));
        if (bytes > 0 && bytes + row > budget) break;
        bytes += row;
      }
      pending -= bytes;
      run.flow.push({ at: now, bytes });
      write(bytes);
    }
    const times = [
      answers[0],
      keys[0]?.arrives,
      nextKey,
      nextFrame,
      events[0]?.time,
      pace.deadline(),
    ];
    const next = Math.min(...times.filter((time) => time !== undefined));
    now = Math.max(now, next);

    if (events[0] !== undefined && events[0].time <= now) events.shift()?.event(link);
    while (answers[0] !== undefined && answers[0] <= now) {
      answers.shift();
      pace.recordAnswer(now);
    }
    if (nextKey <= now) {
      const arrives = nextKey + roundTrip / 2 + random() * (jitter / 2);
      keys.push({ pressed: nextKey, arrives });
      nextKey += 150 + random() * 300;
    }
    while (keys[0] !== undefined && keys[0].arrives <= now) {
      const { pressed } = keys[0];
      keys.shift();
      run.keys.push({ at: pressed, latency: write(keyWrite) - pressed });
    }
    if (nextFrame <= now) {
      if (pending > 0) run.skipped.push({ at: now, bytes: pending });
      pending = snapshots.least + Math.floor(random() * (snapshots.most - snapshots.least));
      nextFrame = now + snapshots.every;
    }
    pace.budget(now);
    if (pace.slow !== (run.slow.at(-1)?.slow ?? false)) run.slow.push({ at: now, slow: pace.slow });
  }
  return run;
}

/** Returns the bytes of log rows per ms between two times. */
export function throughput(run: Run, from: number, to: number): number {
  const part = run.flow.filter((write) => write.at >= from && write.at < to);
  return part.reduce((sum, write) => sum + write.bytes, 0) / (to - from);
}

/** Returns the latency that a share of the keys between two times does not exceed. */
export function latency(run: Run, share: number, from: number, to: number): number {
  const part = run.keys.filter((key) => key.at >= from && key.at < to);
  const sorted = part.map((key) => key.latency).sort((left, right) => left - right);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
