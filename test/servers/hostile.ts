import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { selfSigned } from './self-signed.ts';

/** What a hostile server does with a request: `head` is all up to the empty line, `count` from 1. */
export type Script = (socket: Socket, head: string, count: number) => void;

export interface Hostile {
  readonly baseUrl: string;
  /** Heads of all requests so far. */
  readonly heads: readonly string[];
  close(): Promise<void>;
}

export interface HostileOptions {
  /** Speaks TLS with a certificate that nobody vouches for. */
  readonly tls?: boolean;
}

/** A server that answers with bytes instead of HTTP: whatever the script writes, and nothing else. */
export async function startHostile(script: Script, options: HostileOptions = {}): Promise<Hostile> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  const accept = (socket: Socket): void => {
    sockets.add(socket);
    let received = '';
    let body = 0;
    socket
      .on('error', () => socket.destroy())
      .on('close', () => sockets.delete(socket))
      .on('data', (chunk) => {
        received += chunk.toString('latin1');
        // What belongs to the body of the request before is nobody's.
        const skipped = Math.min(body, received.length);
        received = received.slice(skipped);
        body -= skipped;
        const end = received.indexOf('\r\n\r\n');
        if (end < 0) return;
        const head = received.slice(0, end);
        const rest = received.length - end - 4;
        body = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) - rest;
        received = '';
        heads.push(head);
        script(socket, head, heads.length);
      });
  };
  const server =
    options.tls === true ? createTlsServer(selfSigned(), accept) : createServer(accept);
  server.on('tlsClientError', (_error, socket: Socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const scheme = options.tls === true ? 'https' : 'http';
  return {
    baseUrl: `${scheme}://127.0.0.1:${port}`,
    heads,
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A whole answer, with its length. */
export function answering(
  status: number,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
): Script {
  const bytes = Buffer.from(body);
  return (socket) => {
    const lines = Object.entries({ 'content-length': bytes.length, ...headers });
    const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(Buffer.concat([Buffer.from(`HTTP/1.1 ${status} Status\r\n${head}\r\n`), bytes]));
  };
}

/** The first script for the first request and so on; the last one for all that follow. */
export function inTurn(...scripts: readonly [Script, ...Script[]]): Script {
  return (socket, head, count) => {
    const script = scripts[Math.min(count, scripts.length) - 1] ?? scripts[0];
    script(socket, head, count);
  };
}

/** Takes the request and says nothing. */
export const silence: Script = () => {};

/** Hangs up without a word. */
export const hangUp: Script = (socket) => socket.destroy();

/** Promises `promised` bytes, sends the given ones and hangs up. */
export function cutting(promised: number, sent: string): Script {
  return (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${promised}\r\n\r\n${sent}`);
  };
}

/** Sends the beginning of an answer and then nothing, without hanging up. */
export function stalling(beginning: string): Script {
  return (socket) => {
    socket.write(beginning);
  };
}

/** A body without an end, as fast as it is taken. */
export const endless: Script = (socket) => {
  socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
  const chunk = Buffer.concat([
    Buffer.from('4000\r\n'),
    Buffer.alloc(0x4000, '['),
    Buffer.from('\r\n'),
  ]);
  const pour = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour);
  pour();
};

/** Accepts the WebSocket and hands over the raw socket. */
export function upgrading(then: (socket: Socket) => void, headers = ''): Script {
  return (socket, head) => {
    const key = /sec-websocket-key: (\S+)/i.exec(head)?.[1] ?? '';
    const accept = createHash('sha1')
      .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n' +
        `sec-websocket-accept: ${accept}\r\n${headers}\r\n`,
    );
    then(socket);
  };
}

/** A WebSocket frame as a server sends it: final, unmasked (RFC 6455, 5.2). */
export function frame(payload: string | Buffer, opcode = 1): Buffer {
  const body = Buffer.from(payload);
  const length =
    body.length < 126
      ? Buffer.from([body.length])
      : Buffer.from([126, body.length >> 8, body.length & 0xff]);
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, body]);
}
