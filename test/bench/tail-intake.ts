import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { numbersBegin } from './log-texts.ts';
import { inTurn, type Row } from './measure.ts';
import { environmentOf, shown, startTail } from './tail-console.ts';
import { linesBefore, startTorrent } from './torrent.ts';

const rounds = 3;
const parsingClient = path.resolve(import.meta.dirname, 'parsing-client.ts');

/** The lines of one measurement. */
interface Pour {
  /** Bytes of a line's text. */
  readonly length: number;
  readonly lines: number;
}

/**
 * Lines a second that the console takes in, from the order to write them until the last one is on
 * the screen, against a bare `ws` client that parses every frame.
 */
export async function tailIntake(): Promise<readonly Row[]> {
  return [
    await intake('200-byte lines', { length: 200, lines: 2_000_000 }, 2.5),
    await intake('4 KiB lines', { length: 4096, lines: 800_000 }, 2),
  ];
}

async function intake(name: string, pour: Pour, least: number): Promise<Row> {
  const { ours, reference } = await inTurn(
    rounds,
    () => intoConsole(pour),
    () => intoParser(pour),
  );
  return {
    what: `lines taken in, ${name}, tail on a screen of 200x50`,
    ours: `${(ours / 1000).toFixed(0)} k lines/s`,
    reference: `bare \`ws\` client, \`JSON.parse\`: ${(reference / 1000).toFixed(0)} k lines/s`,
    ratio: ours / reference,
    goal: { least },
  };
}

async function intoConsole({ length, lines }: Pour): Promise<number> {
  await using tail = await startTail(length);
  const started = performance.now();
  const last = await tail.torrent.write(lines);
  return (lines / ((await shown(tail.session, last)) - started)) * 1000;
}

async function intoParser({ length, lines }: Pour): Promise<number> {
  await using torrent = await startTorrent(length);
  const last = numbersBegin + linesBefore + lines;
  const child = spawn(process.execPath, [parsingClient, String(last)], {
    env: { ...process.env, ...environmentOf(torrent) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = createInterface(child.stdout)[Symbol.asyncIterator]();
  await said.next();
  const started = performance.now();
  void torrent.write(lines);
  await said.next();
  const seconds = (performance.now() - started) / 1000;
  child.kill();
  await once(child, 'exit');
  return lines / seconds;
}
