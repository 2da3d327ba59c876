import type { createConnection, Socket } from 'node:net';
import { WebSocket } from 'ws';
import type { LogFrames } from '../../contract/logs.ts';
import { logStreamPath } from '../../contract/routes.ts';
import type { LogStream, LogStreamHandlers } from '../client.ts';
import type { Endpoint, UsableEndpoint } from '../http/endpoint.ts';
import { localError, type ServiceError } from '../http/errors.ts';
import { FrameLane } from './frame-reader.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { Http } from '../http/http.ts';
import type { Limits } from '../http/limits.ts';
import {
  broken,
  closed,
  collect,
  noConnection,
  noSubprotocol,
  refusedUpgrade,
  silent,
} from './log-stream-errors.ts';
import { createStreamSocket } from './stream-socket.ts';
import { transportError } from '../http/transport-errors.ts';
import { createTurnShare } from './read-budget.ts';

/** How the token is shown when a stream is opened (open points, "Stream authentication"). */
export type StreamAuthMode = 'header' | 'subprotocol' | 'query';

export interface LogStreamOptions {
  readonly http: Http;
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly auth: StreamAuthMode;
  readonly limits: Limits;
}

export interface LogStreams {
  open(id: string, handlers: LogStreamHandlers): LogStream;
  /** Ends every open stream; their `onClose` is called with `aborted`. */
  close(): void;
}

export function createLogStreams({ endpoint, ...options }: LogStreamOptions): LogStreams {
  const running = new Set<Running>();
  return {
    open(id, handlers) {
      const what = options.http.asked('streamLogs');
      if (!endpoint.ok) {
        return unopened(options, handlers, localError(what, endpoint.sentence, endpoint.next));
      }
      if (options.auth === 'subprotocol' && !subprotocolPattern.test(options.token)) {
        return unopened(options, handlers, noSubprotocol(what));
      }
      const url = streamUrl(endpoint, id, options.auth === 'query' ? options.token : undefined);
      const stream = openStream(url, handlers, options, () => running.delete(stream));
      running.add(stream);
      return stream;
    },
    close() {
      for (const stream of running) stream.abort();
    },
  };
}

interface Running extends LogStream {
  abort(): void;
}

/** A stream that fails before anything is sent; in its own time, as every stream does. */
function unopened(
  { http }: Pick<LogStreamOptions, 'http'>,
  handlers: LogStreamHandlers,
  error: ServiceError,
): LogStream {
  let closed = false;
  queueMicrotask(() => {
    if (!closed) handlers.onClose(http.fail(error).error);
  });
  const nothing = (): void => {};
  return {
    pause: nothing,
    resume: nothing,
    close() {
      closed = true;
    },
  };
}

function openStream(
  url: URL,
  handlers: LogStreamHandlers,
  { http, token, auth, limits }: Omit<LogStreamOptions, 'endpoint'>,
  onEnd: () => void,
): Running {
  const what = http.asked('streamLogs');
  const sentAt = Date.now();
  let ended = false;
  let paused = false;
  let failed = false;
  let heartbeat: Heartbeat | undefined;
  let connection: Socket | undefined;
  const reads = createStreamSocket(url.protocol === 'wss:');
  const socket = new WebSocket(url, auth === 'subprotocol' ? ['bearer', token] : [], {
    ...socketOptions,
    ...(auth === 'header' ? { headers: { authorization: `Bearer ${token}` } } : {}),
    maxPayload: limits.maxFrame,
    createConnection: reads.connect as typeof createConnection,
  });

  const stop = (): boolean => {
    if (ended) return false;
    ended = true;
    clearTimeout(opening);
    heartbeat?.stop();
    onEnd();
    return true;
  };
  const fail = (error: ServiceError): void => {
    if (!stop()) return;
    socket.terminate();
    handlers.onClose(http.fail(error).error);
  };
  let whenLate = (): void => fail(transportError(what, noConnection(), limits));
  const opening = setTimeout(() => whenLate(), limits.connectTimeout);

  // What the socket has read already still comes: some hundred lines at most.
  const share = createTurnShare(limits.streamShare, () => {
    if (!ended && !paused) socket.resume();
  });

  /** Lines go by `ws`, which makes an event of each: it gets what else there is. */
  const listen = (from: Socket): void => {
    const others = from.listeners('data');
    from.removeAllListeners('data');
    const lane = new FrameLane({
      maxFrame: limits.maxFrame,
      onFrames(frames) {
        if (!ended) handlers.onFrames(frames);
      },
      pass(bytes) {
        // `ws` may keep them.
        const own = Buffer.from(bytes);
        if (!failed) for (const other of others) other.call(from, own);
      },
    });
    const take = (chunk: NonSharedBuffer, room = 0): void => {
      heartbeat?.heard();
      lane.take(chunk, room);
      if (!ended && share.isUsed()) socket.pause();
    };
    from.on('data', (chunk: NonSharedBuffer) => take(chunk));
    reads.readBy(take);
    // Before ws, which would take what a paused socket still holds for the beginning of a frame.
    from.prependListener('close', () => {
      const left = from.read() as NonSharedBuffer | null;
      if (left !== null) lane.take(left);
    });
  };

  const pause = (): void => {
    paused = true;
    socket.pause();
    heartbeat?.pause();
  };

  socket
    .on('upgrade', (response) => {
      http.observeDate(response.headers.date, sentAt);
      connection = response.socket;
    })
    .on('open', () => {
      clearTimeout(opening);
      if (ended) return;
      if (connection !== undefined) listen(connection);
      heartbeat = createHeartbeat({
        silence: limits.streamSilence,
        patience: limits.pongTimeout,
        ping: () => socket.ping(),
        dead: () => fail(silent(what, limits)),
      });
      // A socket that is still connecting takes no notice of a pause.
      if (paused) pause();
      handlers.onOpen();
    })
    .on('message', (data, isBinary) => {
      if (ended) return;
      if (isBinary) handlers.onOther('binary');
      else handlers.onFrames(single(data as Buffer));
      if (share.isUsed()) socket.pause();
    })
    .on('unexpected-response', (_request, response) => {
      http.observeDate(response.headers.date, sentAt);
      const done = (text: string): void => fail(refusedUpgrade(what, url, response, text));
      whenLate = collect(response, done);
    })
    .on('error', (cause) => {
      failed = true;
      const unconnected = heartbeat === undefined && 'code' in cause;
      fail(unconnected ? transportError(what, cause, limits) : broken(what, cause, limits));
    })
    .on('close', (code, reason) => fail(closed(what, url, code, reason.toString())));

  return {
    pause,
    resume() {
      paused = false;
      socket.resume();
      if (!ended) heartbeat?.resume();
    },
    close() {
      if (stop()) socket.close(1000);
    },
    abort() {
      fail(transportError(what, new DOMException('', 'AbortError'), limits));
    },
  };
}

/** What a header of subprotocols can carry: tokens (RFC 6455, 4.1). */
const subprotocolPattern = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

const socketOptions = {
  // Inflating costs far more than the bytes save: 8 against 540 thousand lines a second.
  perMessageDeflate: false,
  // A frame that is no UTF-8 costs its broken characters, not the connection.
  skipUTF8Validation: true,
  // A closing handshake that takes longer (ms) is cut short: it must not keep the process alive.
  closeTimeout: 1_000,
};

function streamUrl({ url, prefix }: UsableEndpoint, id: string, token?: string): URL {
  const target = new URL(prefix + logStreamPath, url);
  target.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  target.searchParams.set('deploymentId', id);
  if (token !== undefined) target.searchParams.set('access_token', token);
  return target;
}

const first = Uint32Array.of(0);

function single(bytes: Buffer): LogFrames {
  return { bytes, count: 1, starts: first, ends: Uint32Array.of(bytes.length) };
}
