/**
 * A service in a process of its own whose one log is written at a steady rate: `flood-server.ts RATE`
 * in lines a second. Prints its address, and on SIGUSR2 how many lines it has written.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer } from 'ws';

const rate = Number(process.argv[2]);
/** Bytes that a reader may be behind; more is dropped for it, as history keeps it. */
const mostUnread = 16 * 2 ** 20;
/** Milliseconds between two bursts. */
const beat = 5;

const deploymentCount = 40;
const idOf = (index: number): string =>
  `00000000-0000-4000-8000-${String(index).padStart(12, '0')}-${4700 + index}`;
const deployment = idOf(0);

const services = ['web', 'api', 'worker', 'queue'];
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
  const service = services[index % services.length] ?? '';
  return `,"deploymentId":"${deployment}","serviceName":"${service}","timestamp":"2026-01-01T00:00:00.000Z","logLine":"${text}","stream":"stdout"}`;
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

function answerTo(request: IncomingMessage): object {
  const url = new URL(request.url ?? '', 'http://flood');
  if (url.pathname.endsWith('/logs')) {
    const newest = written - Number(url.searchParams.get('offset') ?? 0);
    const count = Math.min(Number(url.searchParams.get('limit') ?? 100), Math.max(0, newest));
    return {
      logs: Array.from({ length: count }, (_, index): unknown =>
        JSON.parse(messageOf(newest - index)),
      ),
    };
  }
  if (url.pathname.endsWith('/grants')) return { grants: [] };
  if (url.pathname.endsWith('/files')) return { files: [] };
  return {
    deployments: Array.from({ length: deploymentCount }, (_, index) => ({
      id: idOf(index),
      name: index === 0 ? 'shop' : `shop-${index}`,
      state: 'active',
      services,
      createdAt: '2025-01-01T00:00:00.000Z',
    })),
  };
}

const server = createServer((request, response) => {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(answerTo(request)));
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
