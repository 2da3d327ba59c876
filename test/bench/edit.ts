import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { launch, type Session } from '../e2e/harness.ts';
import { environmentOf } from '../e2e/foreign-console.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { percentile } from './key-latency.ts';
import { median, type Row } from './measure.ts';

const name = 'large.yaml';
const lineCount = 200_000;
const keys = 60;
const rounds = 5;
const frame = 1000 / 60;

/** 10 MB in lines as people write them. */
function largeFile(): string {
  return Array.from({ length: lineCount }, (_, index) =>
    `setting-${index}: "value ${index * 7919}" # comment ${index % 97}`.padEnd(51),
  ).join('\n');
}

async function startWithLargeFile(): Promise<Foreign> {
  const foreign = await startForeign();
  foreign.put(foreign.sample, 'web', name, largeFile());
  return foreign;
}

/** The console with the cursor on the large file. */
async function launchAtFile(foreign: Foreign): Promise<Session> {
  const session = launch({ env: environmentOf(foreign), cols: 200, rows: 50 });
  await session.waitFor(name);
  session.press('2', '/');
  session.type(name);
  session.press('enter');
  await session.waitFor(/^> .*large\.yaml/m);
  // The output of the start is on the screen after this.
  await sleep(500);
  return session;
}

/** Keys that type in a file of 10 MB, against one frame of a display; and the opening of the file. */
export async function editLargeFile(): Promise<readonly Row[]> {
  const foreign = await startWithLargeFile();
  try {
    return [await typing(foreign), ...(await opening(foreign))];
  } finally {
    await foreign.close();
  }
}

async function typing(foreign: Foreign): Promise<Row> {
  const latencies: number[] = [];
  const session = await launchAtFile(foreign);
  try {
    session.press('e');
    await session.waitFor(/Ln 1 Col 1/);
    for (let round = 0; round < rounds; round += 1) {
      const line = Math.floor((lineCount / rounds) * (round + 0.5));
      session.press('ctrl+g');
      await session.waitFor(/^Line:/m);
      session.type(`${line}\r`);
      await session.waitFor(new RegExp(`Ln ${line} Col 1`));
      for (let column = 2; column < 2 + keys; column += 1) {
        await sleep(40 + Math.random() * 60);
        const pressed = performance.now();
        session.type('x');
        await session.waitFor(new RegExp(`Ln ${line} Col ${column}(?!\\d)`));
        latencies.push(session.arrival - pressed);
      }
    }
  } finally {
    await session.close();
  }
  const p99 = percentile(latencies, 0.99);
  return {
    what: `key to changed screen, p99 of ${latencies.length}, typed in a file of 10 MB, 200x50`,
    ours: `${p99.toFixed(1)} ms`,
    reference: 'a frame at 60 Hz: 16.7 ms',
    ratio: p99 / frame,
    goal: 1,
  };
}

async function opening(foreign: Foreign): Promise<readonly Row[]> {
  const first: number[] = [];
  const whole: number[] = [];
  const references: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const opened = await openOnce(foreign);
    first.push(opened.first);
    whole.push(opened.whole);
    references.push(await readOnce(foreign));
  }
  const reference = median(references);
  const row = (what: string, times: readonly number[], goal: number): Row => ({
    what: `open a file of 10 MB in the editor: ${what}`,
    ours: `${median(times).toFixed(0)} ms`,
    reference: `read and decode it: ${reference.toFixed(0)} ms`,
    ratio: median(times) / reference,
    goal,
  });
  return [row('its first screen', first, 3), row('all of it can be edited', whole, 12)];
}

/** Milliseconds from the key to the first lines, and to a text that can be edited. */
async function openOnce(foreign: Foreign): Promise<{ first: number; whole: number }> {
  const session = await launchAtFile(foreign);
  try {
    const pressed = performance.now();
    session.press('e');
    await session.waitFor(/setting-9:/);
    const first = session.arrival - pressed;
    await session.waitFor(/Ln 1 Col 1/);
    return { first, whole: session.arrival - pressed };
  } finally {
    await session.close();
  }
}

async function readOnce({ baseUrl, token, sample }: Foreign): Promise<number> {
  const begun = performance.now();
  const url = `${baseUrl}/api/v1/deployments/${sample}/services/web/files/${name}`;
  const { body } = await request(url, { headers: { authorization: `Bearer ${token}` } });
  new TextDecoder('utf-8', { fatal: true }).decode(await body.bytes());
  return performance.now() - begun;
}
