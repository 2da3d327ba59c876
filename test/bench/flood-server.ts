/**
 * A service in a process of its own whose one log is written at a steady rate: `flood-server.ts RATE`
 * in lines a second. Prints its address, and on SIGUSR2 how many lines it has written.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';
import { floodAnswer, floodDeployment, floodServices } from './flood-answers.ts';

const rate = Number(process.argv[2]);
/** Bytes that a reader may be behind; more is dropped for it, as history keeps it. */
const mostUnread = 16 * 2 ** 20;
/** Milliseconds between two bursts. */
const beat = 5;

const texts = Array.from({ length: 997 }, (_, index) => {
  const seed = (index * 2_654_435_761) % 4_294_967_291;
  const path = `/shops/${seed % 9973}/orders/${seed % 99_991}?page=${seed % 17}`;
  const trace = `trace=${seed.toString(16).padStart(8, '0')}`;
  switch (index % 20) {
    case 0:
      return `\\u001b[31mERROR\\u001b[0m payment of order ${seed % 7919} refused by the bank ${trace}`;
    case 1:
      return `WARN slow query took ${seed % 900} ms on replica ${seed % 5}: select * from orders`;
    case 2:
      return `{\\"level\\":\\"info\\",\\"msg\\":\\"job done\\",\\"job\\":${seed % 9973},\\"took\\":${seed % 700}}`;
    default:
      return `GET ${path} 200 ${seed % 900}ms ${seed % 65_536}B "Mozilla/5.0" ${trace}`.replaceAll(
        '"',
        '\\"',
      );
  }
});

const bodies = texts.map((text, index) => {
  const service = floodServices[index % floodServices.length] ?? '';
  return `,"deploymentId":"${floodDeployment}","serviceName":"${service}","timestamp":"2026-01-01T00:00:00.000Z","logLine":"${text}","stream":"stdout"}`;
});
const head = '{"type":"log","id":';

function messageOf(id: number): string {
  return `${head}${id}${bodies[id % bodies.length] ?? ''}`;
}

/** A text frame of a server (RFC 6455, 5.2), for payloads of 126 to 65,535 bytes. */
function frameOf(id: number): Buffer {
  const payload = Buffer.from(messageOf(id));
  const header = Buffer.from([0x81, 126, payload.length >> 8, payload.length & 0xff]);
  return Buffer.concat([header, payload]);
}

let written = 0;
let dropped = 0;
const readers = new Set<Socket>();
const started = performance.now();

setInterval(() => {
  const due = Math.floor(((performance.now() - started) * rate) / 1000);
  const burst: Buffer[] = [];
  while (written < due) burst.push(frameOf((written += 1)));
  if (burst.length === 0) return;
  const bytes = Buffer.concat(burst);
  for (const reader of readers) {
    if (reader.writableLength < mostUnread) reader.write(bytes);
    else dropped += burst.length;
  }
}, beat);

const server = createServer((request, response) => {
  const log = { written, message: (line: number): unknown => JSON.parse(messageOf(line)) };
  const answer = JSON.stringify(floodAnswer(request, log));
  response.setHeader('content-type', 'application/json').end(answer);
});
const streams = new WebSocketServer({ server, perMessageDeflate: false });
streams.on('connection', (_, request) => {
  const { socket } = request;
  readers.add(socket);
  socket.on('close', () => readers.delete(socket));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
process.on('SIGUSR2', () => process.stdout.write(`${written} ${dropped}\n`));
