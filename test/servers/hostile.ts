import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { type SelfSigned, selfSigned } from './self-signed.ts';

/** Behaviour of a hostile server: `head` is the request up to the empty line, `count` starts at 1. */
export type Script = (socket: Socket, head: string, count: number) => void;

export interface Hostile {
  readonly baseUrl: string;
  /** Heads of all requests so far. */
  readonly heads: readonly string[];
  close(): Promise<void>;
}

export interface HostileOptions {
  /** True for TLS with an untrusted certificate. */
  readonly tls?: boolean;
  /** Certificate for TLS; by default one of its own. */
  readonly certificate?: SelfSigned;
}

/** Starts a server that answers only with the raw bytes that the script writes. */
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
        // Skip the rest of the previous request's body.
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
    options.tls === true
      ? createTlsServer(options.certificate ?? selfSigned(), accept)
      : createServer(accept);
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

/** Answers completely, with the content length. */
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

/** Runs the scripts in turn, one for each request, and then repeats the last one. */
export function inTurn(...scripts: readonly [Script, ...Script[]]): Script {
  return (socket, head, count) => {
    const script = scripts[Math.min(count, scripts.length) - 1] ?? scripts[0];
    script(socket, head, count);
  };
}

/** Never answers. */
export const silence: Script = () => {};

/** Closes the connection without an answer. */
export const hangUp: Script = (socket) => socket.destroy();

/** Announces `promised` bytes, sends `sent` and closes the connection. */
export function cutting(promised: number, sent: string): Script {
  return (socket) => {
    socket.end(`HTTP/1.1 200 OK\r\ncontent-length: ${promised}\r\n\r\n${sent}`);
  };
}

/** Sends the beginning of an answer and keeps the connection open. */
export function stalling(beginning: string): Script {
  return (socket) => {
    socket.write(beginning);
  };
}

/** Sends an endless body as fast as the client reads. */
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

/** Accepts the WebSocket and calls `then` with the raw socket. */
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

/** Builds a final, unmasked WebSocket frame of a server (RFC 6455, 5.2). */
export function frame(payload: string | Buffer, opcode = 1): Buffer {
  const body = Buffer.from(payload);
  const length = Buffer.alloc(9);
  length.writeUInt8(body.length < 126 ? body.length : body.length < 2 ** 16 ? 126 : 127);
  if (length[0] === 126) length.writeUInt16BE(body.length, 1);
  if (length[0] === 127) length.writeBigUInt64BE(BigInt(body.length), 1);
  const size = length[0] === 126 ? 3 : length[0] === 127 ? 9 : 1;
  return Buffer.concat([Buffer.from([0x80 | opcode]), length.subarray(0, size), body]);
}
