import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { launch, type Session } from '../e2e/harness.ts';
import { environmentOf } from '../e2e/foreign-console.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { percentile } from './key-latency.ts';
import { inTurn, type Row } from './measure.ts';

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
  // What the start has brought is on the screen.
  await sleep(500);
  return session;
}

/** Keys that type in a file of 10 MB, against one frame of a display; and the opening of the file. */
export async function editLargeFile(): Promise<readonly Row[]> {
  const foreign = await startWithLargeFile();
  try {
    return [await typing(foreign), await opening(foreign)];
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
  process.stderr.write(
    `p50 ${percentile(latencies, 0.5)} p90 ${percentile(latencies, 0.9)} p95 ${percentile(latencies, 0.95)}\n`,
  );
  const p99 = percentile(latencies, 0.99);
  return {
    what: `key to changed screen, p99 of ${latencies.length}, typed in a file of 10 MB, 200x50`,
    ours: `${p99.toFixed(1)} ms`,
    reference: 'a frame at 60 Hz: 16.7 ms',
    ratio: p99 / frame,
    goal: 1,
  };
}

async function opening(foreign: Foreign): Promise<Row> {
  const ours = async (): Promise<number> => {
    const session = await launchAtFile(foreign);
    try {
      const pressed = performance.now();
      session.press('e');
      await session.waitFor(/Ln 1 Col 1/);
      return session.arrival - pressed;
    } finally {
      await session.close();
    }
  };
  const reference = async (): Promise<number> => {
    const begun = performance.now();
    const url = `${foreign.baseUrl}/api/v1/deployments/${foreign.sample}/services/web/files/${name}`;
    const { body } = await request(url, { headers: { authorization: `Bearer ${foreign.token}` } });
    new TextDecoder('utf-8', { fatal: true }).decode(await body.bytes());
    return performance.now() - begun;
  };
  const measured = await inTurn(rounds, ours, reference);
  return {
    what: 'open a file of 10 MB in the editor, to its first screen',
    ours: `${measured.ours.toFixed(0)} ms`,
    reference: `read and decode it: ${measured.reference.toFixed(0)} ms`,
    ratio: measured.ours / measured.reference,
    goal: 3,
  };
}
