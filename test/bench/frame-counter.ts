/**
 * Follows a log stream on several connections and only counts frames, so that what is measured is
 * who sends them. Says `open`, and `counted` when each connection has had so many.
 */
import { type IncomingMessage, request } from 'node:http';
import type { Socket } from 'node:net';

const [url = '', connections = '1', frames = '1', token = ''] = process.argv.slice(2);

/** Counts the frames of a server: their heads say how long they are, and nothing is masked. */
class FrameCounter {
  count = 0;
  /** Bytes of the frame that are still to come. */
  #left = 0;
  #head = Buffer.alloc(0);

  take(bytes: Buffer): void {
    let at = Math.min(this.#left, bytes.length);
    this.#left -= at;
    if (this.#left > 0) return;
    const rest = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    for (;;) {
      const length = headed(rest, at);
      if (length === undefined) break;
      this.count += 1;
      at += length;
      if (at < rest.length) continue;
      this.#left = at - rest.length;
      at = rest.length;
      break;
    }
    this.#head = Buffer.from(rest.subarray(at));
  }
}

/** Bytes of the frame that begins there, undefined while its head is not whole. */
function headed(bytes: Buffer, at: number): number | undefined {
  const short = (bytes[at + 1] ?? 0) & 0x7f;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + head) return undefined;
  if (short === 126) return head + bytes.readUInt16BE(at + 2);
  return short === 127 ? head + Number(bytes.readBigUInt64BE(at + 2)) : head + short;
}

function connect(): Promise<Socket> {
  const headers = {
    connection: 'Upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'AAAAAAAAAAAAAAAAAAAAAA==',
    ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
  };
  return new Promise((resolve, reject) => {
    request(url, { headers })
      .on('upgrade', (_response: IncomingMessage, socket: Socket, head: Buffer) => {
        socket.unshift(head);
        resolve(socket);
      })
      .on('error', reject)
      .end();
  });
}

const sockets = await Promise.all(Array.from({ length: Number(connections) }, connect));
let open = sockets.length;
for (const socket of sockets) {
  const counter = new FrameCounter();
  socket.on('data', (bytes: Buffer) => {
    const before = counter.count;
    counter.take(bytes);
    if (before >= Number(frames) || counter.count < Number(frames)) return;
    open -= 1;
    if (open === 0) process.stdout.write('counted\n');
  });
  socket.on('close', () => process.stdout.write(`closed after ${counter.count}\n`));
}
process.stdout.write('open\n');
