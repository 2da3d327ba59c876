import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Session } from '../e2e/harness.ts';
import { GrowingFile } from './growing-file.ts';
import { median, type Row } from './measure.ts';
import { shown, startTail } from './tail-console.ts';
import { linesBefore } from './torrent.ts';

const rounds = 3;
const lines = 1_000_000;
/** Bytes of a line's text. */
const length = 200;
/** One line in twenty has a job; of these, some a seven in its number. */
const pattern = '"job":[0-9]*7';
const frame = 1000 / 60;
const run = promisify(execFile);

/** A regular expression over all lines of a full log, from its last letter on. */
export async function tailFilter(): Promise<readonly Row[]> {
  const ours: Filtered[] = [];
  const theirs: number[] = [];
  using file = new GrowingFile(length);
  while (file.written < linesBefore + lines) file.append(linesBefore, false);
  await using tail = await startTail(length);
  await shown(tail.session, await tail.torrent.write(lines));
  const { count } = await grep(file.file);
  for (let round = 0; round < rounds; round += 1) {
    ours.push(await filtered(tail.session, count));
    theirs.push((await grep(file.file)).time);
  }
  const first = median(ours.map((each) => each.first));
  const whole = median(ours.map((each) => each.whole));
  const reference = median(theirs);
  const what = `regular expression over ${lines / 1e6} M lines of ${length} bytes, ${count} hits`;
  return [
    {
      what: `${what}: last letter to the first screen of hits`,
      ours: `${first.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: first / frame,
      goal: 1,
    },
    {
      what: `${what}: last letter to the count of all`,
      ours: `${whole.toFixed(0)} ms`,
      reference: `\`grep -c -E\` on them in a file: ${reference.toFixed(0)} ms`,
      ratio: whole / reference,
      goal: 3,
    },
  ];
}

/** Milliseconds from the last letter on. */
interface Filtered {
  readonly first: number;
  readonly whole: number;
}

/** Types the filter, and takes it off again. */
async function filtered(session: Session, count: number): Promise<Filtered> {
  session.press('&');
  await session.waitFor(/\n&[^\n]*$/);
  session.press('tab');
  for (const letter of pattern.slice(0, -1)) {
    session.press(letter);
    await sleep(50);
  }
  await sleep(1000);
  const typed = performance.now();
  session.press(pattern.slice(-1));
  await session.waitFor(showsHits);
  const first = session.arrival - typed;
  await session.waitFor(`${count.toLocaleString('en')} of `);
  const whole = session.arrival - typed;
  session.press('escape');
  await session.waitFor((now) => !showsHits(now));
  return { first, whole };
}

/** Whether every line of the log in sight, and there are many, is a hit. */
function showsHits({ terminal }: Session): boolean {
  const inSight = terminal.rows.filter((row) => row.includes('req='));
  const hit = new RegExp(pattern);
  return inSight.length > 40 && inSight.every((row) => hit.test(row));
}

async function grep(file: string): Promise<{ readonly count: number; readonly time: number }> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const started = performance.now();
  const { stdout } = await run('grep', ['-c', '-E', pattern, file], { env });
  return { count: Number(stdout), time: performance.now() - started };
}
