import type { Session } from '../e2e/harness.ts';
import { numberMark } from './log-texts.ts';
import { median, type Row } from './measure.ts';
import { fullscreen, shown, startTail } from './tail-console.ts';

const rounds = 5;
const lines = 1_000_000;
/** Bytes of a line's text. */
const length = 200;
const frame = 1000 / 60;

/** Nine filters of all kinds; with the last one, about one line in 80 passes. */
const filters = [
  '!/health',
  '!level:error',
  '!level=debug',
  'GET',
  'shop!=0',
  'user!=0',
  'bytes>=0',
  '!re:page=(0|1)\\b',
  'service:w',
] as const;
const lastFilter = 'page=7';

/** A list of ten filters over a full log, from the last letter of the last one on. */
export async function filterList(): Promise<readonly Row[]> {
  await using tail = await startTail(length, { HOSTDECK_LOG_BYTES: '1G' });
  const { session, torrent } = tail;
  await shown(session, await torrent.write(lines));
  await fullscreen(session);
  for (const filter of filters) await addFilter(session, filter);
  const times: number[] = [];
  let counted = '';
  for (let round = 0; round < rounds; round += 1) {
    await openPrompt(session);
    session.type(lastFilter.slice(0, -1));
    await session.waitFor((now) => isCounted(now));
    const typed = performance.now();
    session.type(lastFilter.slice(-1));
    await session.waitFor((now) => showsOnly(now));
    times.push(session.arrival - typed);
    await session.waitFor((now) => isCounted(now));
    counted = /[\d,]+ of [\d,]+(?![\d,.])/.exec(session.screen)?.[0] ?? '';
    session.press('escape');
    await session.waitFor(({ screen }) => !screen.includes('Tab regex'));
  }
  const first = median(times);
  return [
    {
      what: `list of ten filters (text, expression, level, service, field), ${counted} lines of ${length} bytes: last letter to the first screen of them`,
      ours: `${first.toFixed(1)} ms`,
      reference: 'a frame at 60 Hz: 16.7 ms',
      ratio: first / frame,
      goal: 1,
    },
  ];
}

async function openPrompt(session: Session): Promise<void> {
  session.press('&');
  await session.waitFor('Tab regex');
}

async function addFilter(session: Session, filter: string): Promise<void> {
  await openPrompt(session);
  const expression = /^(!?)re:(.*)$/.exec(filter);
  if (expression !== null) {
    session.press('tab');
    await session.waitFor('Tab text');
  }
  session.type(expression === null ? filter : `${expression[1]}${expression[2]}`);
  await session.waitFor((now) => isCounted(now));
  session.press('enter');
  await session.waitFor(({ screen }) => !/Tab (?:regex|text)/.test(screen));
}

/** Whether the count is of all lines: until then it is `5+ of 1,000...`. */
function isCounted({ screen }: Session): boolean {
  return /[\d,]+ of [\d,]+(?![\d,.])/.test(screen);
}

/** Whether every line of the log in sight, and there are many, has the page of the last filter. */
function showsOnly({ terminal }: Session): boolean {
  const inSight = terminal.rows.filter((row) => row.includes(numberMark));
  return inSight.length > 40 && inSight.every((row) => /[?]page=7/.test(row));
}
