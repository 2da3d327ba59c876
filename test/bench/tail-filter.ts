import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Session } from '../e2e/harness.ts';
import { GrowingFile } from './growing-file.ts';
import { numberMark } from './log-texts.ts';
import { median, type Row } from './measure.ts';
import { fullscreen, shown, startTail } from './tail-console.ts';
import { linesBefore } from './torrent.ts';

const rounds = 5;
/** Memory is given to keep them all, which is more than the usual: messages are longer than texts. */
const lines = 1_000_000;
/** Bytes of a line's text. */
const length = 200;
/** The same to JavaScript and to grep; the last letter of each leaves out lines that are seen. */
const patterns = {
  'with a literal in it': '"job":[0-9]*7',
  'without one': '(WARN|ERROR).*(shop|user)=[0-9]*77',
};
const frame = 1000 / 60;
const start = promisify(execFile);
/** Lines that are written to the file at once. */
const burst = 1000;

/** Regular expressions over all lines of a full log, each from its last letter on. */
export async function tailFilter(): Promise<readonly Row[]> {
  await using tail = await startTail(length, { HOSTDECK_LOG_BYTES: '1G' });
  const { session, torrent } = tail;
  await shown(session, await torrent.write(lines));
  await fullscreen(session);
  const { kept } = await filtered(session, patterns['without one']);
  using log = new GrowingFile(length, linesBefore + lines - kept);
  for (let left = kept; left > 0; left -= burst) log.append(Math.min(burst, left), false);
  const rows: Row[] = [];
  for (const [name, pattern] of Object.entries(patterns)) {
    rows.push(...(await rowsOf(session, name, pattern, log.file)));
  }
  return rows;
}

async function rowsOf(
  session: Session,
  name: string,
  pattern: string,
  file: string,
): Promise<readonly Row[]> {
  const ours: Filtered[] = [];
  const theirs: Grepped[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const mine = await filtered(session, pattern);
    const other = await grep(file, pattern);
    if (mine.hits !== other.hits) throw new Error(`${mine.hits} hits, ${other.hits} of grep`);
    ours.push(mine);
    theirs.push(other);
  }
  const [{ hits, kept } = { hits: 0, kept: 0 }] = ours;
  const first = median(ours.map((each) => each.first));
  const whole = median(ours.map((each) => each.whole));
  const reference = median(theirs.map((each) => each.time));
  const what = `filter of ${(kept / 1e6).toFixed(2)} M lines of ${length} bytes, regular expression ${name}, ${hits.toLocaleString('en')} hits`;
  return [
    {
      what: `${what}: last letter to the first screen of them`,
      ours: `${first.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: first / frame,
      goal: 1,
    },
    {
      what: `${what}: last letter to the count of all`,
      ours: `${whole.toFixed(0)} ms`,
      reference: `\`grep -c -E\` on the same in a file: ${reference.toFixed(0)} ms`,
      ratio: whole / reference,
      goal: 4,
    },
  ];
}

interface Filtered {
  /** Milliseconds from the last letter on. */
  readonly first: number;
  readonly whole: number;
  /** Lines that are left, and those that the console keeps. */
  readonly hits: number;
  readonly kept: number;
}

/** Types the filter, and takes it off again. */
async function filtered(session: Session, pattern: string): Promise<Filtered> {
  session.press('&');
  await session.waitFor('Tab regex');
  session.press('tab');
  await session.waitFor('Tab text');
  session.type(pattern.slice(0, -1));
  await session.waitFor(counted);
  const hit = new RegExp(pattern);
  if (showsOnly(session, hit))
    throw new Error(`all in sight is a hit before the end of ${pattern}`);
  const typed = performance.now();
  session.type(pattern.slice(-1));
  await session.waitFor((now) => showsOnly(now, hit));
  const first = session.arrival - typed;
  await session.waitFor(counted);
  const whole = session.arrival - typed;
  const [hits = 0, kept = 0] = counts(session);
  session.press('escape');
  await session.waitFor(({ screen }) => !screen.includes('Tab text'));
  return { first, whole, hits, kept };
}

/** Hits, and the lines that were looked at. */
function counts({ screen }: Session): readonly number[] {
  const [, ...found] = /([\d,]+) of ([\d,]+)(?![\d,.])/.exec(screen) ?? [];
  return found.map((count) => Number(count.replaceAll(',', '')));
}

/** Whether the count is of all lines: until then it is `5+ of 1,000...`. */
function counted(session: Session): boolean {
  return counts(session).length > 0;
}

/** Whether every line of the log in sight, and there are many, is a hit. */
function showsOnly({ terminal }: Session, hit: RegExp): boolean {
  const inSight = terminal.rows.filter((row) => row.includes(numberMark));
  return inSight.length > 40 && inSight.every((row) => hit.test(row));
}

interface Grepped {
  readonly hits: number;
  /** Milliseconds. */
  readonly time: number;
}

async function grep(file: string, pattern: string): Promise<Grepped> {
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  const started = performance.now();
  const { stdout } = await start('grep', ['-c', '-E', pattern, file], { env });
  return { hits: Number(stdout), time: performance.now() - started };
}
