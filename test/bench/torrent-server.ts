/**
 * A service in a process of its own that writes lines when it is told: `torrent-server.ts LENGTH
 * LINES` with the bytes of a line's text, and the lines that there are from the beginning. Prints
 * its address. On stdin, `COUNT RATE` in lines a second has it write so many lines, a rate of 0 as
 * fast as its one reader takes them; it prints the number of its last line when the socket has taken
 * it. The next order ends one that is being done.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { floodAnswer, floodDeployment, floodServices } from './flood-answers.ts';
import { LogFrames } from './log-frames.ts';
import { textCount } from './log-texts.ts';

const frames = new LogFrames({
  deployment: floodDeployment,
  services: floodServices,
  length: Number(process.argv[2]),
});
/** Bytes on their way to the reader beside those in the kernel. */
const underWay = 2 ** 20;
/** Milliseconds between two bursts at a steady rate. */
const beat = 5;

const log = {
  written: Number(process.argv[3]),
  message: (line: number): unknown => frames.message(line),
};

let reader: Socket | undefined;
/** Grows with each order: what is written for an older one ends. */
let order = 0;

const blocks = Array.from({ length: 2 + Math.ceil(underWay / frames.blockLength) }, () =>
  frames.block(),
);

/** Writes the lines up to `end` as fast as they are read. */
async function pour(end: number, isCurrent: () => boolean): Promise<void> {
  const written: Promise<void>[] = [];
  for (let round = 0; log.written < end && isCurrent(); round += 1) {
    const socket = reader;
    if (socket === undefined || socket.destroyed) {
      await sleep(1);
      continue;
    }
    const slot = round % blocks.length;
    await written[slot];
    const first = log.written + 1;
    const upTo = Math.min(end + 1, first - (first % textCount) + textCount);
    const bytes = frames.fill(blocks[slot] ?? frames.block(), first, upTo);
    log.written = upTo - 1;
    written[slot] = new Promise((resolve) => {
      socket.write(bytes, () => resolve());
    });
  }
  await Promise.all(written);
}

/** Writes the lines up to `end` at a steady rate. */
async function pace(end: number, rate: number, isCurrent: () => boolean): Promise<void> {
  const started = performance.now();
  const before = log.written;
  while (log.written < end && isCurrent()) {
    const due = before + Math.floor(((performance.now() - started) * rate) / 1000);
    while (log.written < Math.min(due, end)) {
      const first = log.written + 1;
      const upTo = Math.min(end + 1, due + 1, first - (first % textCount) + textCount);
      const bytes = frames.fill(frames.block(), first, upTo);
      log.written = upTo - 1;
      reader?.write(Buffer.from(bytes));
    }
    await sleep(beat);
  }
}

const server = createServer((request, response) => {
  const answer = JSON.stringify(floodAnswer(request, log));
  response.setHeader('content-type', 'application/json').end(answer);
});
const streams = new WebSocketServer({ server, perMessageDeflate: false });
streams.on('connection', (_, request) => {
  reader = request.socket;
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);

/** Does an order; says when it is done. */
async function write(count: number, rate: number): Promise<void> {
  order += 1;
  const mine = order;
  const isCurrent = (): boolean => order === mine;
  const end = log.written + count;
  if (rate === 0) await pour(end, isCurrent);
  else await pace(end, rate, isCurrent);
  if (isCurrent()) process.stdout.write(`${log.written}\n`);
}

for await (const line of createInterface(process.stdin)) {
  const [count = 0, rate = 0] = line.split(' ').map(Number);
  void write(count, rate);
}
process.exit();
