import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Connections at a time, each with one request after the other. */
export const connections = 32;

/**
 * Answers a second to one request, sent again and again for so many ms, or to a request of its own
 * for each connection. The answer must be of the same length each time, and a success.
 */
export async function requestRate(
  baseUrl: string,
  request: string | ((connection: number) => string),
  ms: number,
): Promise<number> {
  const { port, hostname } = new URL(baseUrl);
  const requestOf = typeof request === 'string' ? () => request : request;
  const length = await answerLength(connect(Number(port), hostname), Buffer.from(requestOf(0)));
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  const counters = sockets.map(
    (socket, index) => new Counter(socket, Buffer.from(requestOf(index)), length),
  );
  const begun = performance.now();
  for (const counter of counters) counter.ask();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const answers = counters.reduce((sum, { answered }) => sum + answered, 0);
  const seconds = (performance.now() - begun) / 1000;
  for (const counter of counters) counter.end();
  const broken = counters.find(({ fault }) => fault !== undefined)?.fault;
  if (broken !== undefined) throw new Error(broken);
  return answers / seconds;
}

class Counter {
  answered = 0;
  fault: string | undefined;
  readonly #socket: Socket;
  readonly #request: Buffer;
  #received = 0;

  constructor(socket: Socket, request: Buffer, length: number) {
    this.#socket = socket.setNoDelay();
    this.#request = request;
    socket.on('data', (piece: Buffer) => {
      if (this.#received === 0 && piece[9] !== 0x32) this.fault = String(piece.subarray(0, 200));
      this.#received += piece.length;
      if (this.#received > length) this.fault = 'answers of more than one length';
      if (this.#received < length || this.fault !== undefined) return;
      this.#received = 0;
      this.answered += 1;
      this.ask();
    });
    socket.on('close', () => {
      this.fault ??= 'a connection that was closed';
    });
  }

  ask(): void {
    this.#socket.write(this.#request);
  }

  end(): void {
    this.#socket.removeAllListeners('close');
    this.#socket.destroy();
  }
}

/** Bytes of one answer, head and body. */
async function answerLength(socket: Socket, request: Buffer): Promise<number> {
  socket.write(request);
  let text = '';
  for await (const piece of socket) {
    text += (piece as Buffer).toString('latin1');
    const head = text.indexOf('\r\n\r\n');
    const said = /content-length: (\d+)/i.exec(text)?.[1];
    if (head < 0 || said === undefined) continue;
    const length = head + 4 + Number(said);
    if (text.length >= length) return length;
  }
  throw new Error(`no answer: ${text.slice(0, 200)}`);
}
