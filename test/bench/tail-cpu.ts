import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { launch, type Session } from '../e2e/harness.ts';
import { GrowingFile } from './growing-file.ts';
import { markOf } from './log-texts.ts';
import type { Row } from './measure.ts';
import { cpuSeconds } from './process-figures.ts';
import { fullscreen, shown, startTail } from './tail-console.ts';
import { linesBefore } from './torrent.ts';

/** Lines a second, and the bytes of their text. */
const rate = 1000;
const length = 200;
const rounds = 2;
/**
 * Seconds of a round that count, and those before in which a program finds its pace: V8 compiles the
 * paths that a log takes in its first ten seconds, and a console follows for hours.
 */
const counted = 8;
const before = 12;

/** Programs that follow a file, in a terminal of the same size. */
const followers: readonly (readonly [string, ...string[]])[] = [
  ['lnav'],
  ['less', '+F'],
  ['tail', '-f'],
];

/** Processor time at a steady rate while the end of the log is on the screen. */
export async function tailCpu(): Promise<readonly Row[]> {
  const there = followers.filter(([program]) => isThere(program));
  let ours = 0;
  const theirs = new Map<string, number>();
  for (let round = 0; round < rounds; round += 1) {
    ours += await ourShare();
    for (const command of there) {
      const share = await shareOf(command);
      theirs.set(command.join(' '), (theirs.get(command.join(' ')) ?? 0) + share);
    }
  }
  return followers.map((command) => {
    const name = command.join(' ');
    return against(name, ours / rounds, (theirs.get(name) ?? Number.NaN) / rounds);
  });
}

/** @param reference NaN where the program was not there. */
function against(name: string, ours: number, reference: number): Row {
  const row: Row = {
    what: `CPU at ${rate.toLocaleString('en')} lines/s, following for ${before} s, 200x50, against \`${name}\``,
    ours: percent(ours),
    reference: Number.isNaN(reference) ? 'it was not there' : percent(reference),
  };
  if (Number.isNaN(reference)) return row;
  const ratio = ours / reference;
  return name === 'lnav' ? { ...row, ratio, goal: 2.5 } : { ...row, ratio };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function isThere(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(path.delimiter);
  return folders.some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Share of a processor that the console takes, in fullscreen as the others are. */
async function ourShare(): Promise<number> {
  await using tail = await startTail(length);
  const { session, torrent } = tail;
  await fullscreen(session);
  const writing = torrent.write((before + counted + 1) * rate, rate);
  const share = await measured(session);
  await shown(session, await writing);
  return share;
}

async function shareOf(command: readonly [string, ...string[]]): Promise<number> {
  using log = new GrowingFile(length);
  log.append(linesBefore);
  await using session = launch({ command, args: [log.file], cols: 200, rows: 50 });
  await session.waitFor(markOf(linesBefore));
  const writing = log.pace(before + counted + 1, rate);
  const share = await measured(session);
  await writing;
  await session.waitFor(markOf(log.written));
  return share;
}

/** Returns the CPU use of all processes of the session while the log comes. */
async function measured(session: Session): Promise<number> {
  await sleep(before * 1000);
  const pids = session.survivors().map(({ pid }) => pid);
  const seconds = (): number => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
  const start = { at: performance.now(), seconds: seconds() };
  await sleep(counted * 1000);
  return (seconds() - start.seconds) / ((performance.now() - start.at) / 1000);
}
