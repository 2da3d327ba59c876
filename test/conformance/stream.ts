import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { WebSocket } from 'ws';
import { logStreamPath } from '../../source/contract/routes.ts';
import type { Caller } from './caller.ts';
import { eventually, type ServiceUnderTest } from './service.ts';

/** A message of the stream with the fields of the contract, which the tests check. */
export interface StreamMessage {
  readonly type: unknown;
  readonly id: unknown;
  readonly deploymentId: unknown;
  readonly serviceName: unknown;
  readonly timestamp: unknown;
  readonly logLine: unknown;
  readonly stream: unknown;
}

/** An open log stream and its messages so far. */
export interface OpenStream {
  readonly socket: WebSocket;
  /** Every frame, with `isText` true for a text frame. */
  readonly frames: { readonly text: string; readonly isText: boolean }[];
  /** The messages of type `log`. */
  readonly messages: StreamMessage[];
  /** Waits for a line with this text; resolves with the texts so far. */
  until(text: string): Promise<readonly unknown[]>;
}

export function connect(
  service: ServiceUnderTest,
  caller: Caller,
  query: Readonly<Record<string, string>>,
): WebSocket {
  const { token = '' } = caller;
  const { streamAuth } = service;
  const url = new URL(service.baseUrl.replace(/\/+$/, '') + logStreamPath);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = new URLSearchParams(query).toString();
  if (streamAuth === 'query') url.searchParams.set('access_token', token);
  const isHeader = streamAuth === 'header' && caller.token !== undefined;
  const socket = new WebSocket(url, streamAuth === 'subprotocol' ? ['bearer', token] : [], {
    headers: isHeader ? { authorization: `Bearer ${token}` } : {},
  });
  socket.on('error', () => undefined);
  return socket;
}

/** Follows a deployment's log while `work` runs. */
export async function following<T>(
  service: ServiceUnderTest,
  caller: Caller,
  id: string,
  work: (stream: OpenStream) => Promise<T>,
): Promise<T> {
  const socket = connect(service, caller, { deploymentId: id });
  const stream: OpenStream = {
    socket,
    frames: [],
    messages: [],
    until: (text) =>
      eventually(() => {
        const texts = stream.messages.map(({ logLine }) => logLine);
        if (!texts.includes(text)) throw new Error(`the stream has not delivered ${text}`);
        return texts;
      }),
  };
  socket.on('message', (data: Buffer, isBinary) => {
    const text = data.toString();
    stream.frames.push({ text, isText: !isBinary });
    const json = jsonIn(text);
    if (json?.type === 'log') stream.messages.push(json);
  });
  await once(socket, 'open');
  try {
    return await work(stream);
  } finally {
    await closed(socket);
  }
}

/** Returns the status of a refused upgrade; undefined if the stream opens. */
export async function refusal(socket: WebSocket): Promise<number | undefined> {
  const status = await new Promise<number | undefined>((resolve) => {
    socket.once('unexpected-response', (_request, response: IncomingMessage) => {
      response.destroy();
      resolve(response.statusCode);
    });
    socket.once('open', () => {
      resolve(undefined);
    });
  });
  await closed(socket);
  return status;
}

async function closed(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return;
  const closing = new Promise((resolve) => socket.once('close', resolve));
  socket.terminate();
  await closing;
}

function jsonIn(text: string): StreamMessage | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? (json as StreamMessage) : undefined;
  } catch {
    return undefined;
  }
}
